#include "search/ignore.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <unordered_map>

#include "base/system.h"
#include "corpus/bad_records.h"
#include "corpus/census.h"
#include "corpus/definition_for.h"
#include "join/common_tokens.h"
#include "neardup/error.h"

namespace neardup::search {
namespace {

using corpus::SetHash;
using features::Group;
using features::IgnoredFeatures;
using features::key_in_group;
using joins::CommonToken;

struct FeatureColumn final : corpus::ColumnOf<std::vector<Feature>> {
  std::vector<Feature> features;
  void look(const corpus::CensusRecord& record, const std::vector<std::string>&, std::vector<Feature>& out) override {
    out.insert(out.end(), record.set.begin(), record.set.end());
  }
  void take_part(std::vector<Feature>& part, const corpus::FiledBatch&) override {
    features.insert(features.end(), part.begin(), part.end());
  }
};

// One request to count.
class Counting {
 public:
  Counting(const IgnoreOptions& options, std::span<corpus::Corpus> sides, std::span<const IgnoreColumn> columns,
           SeenSets& seen, const Context& context)
      : options_(options), sides_(sides), seen_(seen), context_(context) {
    find_twins(columns);
    count_documents();
    if (options.texts) listed_ = IgnoredFeatures(features_of(*options.texts, sides.front().definition, context));
  }

  std::vector<CommonToken> run() {
    if (seen_.streams != nullptr && seen_.streams->is_complete()) return in_streams();
    return by_visiting();
  }
  // By side and unit, where streams were reduced.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& removed() const { return removed_; }
  [[nodiscard]] const IgnoredFeatures& listed() const { return listed_; }
  [[nodiscard]] const std::vector<std::pair<Unit, Unit>>& twins() const { return twins_; }

 private:
  // A set of the right side that the left one has too counts once, on the left, and in that one's group.
  void find_twins(std::span<const IgnoreColumn> columns) {
    repeated_.resize(sides_.size());
    if (sides_.size() < 2) return;
    const auto less = [](const std::pair<SetHash, Unit>& a, const std::pair<SetHash, Unit>& b) {
      return std::pair(a.first.high, a.first.low) < std::pair(b.first.high, b.first.low);
    };
    std::vector<std::pair<SetHash, Unit>> left;
    for (const Unit unit : all<Unit>(columns[0].hashes.size())) left.emplace_back(columns[0].hashes[unit], unit);
    std::ranges::sort(left, less);
    repeated_[1].resize(sides_[1].units.units());
    for (const Unit unit : all<Unit>(columns[1].hashes.size())) {
      const std::pair<SetHash, Unit> wanted{columns[1].hashes[unit], unit};
      const auto found = std::ranges::lower_bound(left, wanted, less);
      if (found == left.end() || found->first != wanted.first) continue;
      repeated_[1][index(unit)] = 1;
      twins_.emplace_back(found->second, unit);
      if (!sides_[1].units.group.empty()) sides_[1].units.group[unit] = sides_[0].units.group[found->second];
    }
  }

