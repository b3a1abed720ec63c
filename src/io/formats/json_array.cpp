// `json`: a file that is one array of objects. Its elements are cut out one by one; the array is never held whole.
#include <algorithm>
#include <utility>

#include "io/formats/formats.h"
#include "io/formats/json_record.h"

namespace neardup::io {
namespace {

class ArrayCutter final : public Cutter {
 public:
  std::size_t scan(std::string_view bytes) override {
    const std::size_t size = scan_state(bytes);
    const std::string_view scanned = bytes.substr(0, size);  // all of them when the unit goes on
    lines_ += static_cast<std::uint64_t>(std::count(scanned.begin(), scanned.end(), '\n'));
    return size;
  }

  bool take(std::string_view unit, RawRecord& out) override {
    out.problem = problem_;
    if (!element_) return out.problem != nullptr;
    out.size = static_cast<std::uint32_t>(unit.size());
    return true;
  }

  bool take_last(std::string_view unit, RawRecord& out) override {
    if (state_ == State::start || state_ == State::closed || state_ == State::refused) return false;
    out.size = static_cast<std::uint32_t>(unit.size());
    out.problem = "the file ends before the JSON array is closed";
    return true;
  }

  [[nodiscard]] std::uint64_t number() const override { return number_ + sign_lines_; }

  void next_unit() override {
    number_ += std::exchange(lines_, 0);
    sign_lines_ = 0;
    element_ = false;
    problem_ = nullptr;
  }

 private:
  enum class State {
    start,      // before [
    first,      // behind [
    comma,      // behind a comma
    element,    // behind an element
    bracketed,  // inside an object or array
    bare,       // inside anything else
    closed,     // behind ]
    refused,    // what follows cannot be understood
  };

  std::size_t scan_state(std::string_view bytes) {
    switch (state_) {
      case State::bracketed:
        return scan_bracketed(bytes);
      case State::bare:
        return scan_bare(bytes);
      case State::refused:
        return bytes.size();
      default:
        return scan_between(bytes);
    }
  }

  // A sign out of place at `sign`, which is reported as a record on its own line.
  std::size_t report(const char* problem, std::string_view bytes, std::size_t sign) {
    problem_ = problem;
    sign_lines_ =
        static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(sign), '\n'));
    return state_ == State::refused ? bytes.size() : sign + 1;
  }

  // White space, commas and the outer brackets, up to where an element starts.
  std::size_t scan_between(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
      if (state_ == State::start) {
        if (c != '[')
          return refuse("a json file is one array of objects, and this one does not begin with [", bytes, i);
        state_ = State::first;
      } else if (state_ == State::closed) {
        return refuse("something follows the JSON array", bytes, i);
      } else if (c == ']') {
        const bool dangling = state_ == State::comma;
        state_ = State::closed;
        if (dangling) return report("there is a comma before the closing bracket of the array", bytes, i);
      } else if (c == ',') {
        const bool misplaced = state_ != State::element;
        state_ = State::comma;
        if (misplaced) return report("a comma without an element before it", bytes, i);
      } else {
        if (i != 0) return i;  // the element is a unit of its own
        return start_element(bytes);
      }
    }
    return bytes.size();
  }

  std::size_t refuse(const char* problem, std::string_view bytes, std::size_t sign) {
    state_ = State::refused;
    return report(problem, bytes, sign);
  }

  std::size_t start_element(std::string_view bytes) {
    if (state_ == State::element) problem_ = "a comma is missing before this element";
    element_ = true;
    if (bytes[0] == '{' || bytes[0] == '[') {
      state_ = State::bracketed;
      depth_ = 0;
      in_string_ = escaped_ = false;
      return scan_bracketed(bytes);
    }
    state_ = State::bare;
    in_string_ = escaped_ = false;
    return scan_bare(bytes);
  }

  // True while `c` belongs to a string or opens one.
  bool string_goes_on(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '"') {
      in_string_ = !in_string_;
      return true;
    } else if (in_string_ && c == '\\') {
      escaped_ = true;
    }
    return in_string_;
  }

  std::size_t scan_bracketed(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (in_string_ && !escaped_) {  // most bytes are text: jump to the next one that matters
        i = bytes.find_first_of("\"\\", i);
        if (i == std::string_view::npos) return kOpen;
      }
      const char c = bytes[i];
      if (string_goes_on(c)) continue;
      if (c == '{' || c == '[') ++depth_;
      if ((c == '}' || c == ']') && --depth_ == 0) {
        state_ = State::element;
        return i + 1;
      }
    }
    return kOpen;
  }

  std::size_t scan_bare(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (string_goes_on(c)) continue;
      if (c == ',' || c == ']' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        state_ = State::element;
        return i;
      }
    }
    return kOpen;
  }

  State state_ = State::start;
  std::uint64_t number_ = 1, lines_ = 0;  // line of the current unit, lines in it so far
  std::uint64_t sign_lines_ = 0;          // how many of them precede a reported sign
  std::uint64_t depth_ = 0;
  bool in_string_ = false, escaped_ = false;
  bool element_ = false;  // the current unit is an element
  const char* problem_ = nullptr;
};

Fit sniff_json(std::string_view first_bytes, std::string_view extension, const Format& self) {
  const std::size_t bracket = skip_json_space(first_bytes);
  if (bracket == std::string_view::npos) return self.has_extension(extension) ? Fit::name : Fit::no;
  if (first_bytes[bracket] != '[') return Fit::no;
  const std::size_t next = skip_json_space(first_bytes, bracket + 1);
  const bool opens = next != std::string_view::npos && (first_bytes[next] == '{' || first_bytes[next] == ']');
  if (opens) return Fit::content;
  return self.has_extension(extension) ? Fit::name : Fit::no;
}

}  // namespace

Format json_format() {
  return {.name = "json",
          .summary = "an object of a JSON array",
          .extensions = {".json"},
          .sniff = sniff_json,
          .cutter = [](const Source&, const ReadOptions&) -> std::unique_ptr<Cutter> {
            return std::make_unique<ArrayCutter>();
          },
          .parser = make_json_parser,
          .framing = Format::Framing::json_array,
          .append_json = append_json_on_one_line};
}

}  // namespace neardup::io
