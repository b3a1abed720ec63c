#include "arrow/text_parts.h"

#include <algorithm>

namespace neardup::arrow {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 31;
// Lists within lists may lead to the same cells again and again, so that a few bytes claim to be very many parts.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 22;

// Cells of which nothing can be known without looking at each.
constexpr std::uint64_t kTypicalBytes = 16;

std::uint64_t range_weight(const CellRange& range) {
  const Cells& cells = *range.cells;
  const auto count = static_cast<std::uint64_t>(range.count);
  if (range.count <= 0 || range.begin < 0 || range.begin > cells.length - range.count) return 0;
  const std::int64_t begin = cells.offset + range.begin;
  CellRange first, last;
  switch (cells.type->kind) {
    case Kind::integer:
      return sizeof(std::uint64_t) * count;
    case Kind::text: {
      std::string_view front, back;
      if (string_of({&cells, begin}, front) != Found::value) return 0;
      if (string_of({&cells, begin + range.count - 1}, back) != Found::value) return 0;
      return count + static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, back.data() + back.size() - front.data()));
    }
    case Kind::list:
    case Kind::fixed_list:
      if (list_of({&cells, begin}, first) != Found::value) return 0;
      if (list_of({&cells, begin + range.count - 1}, last) != Found::value) return 0;
      return range_weight({first.cells, first.begin, last.begin + last.count - first.begin});
    case Kind::structure: {
      std::uint64_t sum = 0;
      for (const Cells& member : cells.children) sum += range_weight({&member, begin, range.count});
      return sum;
    }
    default:
      return kTypicalBytes * count;
  }
}

}  // namespace

Found TextParts::join(const Cell& list) {
  text_.clear();
  steps_ = 0;
  has_part_ = is_too_long_ = false;
  return add_all(list);
}

Found TextParts::add_all(const Cell& list) {
  CellRange parts;
  if (list_of(list, parts) == Found::damaged) return Found::damaged;
  if (parts.cells->type->kind == Kind::null) return Found::value;
  for (std::int64_t i = 0; i < parts.count; ++i) {
    if (++steps_ > kMostSteps) return give_up();
    Cell part{};
    const Found found = find_cell(*parts.cells, parts.begin + i, part);
    if (found == Found::damaged || (found == Found::value && add_part(part) == Found::damaged)) return Found::damaged;
  }
  return Found::value;
}

Found TextParts::add_part(const Cell& part) {
  const Kind kind = part.cells->type->kind;
  if (kind == Kind::structure) return add_message(part);
  return is_string(kind) ? add_string(part) : Found::value;
}

Found TextParts::add_message(const Cell& message) {
  for (const Cells& member : message.cells->children) {
    if (member.type->kind == Kind::runs) continue;
    Cell content{};
    const Found found = find_cell(member, message.at, content);
    if (found == Found::damaged || (found == Found::value && add_content(content) == Found::damaged))
      return Found::damaged;
  }
  return Found::value;
}

// Something else than a string or a list is nothing said.
Found TextParts::add_content(const Cell& content) {
  const Type& type = *content.cells->type;
  if (is_string(type.kind)) return add_string(content);
  return type.is_list() && type.children[0].kind != Kind::runs ? add_all(content) : Found::value;
}

Found TextParts::add_string(const Cell& part) {
  std::string_view text;
  if (string_of(part, text) == Found::damaged) return Found::damaged;
  if (text.size() + text_.size() >= kMostBytes) return give_up();
  if (std::exchange(has_part_, true)) text_ += '\n';
  text_ += text;
  return Found::value;
}

Found TextParts::give_up() {
  is_too_long_ = true;
  return Found::damaged;
}

std::uint64_t text_weight(const Cell& cell) {
  if (is_string(cell.cells->type->kind)) {
    std::string_view text;
    return string_of(cell, text) == Found::value ? text.size() : 0;
  }
  CellRange list;
  return cell.cells->type->is_list() && list_of(cell, list) == Found::value ? range_weight(list) : 0;
}

}  // namespace neardup::arrow
