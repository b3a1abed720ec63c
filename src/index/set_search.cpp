#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <utility>

#include "index/merge_plan.h"
#include "index/recent_sets.h"
#include "index/set_segment.h"
#include "index/unit_search.h"

namespace neardup::indexing {
namespace {

using SegmentPointer = std::shared_ptr<const SetSegment>;

// What readers see at one moment, besides the sets that are being added.
struct SetParts {
  std::vector<SegmentPointer> segments;                   // ascending ranges; files first
  std::vector<std::shared_ptr<const RecentSets>> sealed;  // full, to become a segment
};

class SetSearch final : public UnitSearch {
 public:
  explicit SetSearch(const SearchParts& parts)
      : store_(parts.store),
        rules_(parts.rules),
        folder_(parts.folder),
        limits_(parts.limits),
        parts_(std::make_shared<SetParts>()),
        active_(std::make_shared<RecentSets>(rules_.verifier(), limits_, nullptr)) {
    load();
  }

  void candidates(const Content& content, std::vector<UnitId>& out) const override {
    out.clear();
    std::shared_ptr<const SetParts> parts;
    {
      const std::shared_lock lock(mutex_);
      parts = parts_;
      active_->candidates(content.set, out);
    }
    for (const auto& sets : parts->sealed) sets->candidates(content.set, out);
    for (const SegmentPointer& segment : parts->segments) segment->candidates(content.set, rules_.verifier(), out);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  void insert(UnitId unit, const Content& content) override {
    const std::unique_lock lock(mutex_);
    active_->insert(unit, content.set);
    if (active_->is_full()) seal_active();
  }

  [[nodiscard]] UnitId last_unit() const override {
    const std::shared_lock lock(mutex_);
    if (active_->units() != 0) return active_->last();
    if (!parts_->sealed.empty()) return parts_->sealed.back()->last();
    return parts_->segments.empty() ? 0 : parts_->segments.back()->facts().last;
  }
  void committed(UnitId up_to) override { committed_.store(up_to, std::memory_order_release); }

  [[nodiscard]] bool has_work() const override {
    const std::shared_lock lock(mutex_);
    return committed_sealed(*parts_) != 0 || plan_merge(sizes_of(*parts_), limits_) != 0;
  }

  void maintain() override {
    const std::lock_guard maintaining(maintenance_);
    const std::shared_ptr<const SetParts> parts = current();
    if (committed_sealed(*parts) != 0) {
      harden(*parts);
    } else if (const std::size_t count = plan_merge(sizes_of(*parts), limits_); count != 0) {
      merge(*parts, parts->segments.size() - count, parts->segments.size());
    }
  }

  void seal() override {
    const std::unique_lock lock(mutex_);
    if (active_->units() != 0) seal_active();
  }

  void flush() override {
    const std::lock_guard maintaining(maintenance_);
    if (const auto parts = current(); committed_sealed(*parts) != 0) harden(*parts);
    const auto parts = current();
    const auto in_memory = std::find_if(parts->segments.begin(), parts->segments.end(),
                                        [](const SegmentPointer& segment) { return !segment->bytes().is_file(); });
    if (in_memory == parts->segments.end()) return;
    merge(*parts, static_cast<std::size_t>(in_memory - parts->segments.begin()), parts->segments.size(), true);
  }

  void compact() override {
    flush();
    const std::lock_guard maintaining(maintenance_);
    const auto parts = current();
    // Neighbours become one file as long as that is not too large.
    std::size_t end = parts->segments.size();
    while (end > 0) {
      std::size_t begin = end - 1;
      std::uint64_t features = parts->segments[begin]->facts().features;
      while (begin > 0 && features + parts->segments[begin - 1]->facts().features <= limits_.most_features)
        features += parts->segments[--begin]->facts().features;
      merge(*current(), begin, end, true);
      end = begin;
    }
  }

  void run_undisturbed(const std::function<void()>& action) override {
    const std::lock_guard maintaining(maintenance_);
    action();
  }

  [[nodiscard]] SearchFacts facts() const override {
    const std::shared_lock lock(mutex_);
    SearchFacts facts;
    facts.recent = active_->units();
    facts.memory_bytes = active_->memory_bytes();
    for (const auto& sets : parts_->sealed) {
      facts.recent += sets->units();
      facts.memory_bytes += sets->memory_bytes();
    }
    for (const SegmentPointer& segment : parts_->segments) {
      const bool is_file = segment->bytes().is_file();
      facts.segments += is_file ? 1 : 0;
      facts.recent += is_file ? 0 : segment->facts().units;
      (is_file ? facts.segment_bytes : facts.memory_bytes) += segment->bytes().size();
    }
    return facts;
  }

 private:
  [[nodiscard]] std::shared_ptr<const SetParts> current() const {
    const std::shared_lock lock(mutex_);
    return parts_;
  }

  static std::vector<PartSize> sizes_of(const SetParts& parts) {
    std::vector<PartSize> sizes;
    for (const SegmentPointer& segment : parts.segments)
      sizes.push_back({segment->facts().units, segment->facts().features});
    return sizes;
  }

  // Precondition: mutex_ is held, and there is something to seal.
  void seal_active() {
    auto parts = std::make_shared<SetParts>(*parts_);
    const SegmentPointer guide = parts->segments.empty() ? nullptr : parts->segments.back();
    auto fresh = std::make_shared<RecentSets>(rules_.verifier(), limits_, guide);
    parts->sealed.push_back(std::exchange(active_, std::move(fresh)));
    parts_ = std::move(parts);
  }

  [[nodiscard]] SegmentPointer in_memory(std::string body) const {
    return std::make_shared<SetSegment>(CheckedBytes::hold(std::move(body), "a segment in memory"),
                                        folder_.definition());
  }
  // A file that is not in the list yet.
  [[nodiscard]] SegmentPointer in_file(const std::string& body, std::uint64_t& number) const {
    number = folder_.write(body);
    return open_segment(number);
  }
  [[nodiscard]] SegmentPointer open_segment(std::uint64_t number) const {
    return std::make_shared<SetSegment>(folder_.open(number), folder_.definition());
  }

  // Segments are merged from what the store has, so nothing becomes one before it was committed.
  [[nodiscard]] std::size_t committed_sealed(const SetParts& parts) const {
    const UnitId limit = committed_.load(std::memory_order_acquire);
    std::size_t count = 0;
    while (count < parts.sealed.size() && parts.sealed[count]->last() <= limit) ++count;
    return count;
  }

  // What was sealed becomes a segment in memory.
  void harden(const SetParts& parts) {
    const std::span sealed = std::span(parts.sealed).first(committed_sealed(parts));
    std::uint64_t features = 0;
    for (const auto& sets : sealed) features += sets->features();
    const SegmentPointer segment = in_memory(build_set_segment(
        sealed.front()->first(), sealed.back()->last(), features,
        [&](const auto& visit) {
          for (const auto& sets : sealed) sets->for_each(visit);
        },
        rules_.verifier(), folder_.definition()));
    const std::unique_lock lock(mutex_);
    auto changed = std::make_shared<SetParts>(*parts_);
    changed->segments.push_back(segment);
    changed->sealed.erase(changed->sealed.begin(),
                          changed->sealed.begin() + static_cast<std::ptrdiff_t>(sealed.size()));
    parts_ = std::move(changed);
  }

  // Units of a range as the store has them, the same at every reading.
  [[nodiscard]] SetStream stored_sets(std::shared_ptr<const StoreView> view, UnitId first, UnitId last) const {
    return [view = std::move(view), first, last](const auto& visit) {
      std::vector<Feature> set;
      view->scan(Table::units, {}, key_of(first), [&](std::string_view key, std::string_view row) {
        const UnitId unit = number_at(key);
        if (unit > last) return false;
        RowReader in(row, "units");
        read_set(in, set);
        visit(unit, set);
        return true;
      });
    };
  }

  // Segments [begin, end) become one, in a file when it is large or `to_file` says so.
  void merge(const SetParts& parts, std::size_t begin, std::size_t end, bool to_file = false) {
    const UnitId first = parts.segments[begin]->facts().first, last = parts.segments[end - 1]->facts().last;
    std::uint64_t features = 0, units = 0;
    for (std::size_t i = begin; i < end; ++i) {
      features += parts.segments[i]->facts().features;
      units += parts.segments[i]->facts().units;
    }
    const std::string body = build_set_segment(first, last, features, stored_sets(store_.snapshot(), first, last),
                                               rules_.verifier(), folder_.definition());
    // The list has no gaps: whatever comes after its last segment is read from the store when the index is opened.
    const bool may_be_file = folder_.can_write() && (begin == 0 || parts.segments[begin - 1]->bytes().is_file());
    const bool is_file = may_be_file && (to_file || units >= limits_.least_file_units);
    std::uint64_t number = 0;
    const SegmentPointer segment = is_file ? in_file(body, number) : in_memory(body);
    replace(begin, end, segment, number);
  }

  // Puts a segment in the place of others, for readers and, if it is a file, in the list.
  void replace(std::size_t begin, std::size_t end, const SegmentPointer& segment, std::uint64_t number) {
    {
      const std::unique_lock lock(mutex_);
      auto changed = std::make_shared<SetParts>(*parts_);
      auto& segments = changed->segments;
      segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(begin),
                     segments.begin() + static_cast<std::ptrdiff_t>(end));
      segments.insert(segments.begin() + static_cast<std::ptrdiff_t>(begin), segment);
      parts_ = std::move(changed);
    }
    if (!segment->bytes().is_file()) return;
    std::vector<SegmentName> names;
    for (const SegmentName& name : folder_.segments())
      if (name.last < segment->facts().first) names.push_back(name);
    names.push_back({number, segment->facts().first, segment->facts().last});
    for (const SegmentName& name : folder_.segments())
      if (name.first > segment->facts().last) names.push_back(name);
    folder_.replace(std::move(names));
  }

