// Arbitrary bytes as an Arrow stream: a schema and arrays of bounded sizes, whose numbers are whatever the bytes say.
//
// What the interface cannot tell is kept honest, because nobody could notice a lie: buffers are as large as the length
// of the array demands, and bytes of strings reach to the last offset. All else may be wrong: offsets in between,
// views, indexes, counts, missing buffers and children. A stream that can be read again, one that is held and one that
// is spooled must agree.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document_text.h"
#include "io/memory_files.h"
#include "neardup/arrow.h"
#include "neardup/error.h"
#include "support/arrow_arrays.h"

namespace {

using namespace neardup;
using test::Column;

void require(bool condition) {
  if (!condition) std::abort();
}

// Takes decisions off the front of the bytes; zeros when there are no more.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : left_(reinterpret_cast<const char*>(data), size) {}
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const auto taken = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return taken;
  }
  std::int64_t below(std::int64_t limit) { return byte() % limit; }
  bool rarely() { return byte() % 32 == 31; }
  std::string bytes(std::size_t count) {
    std::string out(left_.substr(0, count));
    left_.remove_prefix(out.size());
    out.resize(count);
    return out;
  }

 private:
  std::string_view left_;
};

constexpr const char* kFormats[] = {"u",   "U",    "z",     "vu",  "n",    "b",           "c",   "L",       "i",  "g",
                                    "f",   "e",    "d:9,2", "tdD", "tsn:", "tss:UTC",     "ttu", "w:3",     "+l", "+L",
                                    "+vl", "+w:2", "+s",    "+r",  "tdm",  "d:76,-3,256", "+m",  "+us:0,1", "S",  "vz"};
constexpr const char* kNames[] = {"text", "id", "content", "x", "text.x", "role"};
constexpr int kDepth = 4;
constexpr std::int64_t kMostRows = 40;

// Bytes of a fixed-width cell, as the format has them.
std::size_t width_of(std::string_view format) {
  if (format == "c") return 1;
  if (format == "S" || format == "e") return 2;
  if (format == "i" || format == "f" || format == "tdD") return 4;
  if (format == "d:9,2") return 16;
  if (format == "d:76,-3,256") return 32;
  return format == "w:3" ? 3 : 8;
}

template <class Offset>
void add_strings(Choices& choices, std::int64_t cells, Column& out) {
  std::string offsets = choices.bytes(static_cast<std::size_t>(cells + 1) * sizeof(Offset));
  // Small offsets mostly, so that many of them fit; the bytes reach to the largest end that an array may show.
  std::int64_t last = 0;
  std::vector<Offset> numbers(static_cast<std::size_t>(cells + 1));
  std::memcpy(numbers.data(), offsets.data(), offsets.size());
  for (Offset& number : numbers) {
    if (!choices.rarely()) number = static_cast<Offset>(static_cast<std::uint64_t>(number) % 64);
    if (number > 4096) number = 4096;
    last = std::max<std::int64_t>(last, number);
  }
  offsets.assign(reinterpret_cast<const char*>(numbers.data()), offsets.size());
  out.buffers.emplace_back(std::move(offsets));
  out.buffers.emplace_back(std::string(static_cast<std::size_t>(last), 'x'));
}

void add_views(Choices& choices, std::int64_t cells, Column& out) {
  std::string views;
  for (std::int64_t i = 0; i < cells; ++i) {
    test::append_value(views, static_cast<std::int32_t>(choices.rarely() ? -1 : choices.below(40)));
    test::append_value(views, std::int32_t{0});
    test::append_value(views, static_cast<std::int32_t>(choices.below(3)) - 1);
    test::append_value(views, static_cast<std::int32_t>(choices.below(60)) - 1);
  }
  out.buffers.emplace_back(std::move(views));
  const std::string bytes = choices.bytes(static_cast<std::size_t>(choices.below(64)));
  std::string sizes;
  test::append_value(sizes, static_cast<std::int64_t>(bytes.size()));
  out.buffers.emplace_back(bytes);
  out.buffers.emplace_back(std::move(sizes));
}

// Offsets or sizes of lists: anything, but mostly small.
std::string small_numbers(Choices& choices, std::int64_t count, std::size_t width) {
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = choices.rarely() ? static_cast<std::int64_t>(choices.byte()) << 56 : choices.below(24);
    out.append(reinterpret_cast<const char*>(&number), width);
  }
  return out;
}

Column make_column(Choices& choices, std::int64_t cells, int depth);

