#include "pairs/pairs_page.h"

#include <algorithm>
#include <tuple>

#include "report/write_records.h"

namespace neardup::pairs {
namespace {

constexpr std::size_t kShown = 12;

bool is_less_similar(const std::pair<double, Pair>& a, const std::pair<double, Pair>& b) {
  return std::tuple(a.first, a.second.left, a.second.right) < std::tuple(b.first, b.second.left, b.second.right);
}

}  // namespace

report::PageRequest page_request(const Searched& searched) {
  const Definition& definition = searched.applied.definition;
  return {.measure = definition.measure, .threshold = definition.threshold};
}

void PairsPage::add(const Pair& pair) {
  page_.add_pair(pair);
  least_.emplace_back(is_distance(searched_.applied.definition.measure) ? -pair.score : pair.score, pair);
  std::push_heap(least_.begin(), least_.end(), is_less_similar);
  if (least_.size() <= kShown) return;
  std::pop_heap(least_.begin(), least_.end(), is_less_similar);
  least_.pop_back();
}

void PairsPage::show(const Context& context) {
  std::sort_heap(least_.begin(), least_.end(), is_less_similar);
  std::vector<std::vector<Row>> rows(searched_.sides.size());
  for (const auto& [similarity, pair] : least_) {
    rows.front().push_back(row_of(pair.left));
    rows.back().push_back(row_of(pair.right));
  }
  std::vector<std::map<Row, report::ShownDocument>> shown;
  for (std::size_t s = 0; s < rows.size(); ++s)
    shown.push_back(report::look_up_documents(searched_.sides[s], rows[s], context));
  for (const auto& [similarity, pair] : least_)
    page_.show_apart(shown.front().at(row_of(pair.left)), shown.back().at(row_of(pair.right)), pair.score, context);
}

}  // namespace neardup::pairs
