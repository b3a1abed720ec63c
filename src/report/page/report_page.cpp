#include "report/page/report_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_writer.h"
#include "base/system.h"
#include "base/utf8.h"
#include "report/page/bounded_json.h"
#include "report/page/page_template.h"

namespace neardup::report {
namespace {

using base::JsonValue;

// Sizes above a thousand by their first three digits, so that there are only a few thousand different ones.
std::uint64_t rounded_size(std::uint64_t size) {
  std::uint64_t unit = 1;
  while (size / unit >= 1000) unit *= 10;
  return size / unit * unit;
}

std::string cut_text(std::string_view text) {
  constexpr std::size_t kBytes = 500;
  const std::string_view cut = base::cut_to_code_point(text, kBytes);
  return cut.size() == text.size() ? std::string(cut) : std::string(cut) + "…";
}

std::string bad_json(const std::vector<BadRecord>& bad) {
  base::JsonWriter json;
  json.begin_object();
  json.objects("bad", bad, [&](const BadRecord& record) {
    json.members({{"path", cut_text(record.path)}, {"line", record.number}, {"reason", cut_text(record.reason)}});
  });
  json.end_object();
  std::string text = json.text();
  return text.substr(text.find('['), text.rfind(']') + 1 - text.find('['));
}

// As many as fit; they come already safe for a script.
std::string list_within(const std::vector<std::string>& elements, std::size_t& bytes_left) {
  std::string out = "[";
  for (const std::string& element : elements) {
    const std::string safe = script_safe(element);
    if (safe.size() + 1 > bytes_left) break;
    bytes_left -= safe.size() + 1;
    out += (out.size() == 1 ? "" : ",\n") + safe;
  }
  return out + "]";
}

}  // namespace

ReportPage::ReportPage(const PageRequest& request, const Context& context) : request_(request) {
  if (!request.threshold) return;
  curve_.emplace(request.measure, *request.threshold, request.rows, request.counts_clusters,
                 base::reservation(context));
  removed_at_step_.resize(curve_->thresholds().size());
}

ReportPage::~ReportPage() = default;

void ReportPage::add_pair(const Pair& pair) {
  if (curve_) curve_->add(pair);
}

std::vector<Row> ReportPage::choose(const PageLists& lists) {
  for (std::size_t c = 0; c < lists.clusters.size(); ++c) ++clusters_of_size_[rounded_size(lists.clusters[c].size())];
  count_scores(lists);
  examples_ = choose_examples(lists, is_distance(request_.measure));
  return examples_.rows();
}

void ReportPage::count_scores(const PageLists& lists) {
  if (!curve_) return;
  for (std::size_t c = 0; c < lists.clusters.size(); ++c) {
    for (const Clusters::Member member : lists.clusters[c]) {
      if (lists.clusters.is_kept(member)) continue;
      const double score = lists.score(Row{member});
      if (std::isnan(score)) {
        ++without_score_;
      } else {
        ++removed_at_step_[curve_->step_of(score)];
      }
    }
  }
}

void ReportPage::show(const PageLists& lists, const std::map<Row, ShownDocument>& shown, const Context& context) {
  largest_ = examples_json(examples_.largest, lists, shown, context);
  doubtful_ = examples_json(examples_.doubtful, lists, shown, context);
}

void ReportPage::show_apart(const ShownDocument& left, const ShownDocument& right, double score,
                            const Context& context) {
  apart_.push_back(apart_json(left, right, score, context));
}

std::string ReportPage::curve_json() {
  if (!curve_) return "null";
  std::vector<ThresholdStep> steps = curve_->finish();
  if (request_.measure == Measure::overlap) {  // scores have no upper limit
    while (steps.size() > 1 && steps.back().pairs == 0) steps.pop_back();
  }
  const auto column = [&](auto member) {
    std::vector<std::string> values;
    for (const ThresholdStep& step : steps) values.push_back(fmt::format("{}", step.*member));
    return fmt::format("[{}]", fmt::join(values, ","));
  };
  std::string out = fmt::format(R"({{"thresholds":{},"pairs":{},"removed_scores":[{}],"without_score":{})",
                                column(&ThresholdStep::threshold), column(&ThresholdStep::pairs),
                                fmt::join(std::span(removed_at_step_).first(steps.size()), ","), without_score_);
  if (curve_->counts_clusters()) {
    out += fmt::format(R"(,"removed":{},"clusters":{},"largest":{})", column(&ThresholdStep::removed),
                       column(&ThresholdStep::clusters), column(&ThresholdStep::largest));
  }
  return out + fmt::format(R"(,"rounded":{}}})", request_.scores_are_rounded);
}

std::string ReportPage::sizes_json() const {
  std::vector<std::string> sizes;
  for (const auto& [size, count] : clusters_of_size_) sizes.push_back(fmt::format("[{},{}]", size, count));
  return fmt::format("[{}]", fmt::join(sizes, ","));
}

std::string ReportPage::html(std::string_view run_json, const std::vector<BadRecord>& bad) {
  std::string data = "{\"run\":" + script_safe(bounded_json(run_json, "run.json"));
  data += ",\n\"curve\":" + curve_json() + ",\n\"sizes\":" + sizes_json();
  data += ",\n\"bad\":" + script_safe(bad_json(bad));
  data += ",\n\"no_texts\":" + script_safe(JsonValue(cut_text(no_texts_)).text());
  constexpr std::size_t kReserve = 1000;
  const std::size_t taken = page_before_data().size() + page_after_data().size() + data.size() + kReserve;
  std::size_t left = kMostPageBytes - std::min(kMostPageBytes, taken);
  data += ",\n\"largest\":" + list_within(largest_, left);
  data += ",\n\"doubtful\":" + list_within(doubtful_, left);
  data += ",\n\"apart\":" + list_within(apart_, left);
  return std::string(page_before_data()) + data + "}" + std::string(page_after_data());
}

}  // namespace neardup::report
