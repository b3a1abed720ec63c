#include "report/page/bounded_json.h"

#include <simdjson.h>

#include "base/json.h"
#include "base/utf8.h"
#include "neardup/error.h"

namespace neardup::report {
namespace {

namespace dom = simdjson::dom;

class BoundedCopy {
 public:
  explicit BoundedCopy(const BoundedJsonLimits& limits) : limits_(limits) {}

  void copy(const dom::element& value) {
    switch (value.type()) {
      case dom::element_type::OBJECT:
        return copy_object(value.get_object().value_unsafe());
      case dom::element_type::ARRAY:
        copy_array(value.get_array().value_unsafe());
        return;
      case dom::element_type::STRING:
        return copy_string(value.get_string().value_unsafe());
      default:
        out_ += simdjson::minify(value);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void copy_string(std::string_view text) {
    const std::string_view cut = base::cut_to_code_point(text, limits_.string_bytes);
    base::append_json_string(out_, cut.size() == text.size() ? std::string(cut) : std::string(cut) + "…");
  }

  void copy_object(const dom::object& object) {
    out_ += '{';
    bool is_first = true;
    for (const dom::key_value_pair member : object) {
      if (out_.size() > limits_.bytes) break;
      if (!is_first) out_ += ',';
      is_first = false;
      copy_string(member.key);
      out_ += ':';
      dom::array array;
      if (member.value.get(array) != simdjson::SUCCESS) {
        copy(member.value);
      } else if (const std::size_t left_out = copy_array(array); left_out > 0) {
        out_ += ',';
        copy_string(member.key);
        out_.pop_back();  // the quote
        out_ += "_left_out\":" + std::to_string(left_out);
      }
    }
    out_ += '}';
  }

  // How many elements were left out.
  std::size_t copy_array(const dom::array& array) {
    out_ += '[';
    std::size_t copied = 0, all = 0;
    for (const dom::element element : array) {
      ++all;
      if (copied >= limits_.elements || out_.size() > limits_.bytes) continue;
      if (copied++ > 0) out_ += ',';
      copy(element);
    }
    out_ += ']';
    return all - copied;
  }

  const BoundedJsonLimits& limits_;
  std::string out_;
};

}  // namespace

std::string bounded_json(std::string_view json, const std::string& name, const BoundedJsonLimits& limits) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS || !root.is_object())
    throw Error(ErrorCode::input, name + " is damaged");
  BoundedCopy copy(limits);
  copy.copy(root);
  return copy.take();
}

std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i, 3);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9") {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace neardup::report
