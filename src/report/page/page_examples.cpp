#include "report/page/page_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/json.h"
#include "base/utf8.h"
#include "report/page/page_diff.h"

namespace neardup::report {
namespace {

constexpr std::size_t kNameBytes = 300, kOpeningBytes = 600;

// Removed documents, least similar first; ties in input order.
class BySimilarity {
 public:
  BySimilarity(const PageLists& lists, bool is_distance) : lists_(lists), is_distance_(is_distance) {}

  [[nodiscard]] std::tuple<double, Row> key(Row row) const {
    const double score = lists_.score(row);
    if (std::isnan(score)) return {-HUGE_VAL, row};
    return {is_distance_ ? -score : score, row};
  }
  [[nodiscard]] std::vector<Row> removed(std::size_t cluster) const {
    std::vector<std::tuple<double, Row>> keys;
    for (const Clusters::Member member : lists_.clusters[cluster])
      if (!lists_.clusters.is_kept(member)) keys.push_back(key(Row{member}));
    std::sort(keys.begin(), keys.end());
    std::vector<Row> rows;
    for (const auto& [score, row] : keys) rows.push_back(row);
    return rows;
  }

 private:
  const PageLists& lists_;
  bool is_distance_;
};

PageExample example_of(const PageLists& lists, std::size_t cluster) {
  const auto members = lists.clusters[cluster];
  return {.kept = row_of(lists.clusters.representative(members.front())), .documents = members.size(), .removed = {}};
}

std::vector<std::size_t> largest_clusters(const Clusters& clusters, std::size_t count) {
  std::vector<std::size_t> order(clusters.size());
  for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
  count = std::min(count, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [&](std::size_t c) { return std::pair(~std::uint64_t{clusters[c].size()}, c); });
  order.resize(count);
  return order;
}

// At most `count`, from the first to the last, evenly spread.
std::vector<Row> spread(const std::vector<Row>& rows, std::size_t count) {
  if (rows.size() <= count) return rows;
  std::vector<Row> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(rows[count == 1 ? 0 : i * (rows.size() - 1) / (count - 1)]);
  return out;
}

void choose_doubtful(const PageLists& lists, const BySimilarity& order, const std::set<std::size_t>& taken,
                     std::size_t count, PageExamples& out) {
  if (count == 0) return;
  std::vector<std::tuple<double, Row, std::size_t>> worst;  // a heap, the most similar one on top
  for (std::size_t c = 0; c < lists.clusters.size(); ++c) {
    if (taken.contains(c)) continue;
    std::tuple<double, Row> least{HUGE_VAL, Row{0}};
    for (const Clusters::Member member : lists.clusters[c])
      if (!lists.clusters.is_kept(member)) least = std::min(least, order.key(Row{member}));
    worst.emplace_back(std::get<0>(least), std::get<1>(least), c);
    std::push_heap(worst.begin(), worst.end());
    if (worst.size() <= count) continue;
    std::pop_heap(worst.begin(), worst.end());
    worst.pop_back();
  }
  std::sort_heap(worst.begin(), worst.end());
  for (const auto& [score, row, cluster] : worst) {
    out.doubtful.push_back(example_of(lists, cluster));
    out.doubtful.back().removed = {row};
  }
}

// With the decimals of the lists, from which an earlier run's page is made.
std::string as_listed(double score) { return fmt::format("{}", std::round(score * 1e6) / 1e6); }

void append_name(std::string& out, std::string_view name) {
  const std::string_view cut = base::cut_to_code_point(name, kNameBytes);
  base::append_json_string(out, cut.size() == name.size() ? std::string(cut) : std::string(cut) + "…");
}

std::string removed_json(Row row, const PageLists& lists, const ShownDocument* kept, const ShownDocument* removed,
                         const Context& context) {
  std::string out = "{\"id\":";
  append_name(out, lists.name(row));
  const double score = lists.score(row);
  out += fmt::format(",\"score\":{},\"rule\":", std::isnan(score) ? "null" : as_listed(score));
  append_name(out, lists.rule(row));
  if (kept != nullptr && removed != nullptr)
    out += ",\"diff\":" + page_diff(kept->text, removed->text, kept->is_whole && removed->is_whole, context);
  return out + "}";
}

}  // namespace

std::vector<Row> PageExamples::rows() const {
  std::vector<Row> out;
  for (const auto* list : {&largest, &doubtful}) {
    for (const PageExample& example : *list) {
      out.push_back(example.kept);
      out.insert(out.end(), example.removed.begin(), example.removed.end());
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

PageExamples choose_examples(const PageLists& lists, bool is_distance, const PageExampleLimits& limits) {
  const BySimilarity order(lists, is_distance);
  PageExamples out;
  std::set<std::size_t> taken;
  for (const std::size_t c : largest_clusters(lists.clusters, limits.largest)) {
    taken.insert(c);
    out.largest.push_back(example_of(lists, c));
    out.largest.back().removed = spread(order.removed(c), limits.removed);
  }
  choose_doubtful(lists, order, taken, limits.doubtful, out);
  return out;
}

std::vector<std::string> examples_json(const std::vector<PageExample>& examples, const PageLists& lists,
                                       const std::map<Row, ShownDocument>& shown, const Context& context) {
  const auto document = [&](Row row) {
    const auto found = shown.find(row);
    return found == shown.end() ? nullptr : &found->second;
  };
  std::vector<std::string> all;
  for (const PageExample& example : examples) {
    const ShownDocument* kept = document(example.kept);
    std::string out = "{\"kept\":";
    append_name(out, lists.name(example.kept));
    out += fmt::format(",\"documents\":{},\"opening\":", example.documents);
    base::append_json_string(out,
                             kept == nullptr ? std::string_view() : base::cut_to_code_point(kept->text, kOpeningBytes));
    out += ",\"removed\":[";
    for (std::size_t i = 0; i < example.removed.size(); ++i) {
      const Row row = example.removed[i];
      out += (i == 0 ? "" : ",") + removed_json(row, lists, kept, document(row), context);
    }
    all.push_back(out + "]}");
  }
  return all;
}

std::string apart_json(const ShownDocument& left, const ShownDocument& right, double score, const Context& context) {
  std::string out = "{\"left\":";
  append_name(out, left.name);
  out += ",\"right\":";
  append_name(out, right.name);
  return out + fmt::format(",\"score\":{},\"diff\":", as_listed(score)) +
         page_diff(left.text, right.text, left.is_whole && right.is_whole, context) + "}";
}

}  // namespace neardup::report
