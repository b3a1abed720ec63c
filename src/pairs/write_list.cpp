#include "pairs/write_list.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/tsv.h"
#include "io/formats/csv.h"
#include "report/lists.h"

namespace neardup::pairs {
namespace {

// Puts the cells of a row together.
class RowWriter {
 public:
  RowWriter(std::vector<std::string> names, report::ListOutput& out) : names_(std::move(names)), out_(out) {
    if (out.format() == "jsonl") {
      append_ = &RowWriter::append_json;
      for (std::string& name : names_) {
        std::string key;
        base::append_json_string(key, name);
        name = key + ':';
      }
      return;
    }
    append_ = out.format() == "csv" ? &RowWriter::append_csv : &RowWriter::append_tsv;
    for (const std::string& name : names_) text(name);
    end();
  }

  void text(std::string_view value) { (this->*append_)(value, Cell::text); }
  void number(std::string_view value) { (this->*append_)(value, Cell::number); }
  void end() {
    line_ += append_ == &RowWriter::append_json ? "}\n" : "\n";
    out_.write(line_);
    line_.clear();
    column_ = 0;
  }

 private:
  enum class Cell { text, number };

  void append_tsv(std::string_view value, Cell) {
    if (column_++ > 0) line_ += '\t';
    base::append_escaped(line_, value);
  }
  void append_csv(std::string_view value, Cell) {
    if (column_++ > 0) line_ += ',';
    io::append_csv_field(line_, value, io::CsvDialect{});
  }
  void append_json(std::string_view value, Cell cell) {
    line_ += column_ == 0 ? '{' : ',';
    line_ += names_[column_++];
    if (cell == Cell::number) {
      line_ += value;
    } else {
      base::append_json_string(line_, value);
    }
  }

  std::vector<std::string> names_;  // of the columns
  report::ListOutput& out_;
  void (RowWriter::*append_)(std::string_view, Cell) = nullptr;
  std::string line_;
  std::size_t column_ = 0;
};

// Calls its arguments with the places of fields, those of both sides in turn.
template <class Left, class Right>
void in_turn(const ShownFields& fields, const Left& left, const Right& right) {
  for (std::size_t i = 0; i < std::max(fields.left.size(), fields.right.size()); ++i) {
    if (i < fields.left.size()) left(i);
    if (i < fields.right.size()) right(i);
  }
}

std::vector<std::string> column_names(const ShownFields& fields) {
  std::vector<std::string> names{"left", "right", "score"};
  in_turn(
      fields, [&](std::size_t i) { names.push_back("left_" + fields.left[i]); },
      [&](std::size_t i) { names.push_back("right_" + fields.right[i]); });
  return names;
}

}  // namespace

ShownFields shown_fields(const PairsListOptions& options) {
  return {.left = options.show, .right = options.against_show.value_or(options.show)};
}

std::vector<corpus::NamedRows> collect_names(const Searched& searched, const ShownFields& fields,
                                             const PairsOptions& options, const Context& context) {
  const bool is_one = searched.sides.size() == 1;
  std::vector<PerRow<bool>> wanted;
  for (const corpus::Corpus& side : searched.sides) wanted.emplace_back(side.units.rows());
  searched.for_each(options, [&](const Pair& pair) {
    wanted.front()[row_of(pair.left)] = true;
    wanted.back()[row_of(pair.right)] = true;
  });
  std::vector<corpus::NamedRows> named;
  for (std::size_t s = 0; s < searched.sides.size(); ++s)
    named.push_back(
        corpus::collect_names(searched.sides[s], wanted[s], s == 0 || is_one ? fields.left : fields.right, context));
  return named;
}

std::uint64_t write_list(const Searched& searched, const PairsOptions& options, const ShownFields& fields,
                         const std::vector<corpus::NamedRows>& named, report::ListOutput& out,
                         const std::function<void(const Pair&)>& visit) {
  RowWriter row(column_names(fields), out);
  const report::ScoreFormat format(searched.applied.definition.measure);
  std::uint64_t count = 0;
  searched.for_each(options, [&](const Pair& pair) {
    ++count;
    if (visit) visit(pair);
    if (out.reader_left()) return;
    const Row left = row_of(pair.left), right = row_of(pair.right);
    row.text(named.front().names[left]);
    row.text(named.back().names[right]);
    row.number(format(pair.score));
    in_turn(
        fields, [&](std::size_t i) { row.text(named.front().fields[i][left]); },
        [&](std::size_t i) { row.text(named.back().fields[i][right]); });
    row.end();
  });
  out.close();
  return count;
}

}  // namespace neardup::pairs
