#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "index/code_segment.h"
#include "index/merge_plan.h"
#include "index/unit_search.h"
#include "neardup/hamming.h"

namespace neardup::indexing {
namespace {

using CodeSegmentPointer = std::shared_ptr<const CodeSegment>;

// Fingerprints that were added last.
struct RecentCodes {
  MutableHammingIndex index;
  std::vector<CodeEntry> entries;  // ascending units

  void insert(UnitId unit, std::uint64_t bits) {
    index.insert(unit, bits);
    entries.push_back({unit, bits});
  }
  [[nodiscard]] UnitId first() const { return entries.front().unit; }
  [[nodiscard]] UnitId last() const { return entries.back().unit; }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return index.memory_bytes() + entries.capacity() * sizeof(CodeEntry);
  }
  void candidates(std::uint64_t bits, unsigned distance, std::vector<UnitId>& out) const {
    FoundUnits found(out);
    index.search(std::span(&bits, 1), {.distance = distance}, found, {});
  }
  void candidates(std::span<const std::uint64_t> bits, unsigned distance, std::span<std::vector<UnitId>> out) const {
    FoundByQuery found(out, 0, nullptr);
    index.search(bits, {.distance = distance}, found, {.threads = 1});
  }
};

struct CodeParts {
  std::vector<CodeSegmentPointer> segments;                // ascending ranges, all of them files
  std::vector<std::shared_ptr<const RecentCodes>> sealed;  // to be written
};

class CodeSearch final : public UnitSearch {
 public:
  explicit CodeSearch(const SearchParts& parts)
      : store_(parts.store),
        rules_(parts.rules),
        folder_(parts.folder),
        limits_(parts.limits),
        context_(parts.context),
        distance_(static_cast<unsigned>(rules_.definition().threshold.num)),
        parts_(std::make_shared<CodeParts>()),
        active_(std::make_shared<RecentCodes>()) {
    load();
  }

