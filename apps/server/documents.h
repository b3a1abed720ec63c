// How do documents come out of a request's body?
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/index.h"

namespace neardup::server {

// Texts and lists that documents refer to, freed together. Threads: one at a time.
class Arena {
 public:
  std::string_view copy(std::string_view text);
  template <class T>
  std::span<T> make(std::size_t count) {
    T* const items = static_cast<T*>(memory_.allocate(std::max<std::size_t>(count, 1) * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(items, count);
    return {items, count};
  }

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

// What a document of this request must have.
enum class NeedsId { yes, no };

// Reads JSON documents as openapi.json describes them. Parsing is bounded in depth, and memory grows with the input
// only. Threads: one at a time.
class DocumentParser {
 public:
  explicit DocumentParser(const Index&);
  ~DocumentParser();

  // One document or {"documents": [...]}; true for the latter. Documents refer to the arena. Throws Problem.
  bool parse_body(const std::string& json, NeedsId, std::size_t most_documents, Arena&,
                  std::vector<IndexDocument>& out);
  // A line of bulk. At least kPadding bytes behind it must be readable. Throws Problem.
  IndexDocument parse_line(std::string_view json, NeedsId, Arena&);
  static constexpr std::size_t kPadding = 64;

  // A whole body as one document. Throws Problem where the index does not compare texts.
  IndexDocument raw_text(std::string_view id, std::string_view body, bool is_html) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 16 hexadecimal digits.
std::optional<Fingerprint> parse_fingerprint(std::string_view);
// Throws Problem for an id that an index cannot have.
void check_id(std::string_view id);

}  // namespace neardup::server
