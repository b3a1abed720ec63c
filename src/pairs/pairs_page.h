// What does a page show of a list of pairs?
#pragma once

#include <utility>
#include <vector>

#include "neardup/pair.h"
#include "pairs/search.h"
#include "report/page/report_page.h"

namespace neardup::pairs {

report::PageRequest page_request(const Searched&);

// Counts all pairs by their scores, and shows the least similar ones with their texts.
class PairsPage {
 public:
  // Both must outlive this object.
  PairsPage(report::ReportPage& page, const Searched& searched) : page_(page), searched_(searched) {}

  void add(const Pair&);  // in the order of the list
  // Reads the sides again for texts.
  void show(const Context&);

 private:
  report::ReportPage& page_;
  const Searched& searched_;
  std::vector<std::pair<double, Pair>> least_;  // a heap by similarity, the most similar one on top
};

}  // namespace neardup::pairs