void add_contents(Choices& choices, std::int64_t cells, int depth, Column& out) {
  const std::string& format = out.format;
  const auto child = [&](std::int64_t count) { out.children.push_back(make_column(choices, count, depth + 1)); };
  if (format == "u" || format == "z") return add_strings<std::int32_t>(choices, cells, out);
  if (format == "U") return add_strings<std::int64_t>(choices, cells, out);
  if (format == "vu" || format == "vz") return add_views(choices, cells, out);
  if (format == "n" || format[1] == 'm' || format.starts_with("+us")) return out.buffers.clear();
  if (format == "+l" || format == "+L") {
    out.buffers.emplace_back(small_numbers(choices, cells + 1, format == "+l" ? 4 : 8));
    return child(choices.below(kMostRows));
  }
  if (format == "+vl") {
    out.buffers.emplace_back(small_numbers(choices, cells, 4));
    out.buffers.emplace_back(small_numbers(choices, cells, 4));
    return child(choices.below(kMostRows));
  }
  if (format == "+w:2") return child(cells * 2);
  if (format == "+s") {
    for (std::int64_t i = choices.below(3); i >= 0; --i) child(cells);
    return;
  }
  if (format == "+r") {
    const std::int64_t count = choices.below(kMostRows);
    out.buffers.clear();
    Column ends{.name = "run_ends", .format = "i", .length = count, .buffers = {std::nullopt}};
    ends.buffers.emplace_back(small_numbers(choices, count, 4));
    out.children.push_back(std::move(ends));
    return child(count);
  }
  const std::size_t bits = static_cast<std::size_t>(cells + 7) / 8;
  out.buffers.emplace_back(choices.bytes(format == "b" ? bits : static_cast<std::size_t>(cells) * width_of(format)));
}

Column make_column(Choices& choices, std::int64_t cells, int depth) {
  Column column;
  column.name = kNames[choices.below(std::size(kNames))];
  const auto formats = static_cast<std::int64_t>(std::size(kFormats));
  column.format = kFormats[depth == kDepth ? choices.below(18) : choices.below(formats)];
  column.buffers = {std::nullopt};
  column.offset = std::max<std::int64_t>(0, choices.below(8) - 4);
  column.length = cells;
  const std::int64_t all = column.offset + cells;
  if (choices.byte() % 2 == 0) column.buffers[0] = choices.bytes(static_cast<std::size_t>(all + 7) / 8);
  add_contents(choices, all, depth, column);
  if (depth < kDepth && (column.format == "c" || column.format == "S") && choices.byte() % 2 == 0)
    column.dictionary.push_back(make_column(choices, choices.below(kMostRows), depth + 1));
  if (choices.rarely()) column.length = -static_cast<std::int64_t>(choices.byte());
  if (choices.rarely()) column.offset = -1;
  if (choices.rarely() && !column.buffers.empty()) column.buffers.pop_back();
  if (choices.rarely() && !column.buffers.empty())
    column.buffers[static_cast<std::size_t>(choices.byte()) % column.buffers.size()].reset();
  return column;
}

struct Row {
  std::string key, text, problem;
  std::vector<std::optional<std::string>> fields;
  std::vector<std::uint64_t> tokens;
  bool operator==(const Row&) const = default;
};

const std::vector<std::string> kFields{"x", "id"};

std::vector<Row> read(const DocumentSource& source) {
  std::vector<Row> rows;
  const auto reader = source.open(kFields);
  while (const auto batch = reader->next()) {
    require(batch->size() > 0);
    for (std::size_t place = 0; place < batch->size(); ++place) {
      DocumentView view;
      Document document;
      Row& row = rows.emplace_back();
      if (const char* problem = batch->get(place, view)) {
        row.problem = problem;
        continue;
      }
      base::copy_document(view, document);
      require(view.fields.size() == kFields.size());
      row = {std::string(view.key), document.text, "", document.fields, document.tokens};
    }
  }
  return rows;
}

// Rows, or what was wrong as the only row's problem.
template <class Open>
std::vector<Row> attempt(const test::Alive& alive, const Open& open) {
  std::vector<Row> rows;
  try {
    const auto source = open();
    rows = read(*source);
    require(read(*source) == rows);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::input || error.code() == ErrorCode::usage);
    rows = {{"", "", error.what(), {}, {}}};
  }
  require(*alive == 0);
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  const std::int64_t rows = choices.below(kMostRows);
  Column whole{.format = "+s", .length = rows, .buffers = {std::nullopt}};
  for (std::int64_t i = choices.below(4); i >= 0; --i) whole.children.push_back(make_column(choices, rows, 0));
  // A column that is the text most of the time.
  whole.children[0].name = "text";
  whole.length = std::max<std::int64_t>(0, std::min(rows, whole.children[0].length));
  const std::vector<Column> batches{whole, whole.slice(whole.length / 2, whole.length - whole.length / 2)};
  const test::Alive alive = test::count_alive();
  test::MemoryFiles files;
  const auto again = attempt(alive, [&] { return arrow_documents(test::factory_of(batches, alive)); });
  for (const std::size_t memory : {std::size_t{64} << 20, std::size_t{4}}) {
    const auto once = attempt(alive, [&] {
      return arrow_documents(test::stream_of(batches, alive), {}, kFields, {.memory_bytes = memory, .files = &files});
    });
    require(once == again);
  }
  return 0;
}