  // Segments from files; then what the store has beyond them. Nobody else is there yet.
  void load() {
    auto parts = std::make_shared<SetParts>();
    for (const SegmentName& name : folder_.segments()) {
      parts->segments.push_back(open_segment(name.number));
      const SegmentFacts& facts = parts->segments.back()->facts();
      if (facts.first != name.first || facts.last != name.last)
        parts->segments.back()->bytes().fail("it covers other units than the list says");
    }
    parts_ = parts;
    const UnitId begin = folder_.segments().empty() ? 1 : folder_.segments().back().last + 1;
    std::vector<Feature> set;
    store_.scan(Table::units, {}, key_of(begin), [&](std::string_view key, std::string_view row) {
      RowReader in(row, "units");
      read_set(in, set);
      active_->insert(number_at(key), set);
      committed_ = number_at(key);
      if (active_->is_full()) {
        seal_active();
        while (parts_->sealed.size() >= kSealedAtLoad || plan_merge(sizes_of(*parts_), limits_) != 0) maintain();
      }
      return true;
    });
  }

  // Sealed sets that become one segment while an index is opened.
  static constexpr std::size_t kSealedAtLoad = 8;

  const Store& store_;
  const ContentRules& rules_;
  SegmentFolder& folder_;
  SearchLimits limits_;
  std::atomic<UnitId> committed_ = 0;
  std::mutex maintenance_;           // held by whoever builds segments
  mutable std::shared_mutex mutex_;  // guards what follows; never held for long
  std::shared_ptr<const SetParts> parts_;
  std::shared_ptr<RecentSets> active_;
};

}  // namespace

std::unique_ptr<UnitSearch> make_set_search(const SearchParts& parts) { return std::make_unique<SetSearch>(parts); }

}  // namespace neardup::indexing
