#include "advise/sample.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <utility>

#include "base/document_text.h"
#include "base/random.h"
#include "base/system.h"
#include "base/utf8.h"
#include "corpus/bad_records.h"
#include "corpus/survey.h"
#include "neardup/sketch.h"

namespace neardup::advising {
namespace {

constexpr std::size_t kLongestText = 64u << 10;  // bytes that are kept of a text
constexpr std::size_t kTextBytes = 16u << 20;    // of all texts that are kept
constexpr std::uint64_t kLongSet = 512;          // features; such documents can lose half of them

// A document as the thread that read it saw it.
struct SeenDocument {
  std::uint64_t lot, text_hash, set_hash, simhash;
  std::uint32_t full_size, kept;  // `kept`: features in SeenBatch::features
  std::uint64_t text_bytes;
  std::string text;  // empty: not kept
};
struct SeenBatch {
  std::vector<SeenDocument> documents;
  std::vector<Feature> features;
};

// What of a collection is still wanted. Limits only fall, so that an old value costs a copy and nothing else.
struct Limits {
  std::atomic<std::uint64_t> lots{~std::uint64_t{0}}, text_lots{~std::uint64_t{0}}, feature_mask{0};
};

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = base::mix64(bytes.size() + 1);
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::copy_n(bytes.data(), 8, reinterpret_cast<char*>(&word));
    hash = base::mix64(hash ^ word) + word;
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) hash = base::mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

std::uint64_t hash_of_set(std::span<const Feature> set) {
  std::uint64_t sum = 0;
  for (const Feature feature : set) sum += base::mix64(feature);
  return base::mix64(sum ^ base::mix64(set.size()));
}

class Visit {
 public:
  Visit(const Definition& definition, std::uint64_t seed, const Limits& limits)
      : sketcher_(definition), seed_(seed), limits_(&limits) {}

  void operator()(const corpus::SurveyedRecord& record, SeenBatch& out) {
    const std::uint64_t lot = base::mix64(seed_ ^ base::mix64(index(record.row) + std::uint64_t{1}));
    if (record.document == nullptr || lot > limits_->lots.load(std::memory_order_relaxed)) return;
    const DocumentView& document = *record.document;
    base::copy_document(document, copy_);
    const std::span<const Feature> set = sketcher_.set(document);
    SeenDocument seen{.lot = lot,
                      .text_hash = copy_.tokens.empty() ? hash_of(copy_.text) : hash_of_set(set),
                      .set_hash = hash_of_set(set),
                      .simhash = set.empty() ? 0 : simhash(simhash_sums(set)).bits,
                      .full_size = static_cast<std::uint32_t>(set.size()),
                      .kept = 0,
                      .text_bytes = copy_.text.size(),
                      .text = {}};
    if (lot <= limits_->text_lots.load(std::memory_order_relaxed))
      seen.text = base::cut_to_code_point(copy_.text, kLongestText);
    const std::uint64_t mask = limits_->feature_mask.load(std::memory_order_relaxed);
    for (const Feature feature : set) {
      if ((feature & mask) != 0) continue;
      out.features.push_back(feature);
      ++seen.kept;
    }
    out.documents.push_back(std::move(seen));
  }

 private:
  Sketcher sketcher_;
  std::uint64_t seed_;
  const Limits* limits_;
  Document copy_;
};

class Taker {
 public:
  Taker(const SampleLimits& limits, const Context& context) : limits_(limits), memory_(base::reservation(context)) {}

  Limits& current() { return current_; }

  void take(SeenBatch& batch) {
    const Feature* next = batch.features.data();
    for (SeenDocument& document : batch.documents) {
      const std::span<const Feature> kept(next, document.kept);
      next += document.kept;
      if (document.lot <= current_.lots) add(document, kept);
    }
    while (features_ > limits_.features || documents_.size() > limits_.documents) shrink();
    memory_.hold(features_ * sizeof(Feature) + units_.size() * 128 + documents_.size() * sizeof(Taken) + text_bytes_);
  }