  void count_documents() {
    if (!options_.common) return;
    std::map<Group, std::uint64_t> documents;
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      const corpus::Units& units = sides_[side].units;
      for (const Unit unit : all<Unit>(units.units()))
        if (!is_repeated(side, unit)) ++documents[units.group_of(unit)];
    }
    for (const auto& [group, count] : documents) {
      const CommonLimit& limit = *options_.common;
      __extension__ using Wide = unsigned __int128;
      const Wide most = Wide{limit.most.num} * (limit.is_share ? count : 1) / limit.most.den;
      most_.emplace_back(group, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most)));
    }
  }

  [[nodiscard]] bool is_repeated(std::size_t side, Unit unit) const {
    return !repeated_[side].empty() && repeated_[side][index(unit)] != 0;
  }

  std::vector<CommonToken> in_streams() {
    joins::CommonTokensRequest request{.sides = {}, .most_of_group = most_, .listed = &listed_};
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      const corpus::Units& units = sides_[side].units;
      request.sides.push_back({.unit_of_number = units.unit_of_row.values(),
                               .units = units.units(),
                               .group = units.group.values(),
                               .is_repeated = repeated_[side]});
    }
    joins::CommonTokens common = joins::drop_common_tokens(*seen_.streams, request, context_);
    removed_ = std::move(common.removed);
    return std::move(common.tokens);
  }

  template <class Part, class Look, class Take>
  void visit(const Look& look, const Take& take) {
    const corpus::KeptSets none;
    for (std::uint32_t side = 0; side < sides_.size(); ++side) {
      corpus::visit_sets<Part>(
          sides_[side], seen_.kept.empty() ? none : seen_.kept[side], "counting", [](Unit) { return true; },
          [&, side] {
            return [&, side](corpus::VisitedSet& set, Unit unit, Part& part) {
              const Group group = sides_[side].units.group_of(unit);
              for (const Feature feature : set.set()) look(CommonToken{feature, group, 1, side, unit}, part);
            };
          },
          take, context_);
    }
  }

  // First roughly, in counters that several features share; then exactly, those that may be common.
  std::vector<CommonToken> by_visiting() {
    std::unordered_map<Group, std::uint64_t> most(most_.begin(), most_.end());
    const auto most_of = [&](Group group) { return most.empty() ? UINT64_MAX : most.at(group); };
    std::uint64_t features = 0;
    for (const corpus::Corpus& side : sides_) features += side.units.features();
    constexpr std::uint64_t kLeast = 1u << 10;
    const std::uint64_t affordable = std::max<std::uint64_t>(kLeast, base::memory_left(context_) / 32);
    std::vector<std::uint32_t> counters(
        most_.empty() ? 1 : std::bit_floor(std::clamp<std::uint64_t>(2 * features, kLeast, affordable)));
    Reservation memory = base::reservation(context_);
    memory.hold(counters.size() * sizeof(std::uint32_t));
    const auto counter_of = [&](const CommonToken& token) {
      return std::atomic_ref(counters[base::mix64(key_in_group(token.token, token.group)) & (counters.size() - 1)]);
    };
    struct Nothing {};
    if (!most_.empty()) {
      visit<Nothing>(
          [&](const CommonToken& token, Nothing&) {
            if (!is_repeated(token.side, token.unit)) counter_of(token).fetch_add(1, std::memory_order_relaxed);
          },
          [](Nothing&) {});
    }
    std::unordered_map<std::uint64_t, CommonToken> exact;
    visit<std::vector<CommonToken>>(
        [&](const CommonToken& token, std::vector<CommonToken>& part) {
          if (counter_of(token).load(std::memory_order_relaxed) > most_of(token.group) ||
              listed_.contains(token.token, 0)) {
            part.push_back(token);
            if (is_repeated(token.side, token.unit)) part.back().sets = 0;
          }
        },
        [&](std::vector<CommonToken>& part) {
          for (const CommonToken& token : part) {
            const auto [at, is_new] = exact.try_emplace(key_in_group(token.token, token.group), token);
            if (!is_new) at->second.sets += token.sets;
          }
          constexpr std::size_t kBytesPerFeature = 72;
          memory.hold(counters.size() * sizeof(std::uint32_t) + exact.size() * kBytesPerFeature);
        });
    std::vector<CommonToken> common;
    for (const auto& [key, token] : exact)
      if (token.sets > most_of(token.group) || listed_.contains(token.token, 0)) common.push_back(token);
    return common;
  }

  const IgnoreOptions& options_;
  std::span<corpus::Corpus> sides_;
  SeenSets& seen_;
  const Context& context_;
  std::vector<std::vector<std::uint8_t>> repeated_;  // by side and unit
  std::vector<std::pair<Unit, Unit>> twins_;
  std::vector<std::pair<Group, std::uint64_t>> most_;
  IgnoredFeatures listed_;
  std::vector<std::vector<std::uint32_t>> removed_;
};

// Makes units as small as their sets have become.
void resize_units(corpus::Corpus& corpus, PerUnit<std::uint32_t> left) {
  corpus.units.whole_size = std::exchange(corpus.units.size, std::move(left));
  corpus.memory.hold(corpus.memory_bytes());
}

// Takes the features out of what was kept, or counts how many are left.
void reduce(const std::shared_ptr<const IgnoredFeatures>& ignored, unsigned side, corpus::Corpus& corpus,
            SeenSets& seen, const Context& context) {
  if (!seen.kept.empty() && seen.kept[side].keeps_all(corpus)) {
    resize_units(corpus, seen.kept[side].reduce(corpus, *ignored, context));
  } else {
    PerUnit<std::uint32_t> left(corpus.units.units());
    using Sizes = std::vector<std::pair<Unit, std::uint32_t>>;
    corpus::visit_sets<Sizes>(
        corpus, corpus::KeptSets(), "counting", [](Unit) { return true; },
        [&] {
          return [&](corpus::VisitedSet& set, Unit unit, Sizes& sizes) {
            const Group group = corpus.units.group_of(unit);
            const auto counts = [&](Feature feature) { return !ignored->contains(feature, group); };
            sizes.emplace_back(unit, static_cast<std::uint32_t>(std::ranges::count_if(set.set(), counts)));
          };
        },
        [&](const Sizes& sizes) {
          for (const auto& [unit, size] : sizes) left[unit] = size;
        },
        context);
    resize_units(corpus, std::move(left));
  }
  corpus.ignored = ignored;
}

void add_to(IgnoreReport& report, const corpus::Units& units) {
  for (const Row row : all<Row>(units.rows())) {
    if (!units.has_unit(row)) continue;
    const Unit unit = units.unit_of_row[row];
    report.documents += units.size[unit] != units.whole_size[unit] ? 1 : 0;
    report.left_without_features += units.size[unit] == 0 ? 1 : 0;
  }
}

