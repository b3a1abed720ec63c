#include "failures.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

namespace neardup::arrow_plugin {
namespace {

class CodeDetail final : public arrow::StatusDetail {
 public:
  explicit CodeDetail(NeardupCode code) : code_(code) {}
  [[nodiscard]] const char* type_id() const override { return "neardup"; }
  [[nodiscard]] std::string ToString() const override { return "neardup"; }
  [[nodiscard]] NeardupCode code() const { return code_; }

 private:
  NeardupCode code_;
};

const CodeDetail* code_detail(const arrow::Status& status) {
  return dynamic_cast<const CodeDetail*>(status.detail().get());
}

NeardupCode code_of(const arrow::Status& status) {
  if (const CodeDetail* detail = code_detail(status)) return detail->code();
  if (status.IsOutOfMemory()) return NEARDUP_MEMORY;
  if (status.IsNotImplemented()) return NEARDUP_UNSUITABLE;
  return NEARDUP_DAMAGED;
}

// The first line, without a full stop: our messages go on behind it.
std::string_view first_sentence(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

int fill(NeardupCode code, std::string_view text, NeardupError* error) {
  const std::size_t size = std::min(text.size(), sizeof(error->text) - 1);
  error->code = code;
  std::memcpy(error->text, text.data(), size);
  error->text[size] = '\0';
  return code;
}

}  // namespace

int fail(const arrow::Status& status, NeardupError* error) {
  return fill(code_of(status), first_sentence(status.message()), error);
}

int fail_with_exception(NeardupError* error) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return fill(NEARDUP_MEMORY, "not enough memory", error);
  } catch (const std::exception& exception) {
    return fill(NEARDUP_DAMAGED, first_sentence(exception.what()), error);
  } catch (...) {
    return fill(NEARDUP_BUG, "something that is no exception was thrown", error);
  }
}

arrow::Status with_code(NeardupCode code, const arrow::Status& status) {
  return status.WithDetail(std::make_shared<CodeDetail>(code));
}

bool has_code(const arrow::Status& status) { return code_detail(status) != nullptr; }

arrow::Status in_front(std::string_view words, const arrow::Status& status) {
  return status.WithMessage(words, ": ", status.message());
}

}  // namespace neardup::arrow_plugin
