#include "metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "routes.h"

namespace neardup::server {
namespace {

class Text {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(std::back_inserter(text), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  }
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
    text += '\n';
  }
  template <class Value>
  void single(std::string_view name, std::string_view type, std::string_view help, Value value) {
    family(name, type, help);
    line("{} {}", name, value);
  }
  std::string text;
};

std::string labels_of(std::size_t place) {
  if (place >= routes().size()) return "route=\"none\",method=\"\"";
  const Route& route = routes()[place];
  return fmt::format("route=\"{}\",method=\"{}\"", route.pattern, method_name(route.method));
}

void add_index(Text& out, const IndexStats& stats) {
  out.single("neardup_index_documents", "gauge", "Documents in the index.", stats.documents);
  out.single("neardup_index_units", "gauge", "Distinct feature sets or fingerprints.", stats.units);
  out.single("neardup_index_clusters", "gauge", "Clusters of two documents and more.", stats.clusters);
  out.single("neardup_index_clustered_documents", "gauge", "Documents in these clusters.", stats.clustered);
  out.single("neardup_index_segments", "gauge", "Segment files.", stats.segments);
  out.single("neardup_index_recent_units", "gauge", "Units that are searched in memory.", stats.recent);
  out.single("neardup_index_truth_bytes", "gauge", "Stored documents on disk.", stats.truth_bytes);
  out.single("neardup_index_segment_bytes", "gauge", "Segments on disk.", stats.segment_bytes);
  out.single("neardup_index_memory_bytes", "gauge", "Search structures in memory.", stats.memory_bytes);
}

}  // namespace

void Metrics::count(std::size_t route, int status, std::chrono::nanoseconds duration) {
  Route& counted = routes_[std::min(route, routes_.size() - 1)];
  const auto* const found = std::ranges::find(kStatuses, status);
  const auto place = static_cast<std::size_t>(found - kStatuses.begin());
  constexpr auto kRelaxed = std::memory_order_relaxed;
  if (place < kStatuses.size()) counted.statuses[place].fetch_add(1, kRelaxed);
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  const auto bucket = std::ranges::lower_bound(kBounds, microseconds) - kBounds.begin();
  counted.buckets[static_cast<std::size_t>(bucket)].fetch_add(1, kRelaxed);
  counted.nanoseconds.fetch_add(static_cast<std::uint64_t>(duration.count()), kRelaxed);
}

std::string Metrics::text(const IndexStats& stats, bool is_writable) const {
  static_assert(kMostRoutes > 1);
  const std::size_t rows = std::min(routes().size() + 1, kMostRoutes);
  Text out;
  out.family("neardup_http_requests_total", "counter", "Requests by route and status.");
  for (std::size_t route = 0; route < rows; ++route)
    for (std::size_t i = 0; i < kStatuses.size(); ++i)
      if (const std::uint64_t n = routes_[route].statuses[i].load())
        out.line("neardup_http_requests_total{{{},status=\"{}\"}} {}", labels_of(route), kStatuses[i], n);
  constexpr std::string_view kDuration = "neardup_http_request_duration_seconds";
  out.family(kDuration, "histogram", "From the end of a request to its response, including the time in queues.");
  for (std::size_t route = 0; route < rows; ++route) {
    std::uint64_t total = 0;
    for (const auto& bucket : routes_[route].buckets) total += bucket.load();
    if (total == 0) continue;
    const std::string labels = labels_of(route);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      sum += routes_[route].buckets[i].load();
      out.line("{}_bucket{{{},le=\"{}\"}} {}", kDuration, labels, kBounds[i] / 1e6, sum);
    }
    out.line("{}_bucket{{{},le=\"+Inf\"}} {}", kDuration, labels, total);
    out.line("{}_sum{{{}}} {}", kDuration, labels, static_cast<double>(routes_[route].nanoseconds.load()) / 1e9);
    out.line("{}_count{{{}}} {}", kDuration, labels, total);
  }
  out.single("neardup_http_connections", "gauge", "Open connections.", connections.load());
  out.single("neardup_http_connections_refused_total", "counter", "Connections beyond the limit.",
             refused_connections.load());
  out.single("neardup_http_queue_requests", "gauge", "Requests that wait for a thread.", waiting.load());
  out.single("neardup_index_calls_total", "counter", "Calls of the index for requests with documents.",
             commit_calls.load());
  out.single("neardup_index_call_requests_total", "counter", "Requests that these calls answered.",
             commit_requests.load());
  out.single("neardup_index_writable", "gauge", "1: the index accepts changes.", is_writable ? 1 : 0);
  add_index(out, stats);
  return std::move(out.text);
}

}  // namespace neardup::server