// Each feature once, whatever its groups.
std::vector<IgnoredPlace> places_of(const std::vector<CommonToken>& common) {
  std::unordered_map<Feature, IgnoredPlace> places;
  for (const CommonToken& token : common) {
    const auto [at, is_new] = places.try_emplace(token.token, IgnoredPlace{token.token, 0, token.side, token.unit});
    at->second.sets += token.sets;
    if (std::pair(token.side, token.unit) < std::pair(at->second.side, at->second.unit)) {
      at->second.side = token.side;
      at->second.unit = token.unit;
    }
  }
  std::vector<IgnoredPlace> all;
  for (const auto& [feature, place] : places) all.push_back(place);
  return all;
}

}  // namespace

std::vector<Feature> features_of(const Collection& texts, const Definition& definition, const Context& context) {
  const bool wants_sets = definition.features.kind == FeatureKind::tokens;
  const FeatureSpec spec = corpus::features_for(texts, wants_sets ? FeatureSpec{} : definition.features);
  if ((spec.kind == FeatureKind::tokens) != wants_sets)
    throw Error(ErrorCode::usage, "`sets` inputs and texts have no features in common; give one kind only", "ignore");
  FeatureColumn column;
  corpus::Column* const columns[] = {&column};
  corpus::BadRecordLog bad(OnBadRecord::fail, {}, {});
  corpus::take_census(texts, definition, {}, bad, columns, context);
  std::vector<Feature> scratch;
  sort_unique(column.features, scratch);
  return std::move(column.features);
}

void Ignored::save(base::StateWriter& out) const {
  out.value(features != nullptr);
  if (features != nullptr) features->save(out);
  out.value(report.features);
  out.value(report.documents);
  out.value(report.left_without_features);
  out.value<std::uint64_t>(report.texts.size());
  for (const IgnoredText& text : report.texts) {
    out.text(text.text);
    out.value(text.documents);
  }
}

void Ignored::load(base::StateReader& in) {
  if (in.flag()) {
    IgnoredFeatures loaded;
    loaded.load(in);
    features = std::make_shared<const IgnoredFeatures>(std::move(loaded));
  }
  report.features = in.value<std::uint64_t>();
  report.documents = in.value<std::uint64_t>();
  report.left_without_features = in.value<std::uint64_t>();
  for (std::size_t left = in.count(1); left > 0; --left) {
    IgnoredText text{.text = in.text()};
    text.documents = in.value<std::uint64_t>();
    report.texts.push_back(std::move(text));
  }
}

Ignored ignore_features(const IgnoreOptions& options, std::span<corpus::Corpus> sides, std::span<IgnoreColumn> columns,
                        SeenSets& seen, const Context& context) {
  for (std::size_t side = 0; side < sides.size(); ++side) sides[side].units.group = std::move(columns[side].groups);
  Counting counting(options, sides, columns, seen, context);
  const std::vector<CommonToken> common = counting.run();
  std::vector<std::uint64_t> keys;
  for (const CommonToken& token : common) keys.push_back(key_in_group(token.token, token.group));
  counting.listed().append_to(keys);
  Ignored ignored{.features = std::make_shared<const IgnoredFeatures>(std::move(keys)), .report = {}};
  for (unsigned side = 0; side < sides.size(); ++side) {
    corpus::Corpus& corpus = sides[side];
    if (counting.removed().empty()) {
      reduce(ignored.features, side, corpus, seen, context);
    } else {
      PerUnit<std::uint32_t> left = corpus.units.size;
      for (const Unit unit : all<Unit>(left.size())) left[unit] -= counting.removed()[side][index(unit)];
      resize_units(corpus, std::move(left));
      corpus.ignored = ignored.features;
    }
    add_to(ignored.report, corpus.units);
  }
  for (const auto& [left, right] : counting.twins())
    if (sides[0].units.size[left] == 0) seen.twins.emplace_back(left, right);
  std::vector<IgnoredPlace> places = places_of(common);
  ignored.report.features = places.size();
  ignored.report.texts = find_ignored_texts(sides, std::move(places), *ignored.features, context);
  return ignored;
}

void ignore_known(Ignored& ignored, corpus::Corpus& corpus, IgnoreColumn& column, SeenSets& seen,
                  const Context& context) {
  corpus.units.group = std::move(column.groups);
  if (seen.streams != nullptr && seen.streams->is_complete()) {
    const joins::CommonTokensRequest request{.sides = {{.unit_of_number = corpus.units.unit_of_row.values(),
                                                        .units = corpus.units.units(),
                                                        .group = corpus.units.group.values(),
                                                        .is_repeated = {}}},
                                             .most_of_group = {},
                                             .listed = ignored.features.get()};
    const joins::CommonTokens common = joins::drop_common_tokens(*seen.streams, request, context);
    PerUnit<std::uint32_t> left = corpus.units.size;
    for (const Unit unit : all<Unit>(left.size())) left[unit] -= common.removed[0][index(unit)];
    resize_units(corpus, std::move(left));
    corpus.ignored = ignored.features;
  } else {
    reduce(ignored.features, 0, corpus, seen, context);
  }
  ignored.report.documents = ignored.report.left_without_features = 0;
  add_to(ignored.report, corpus.units);
}

}  // namespace neardup::search