  Sample finish() {
    Sample sample;
    sample.share = static_cast<double>(current_.lots) / 0x1p64;
    sample.feature_sampling = static_cast<unsigned>(current_.feature_mask + 1);
    sample.documents = documents_.size();
    std::unordered_map<std::uint64_t, std::uint32_t> groups;
    for (const Taken& taken : documents_) {
      const auto [place, is_new] = groups.emplace(taken.text_hash, static_cast<std::uint32_t>(groups.size()));
      if (is_new) sample.text_groups.push_back(0);
      ++sample.text_groups[place->second];
      sample.without_features += taken.unit == kNone ? 1 : 0;
      sample.sampled_text_bytes += taken.text_bytes;
    }
    for (const SampledUnit& unit : units_) sample.features += unit.full_size;
    sample.units = std::move(units_);
    for (auto& [lot, text] : texts_) sample.texts.push_back(std::move(text));
    sample.memory = std::move(memory_);
    return sample;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Taken {
    std::uint64_t lot, text_hash, set_hash, text_bytes;
    std::uint32_t unit;
  };

  void add(SeenDocument& document, std::span<const Feature> set) {
    std::uint32_t unit = kNone;
    if (document.full_size > 0) {
      const auto [place, is_new] = unit_of_.emplace(document.set_hash, static_cast<std::uint32_t>(units_.size()));
      unit = place->second;
      if (is_new) {
        units_.push_back({{}, document.full_size, document.simhash, 0});
        std::ranges::copy_if(set, std::back_inserter(units_.back().set),
                             [&](Feature f) { return (f & current_.feature_mask) == 0; });
        features_ += units_.back().set.size();
      }
      ++units_[unit].documents;
    }
    documents_.push_back({document.lot, document.text_hash, document.set_hash, document.text_bytes, unit});
    if (document.lot > current_.text_lots || document.text.empty()) return;
    text_bytes_ += document.text.size();
    texts_.emplace_back(document.lot, std::move(document.text));
    while (texts_.size() > limits_.texts || text_bytes_ > kTextBytes) shrink_texts();
  }

  void shrink() {
    const bool is_long = features_ > kLongSet * units_.size();
    if (features_ > limits_.features && is_long) return drop_features();
    current_.lots = current_.lots / 2;
    std::erase_if(documents_, [&](const Taken& taken) { return taken.lot > current_.lots; });
    for (SampledUnit& unit : units_) unit.documents = 0;
    std::vector<SampledUnit> left;
    unit_of_.clear();
    features_ = 0;
    for (Taken& taken : documents_) {
      if (taken.unit == kNone) continue;
      const auto [place, is_new] = unit_of_.emplace(taken.set_hash, static_cast<std::uint32_t>(left.size()));
      if (is_new) {
        left.push_back(std::move(units_[taken.unit]));
        features_ += left.back().set.size();
      }
      taken.unit = place->second;
      ++left[taken.unit].documents;
    }
    units_ = std::move(left);
  }

  void drop_features() {
    current_.feature_mask = current_.feature_mask * 2 + 1;
    features_ = 0;
    for (SampledUnit& unit : units_) {
      std::erase_if(unit.set, [&](Feature f) { return (f & current_.feature_mask) != 0; });
      unit.set.shrink_to_fit();
      features_ += unit.set.size();
    }
  }

  void shrink_texts() {
    current_.text_lots = current_.text_lots / 2;
    std::erase_if(texts_, [&](const auto& text) { return text.first > current_.text_lots; });
    text_bytes_ = 0;
    for (const auto& [lot, text] : texts_) text_bytes_ += text.size();
  }

  SampleLimits limits_;
  Limits current_;
  std::vector<Taken> documents_;
  std::vector<SampledUnit> units_;
  std::unordered_map<std::uint64_t, std::uint32_t> unit_of_;  // by hash of the set
  std::vector<std::pair<std::uint64_t, std::string>> texts_;
  std::uint64_t features_ = 0, text_bytes_ = 0;
  Reservation memory_;
};

}  // namespace

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

Sample draw_sample(const Collection& collection, const Definition& definition, const SampleLimits& limits,
                   OnBadRecord on_bad_record, const Context& context) {
  const double begin = cpu_seconds();
  Taker taker(limits, context);
  corpus::BadRecordLog bad(on_bad_record, {}, {});
  ReadFacts facts;
  corpus::ContentHash content(collection);
  corpus::survey_collection<SeenBatch>(
      collection, {.stage = "sampling"}, bad, [&] { return Visit(definition, limits.seed, taker.current()); },
      [&](const io::RecordBatch&, SeenBatch& batch) { taker.take(batch); }, facts, content, context);
  Sample sample = taker.finish();
  facts.without_features = sample.without_features;
  sample.facts = std::move(facts);
  sample.cpu_seconds = cpu_seconds() - begin;
  return sample;
}

}  // namespace neardup::advising