  void candidates(const Content& content, std::vector<UnitId>& out) const override {
    out.clear();
    std::shared_ptr<const CodeParts> parts;
    {
      const std::shared_lock lock(mutex_);
      parts = parts_;
      active_->candidates(content.bits, distance_, out);
    }
    for (const auto& codes : parts->sealed) codes->candidates(content.bits, distance_, out);
    for (const CodeSegmentPointer& segment : parts->segments) segment->candidates(content.bits, out);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  void candidates_of_all(std::span<const Content> contents, std::vector<std::vector<UnitId>>& out) const override {
    std::vector<std::uint64_t> bits;
    for (const Content& content : contents) bits.push_back(content.bits);
    out.assign(contents.size(), {});
    std::shared_ptr<const CodeParts> parts;
    {
      const std::shared_lock lock(mutex_);
      parts = parts_;
      active_->candidates(bits, distance_, out);
    }
    for (const auto& codes : parts->sealed) codes->candidates(bits, distance_, out);
    for (const CodeSegmentPointer& segment : parts->segments) segment->candidates(bits, out);
    for (std::vector<UnitId>& units : out) {
      std::sort(units.begin(), units.end());
      units.erase(std::unique(units.begin(), units.end()), units.end());
    }
  }

  void insert(UnitId unit, const Content& content) override {
    const std::unique_lock lock(mutex_);
    active_->insert(unit, content.bits);
    if (active_->entries.size() >= limits_.recent_codes) seal_active();
  }
  [[nodiscard]] UnitId last_unit() const override {
    const std::shared_lock lock(mutex_);
    if (!active_->entries.empty()) return active_->last();
    if (!parts_->sealed.empty()) return parts_->sealed.back()->last();
    return parts_->segments.empty() ? 0 : parts_->segments.back()->facts().last;
  }
  void committed(UnitId up_to) override { committed_.store(up_to, std::memory_order_release); }
  void seal() override {
    const std::unique_lock lock(mutex_);
    if (!active_->entries.empty()) seal_active();
  }

  // A reader beside a writer keeps everything in memory.
  [[nodiscard]] bool has_work() const override {
    const std::shared_lock lock(mutex_);
    return folder_.can_write() && (committed_sealed(*parts_) != 0 || plan_merge(sizes_of(*parts_), limits_) != 0);
  }

  void maintain() override {
    const std::lock_guard maintaining(maintenance_);
    const std::shared_ptr<const CodeParts> parts = current();
    if (committed_sealed(*parts) != 0) {
      write_sealed(*parts);
    } else if (const std::size_t count = plan_merge(sizes_of(*parts), limits_); count != 0) {
      merge(*parts, parts->segments.size() - count);
    }
  }

  void flush() override {
    const std::lock_guard maintaining(maintenance_);
    if (const auto parts = current(); committed_sealed(*parts) != 0) write_sealed(*parts);
  }

  // Of the entries of all segments only those that the store still has are written again.
  void compact() override {
    flush();
    const std::lock_guard maintaining(maintenance_);
    const auto parts = current();
    if (parts->segments.empty()) return;
    const UnitId first = parts->segments.front()->facts().first, last = parts->segments.back()->facts().last;
    std::vector<CodeEntry> entries;
    for_each_stored(*store_.snapshot(), first, [&](UnitId unit, std::uint64_t bits) {
      if (unit <= last) entries.push_back({unit, bits});
    });
    replace(0, parts->segments.size(), 0, first, last, entries);
  }

  void run_undisturbed(const std::function<void()>& action) override {
    const std::lock_guard maintaining(maintenance_);
    action();
  }

  [[nodiscard]] SearchFacts facts() const override {
    const std::shared_lock lock(mutex_);
    SearchFacts facts;
    facts.recent = active_->entries.size();
    facts.memory_bytes = active_->memory_bytes();
    for (const auto& codes : parts_->sealed) {
      facts.recent += codes->entries.size();
      facts.memory_bytes += codes->memory_bytes();
    }
    for (const CodeSegmentPointer& segment : parts_->segments) {
      ++facts.segments;
      facts.segment_bytes += segment->bytes().size();
      facts.memory_bytes += segment->memory_bytes();
    }
    return facts;
  }

 private:
  [[nodiscard]] std::shared_ptr<const CodeParts> current() const {
    const std::shared_lock lock(mutex_);
    return parts_;
  }
  static std::vector<PartSize> sizes_of(const CodeParts& parts) {
    std::vector<PartSize> sizes;
    for (const CodeSegmentPointer& segment : parts.segments) sizes.push_back({segment->facts().units, 0});
    return sizes;
  }
  [[nodiscard]] std::size_t committed_sealed(const CodeParts& parts) const {
    const UnitId limit = committed_.load(std::memory_order_acquire);
    std::size_t count = 0;
    while (count < parts.sealed.size() && parts.sealed[count]->last() <= limit) ++count;
    return count;
  }
  // Precondition: mutex_ is held, and there is something to seal.
  void seal_active() {
    auto parts = std::make_shared<CodeParts>(*parts_);
    parts->sealed.push_back(std::exchange(active_, std::make_shared<RecentCodes>()));
    parts_ = std::move(parts);
  }

  void write_sealed(const CodeParts& parts) {
    const std::size_t count = committed_sealed(parts);
    std::vector<CodeEntry> entries;
    for (std::size_t i = 0; i < count; ++i)
      entries.insert(entries.end(), parts.sealed[i]->entries.begin(), parts.sealed[i]->entries.end());
    const std::size_t end = parts.segments.size();
    replace(end, end, count, entries.front().unit, entries.back().unit, entries);
  }

  void merge(const CodeParts& parts, std::size_t begin) {
    std::vector<CodeEntry> entries;
    for (std::size_t i = begin; i < parts.segments.size(); ++i) parts.segments[i]->append_entries(entries);
    replace(begin, parts.segments.size(), 0, parts.segments[begin]->facts().first, parts.segments.back()->facts().last,
            entries);
  }

  // Puts one segment in the place of others and of the first sealed parts.
  void replace(std::size_t begin, std::size_t end, std::size_t sealed, UnitId first, UnitId last,
               std::span<const CodeEntry> entries) {
    const std::uint64_t number = folder_.write(build_code_segment(first, last, entries, folder_.definition()));
    const CodeSegmentPointer segment = open_segment(number);
    const auto at = [](std::size_t place) { return static_cast<std::ptrdiff_t>(place); };
    {
      const std::unique_lock lock(mutex_);
      auto changed = std::make_shared<CodeParts>(*parts_);
      auto& segments = changed->segments;
      segments.erase(segments.begin() + at(begin), segments.begin() + at(end));
      segments.insert(segments.begin() + at(begin), segment);
      changed->sealed.erase(changed->sealed.begin(), changed->sealed.begin() + at(sealed));
      parts_ = std::move(changed);
    }
    std::vector<SegmentName> names = folder_.segments();
    names.erase(names.begin() + at(begin), names.begin() + at(end));
    names.insert(names.begin() + at(begin), {number, first, last});
    folder_.replace(std::move(names));
  }

  [[nodiscard]] CodeSegmentPointer open_segment(std::uint64_t number) const {
    return std::make_shared<CodeSegment>(folder_.open(number), folder_.definition(), distance_, context_);
  }

  // Units from `first` on, ascending. Most are in the rows of the documents that founded them.
  template <class Visit>
  void for_each_stored(const StoreView& view, UnitId first, const Visit& visit) const {
    std::vector<CodeEntry> entries;
    view.scan(Table::documents, {}, key_of(first), [&](std::string_view key, std::string_view bytes) {
      const DocumentRow row = decode_document(number_at(key), bytes, rules_);
      if (row.unit == number_at(key)) entries.push_back({row.unit, row.content->bits});
      return true;
    });
    const auto middle = static_cast<std::ptrdiff_t>(entries.size());
    view.scan(Table::units, {}, key_of(first), [&](std::string_view key, std::string_view bytes) {
      RowReader in(bytes, "units");
      entries.push_back({number_at(key), rules_.read(in).bits});
      return true;
    });
    const auto before = [](const CodeEntry& a, const CodeEntry& b) { return a.unit < b.unit; };
    std::inplace_merge(entries.begin(), entries.begin() + middle, entries.end(), before);
    for (const CodeEntry& entry : entries) visit(entry.unit, entry.bits);
  }

  void load() {
    auto parts = std::make_shared<CodeParts>();
    for (const SegmentName& name : folder_.segments()) {
      parts->segments.push_back(open_segment(name.number));
      const SegmentFacts& facts = parts->segments.back()->facts();
      if (facts.first != name.first || facts.last != name.last)
        parts->segments.back()->bytes().fail("it covers other units than the list says");
    }
    parts_ = parts;
    const UnitId begin = folder_.segments().empty() ? 1 : folder_.segments().back().last + 1;
    for_each_stored(store_, begin, [&](UnitId unit, std::uint64_t bits) {
      active_->insert(unit, bits);
      committed_ = unit;
      if (active_->entries.size() >= limits_.recent_codes) seal_active();
    });
  }

  const Store& store_;
  const ContentRules& rules_;
  SegmentFolder& folder_;
  SearchLimits limits_;
  Context context_;
  unsigned distance_;
  std::atomic<UnitId> committed_ = 0;
  std::mutex maintenance_;
  mutable std::shared_mutex mutex_;  // guards what follows; never held for long
  std::shared_ptr<const CodeParts> parts_;
  std::shared_ptr<RecentCodes> active_;
};

}  // namespace

std::unique_ptr<UnitSearch> make_code_search(const SearchParts& parts) { return std::make_unique<CodeSearch>(parts); }

}  // namespace neardup::indexing
