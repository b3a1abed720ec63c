#include "dedup/same.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "authority/url_keys.h"
#include "base/document_text.h"
#include "base/system.h"
#include "corpus/census.h"
#include "corpus/names.h"
#include "dedup/keep_column.h"
#include "dedup/read.h"

namespace neardup::dedup {
namespace {

using corpus::SetHash;

constexpr Row kNoRow{0xffffffff};

authority::UrlRules url_rules(const std::string& path, const Context& context) {
  if (path.empty()) return authority::default_url_rules();
  const auto mapped = base::files(context).map(path);
  const std::span<const char> bytes = mapped->bytes();
  return authority::parse_url_rules({bytes.data(), bytes.size()}, path);
}

// The keys of every record, one after another; zero: none.
class KeyColumn final : public corpus::ColumnOf<std::vector<SetHash>> {
 public:
  KeyColumn(const DedupOptions& options, const Context& context)
      : keys_(options.same), rules_(url_rules(options.url_rules, context)), memory_(base::reservation(context)) {}

  [[nodiscard]] std::vector<std::string> fields() const override {
    std::vector<std::string> out;
    for (const SameKey& key : keys_)
      if (!key.field.empty()) out.push_back(key.field);
    return out;
  }
  [[nodiscard]] const SetHash& of(Row row, std::size_t key) const { return hashes_[index(row) * keys_.size() + key]; }

 private:
  void look(const corpus::CensusRecord& record, const std::vector<std::string>& fields,
            std::vector<SetHash>& out) override {
    for (const SameKey& key : keys_) out.push_back(record.document == nullptr ? SetHash{} : hash(key, record, fields));
  }
  void take_part(std::vector<SetHash>& part, const corpus::FiledBatch& batch) override {
    hashes_.insert(hashes_.end(), part.begin(), part.end());
    corpus::hold_for_records(memory_, hashes_.capacity() * sizeof(SetHash), batch.so_far);
  }

  [[nodiscard]] SetHash hash(const SameKey& key, const corpus::CensusRecord& record,
                             const std::vector<std::string>& fields) const {
    std::string buffer;
    std::string_view bytes;
    if (key.kind == SameKey::Kind::bytes) {
      bytes = record.raw;
    } else if (key.kind == SameKey::Kind::text) {
      bytes = base::whole_text(*record.document, buffer);
    } else {
      const auto value = cluster::field_value(*record.document, fields, key.field);
      if (!value) return {};
      bytes = *value;
      if (key.kind == SameKey::Kind::url) bytes = buffer = authority::url_key(*value, rules_);
    }
    return bytes.empty() ? SetHash{} : corpus::hash_bytes({bytes.data(), bytes.size()});
  }

  const std::vector<SameKey>& keys_;
  authority::UrlRules rules_;
  std::vector<SetHash> hashes_;
  Reservation memory_;
};

corpus::Corpus read_keys(const Plan& plan, const Collection& collection, std::span<corpus::Column* const> columns,
                         const Context& context) {
  corpus::BadRecordLog bad(plan.options.on_bad_record, {}, {});
  return corpus::take_census(collection, plan.definition, {.units = corpus::UnitsAre::single_rows}, bad, columns,
                             context);
}

// The first document with each key.
class FirstWithKey {
 public:
  FirstWithKey(const KeyColumn& keys, std::size_t key, std::size_t rows) {
    for (const Row row : all<Row>(rows)) {
      if (keys.of(row, key) == SetHash{}) continue;
      if (numbers_.number(keys.of(row, key)).second) rows_.push_back(row);
    }
  }
  // kNoRow: there is none.
  [[nodiscard]] Row find(const SetHash& hash) const {
    const Unit number = numbers_.find(hash);
    return index(number) == base::kNoNumber ? kNoRow : rows_[number];
  }

 private:
  corpus::UnitNumbering numbers_;
  PerUnit<Row> rows_;
};

// One stage: of the documents that are left and have the same key, the preferred one stays.
void settle(const KeyColumn& keys, std::size_t key, const cluster::KeepTable& keep, SameDocuments& same) {
  corpus::UnitNumbering numbers;
  PerUnit<Row> best;
  const auto takes_part = [&](Row row) { return !same.is_removed(row) && !(keys.of(row, key) == SetHash{}); };
  for (const Row row : all<Row>(same.key.size())) {
    if (!takes_part(row)) continue;
    const auto [number, is_new] = numbers.number(keys.of(row, key));
    if (is_new) {
      best.push_back(row);
    } else if (keep.prefers(index(row), index(best[number]))) {
      best[number] = row;
    }
  }
  for (const Row row : all<Row>(same.key.size())) {
    if (!takes_part(row)) continue;
    const Row winner = best[numbers.find(keys.of(row, key))];
    if (winner == row) continue;
    same.kept_as[row] = winner;
    same.key[row] = static_cast<std::uint8_t>(key + 1);
  }
}

void settle_other(const KeyColumn& keys, const FirstWithKey& others, std::size_t key, SameDocuments& same) {
  for (const Row row : all<Row>(same.key.size())) {
    if (same.is_removed(row) || keys.of(row, key) == SetHash{}) continue;
    const Row other = others.find(keys.of(row, key));
    if (other == kNoRow) continue;
    same.other.push_back({index(row), index(other), std::numeric_limits<double>::quiet_NaN()});
    same.key[row] = static_cast<std::uint8_t>(key + 1);
  }
}

}  // namespace

SameDocuments find_same(const Plan& plan, report::RunFrame& frame, const Context& context) {
  KeyColumn keys(plan.options, context), other_keys(plan.options, context);
  SameDocuments same;
  if (plan.against != nullptr) {
    corpus::Column* const columns[] = {&other_keys};
    same.other_corpus = std::make_unique<const corpus::Corpus>(read_keys(plan, *plan.against, columns, context));
  }
  cluster::KeepTable keep(plan.keep);
  Reservation memory = base::reservation(context);
  KeepColumn keep_column(keep, memory);
  corpus::Column* const columns[] = {&keys, &keep_column};
  const corpus::Corpus corpus = read_keys(plan, plan.collection, columns, context);
  if (keep.wants_authority()) rank(plan, corpus, keep, frame, context);
  const std::size_t rows = corpus.units.rows();
  same.kept_as.resize(rows);
  for (const Row row : all<Row>(rows)) same.kept_as[row] = row;
  same.key.resize(rows);
  for (std::size_t key = 0; key < plan.options.same.size(); ++key) {
    if (same.other_corpus != nullptr)
      settle_other(keys, FirstWithKey(other_keys, key, same.other_corpus->units.rows()), key, same);
    if (!plan.options.against_only) settle(keys, key, keep, same);
  }
  // A representative may have been removed by a later key.
  for (const Row row : all<Row>(rows))
    while (same.kept_as[same.kept_as[row]] != same.kept_as[row]) same.kept_as[row] = same.kept_as[same.kept_as[row]];
  std::ranges::sort(same.other, {}, &AgainstMatch::row);
  return same;
}

void add_key_matches(const Plan& plan, const SameDocuments& same, search::Against& against, const Context& context) {
  const std::size_t rows = same.key.size();
  against.set_aside.resize(rows);
  constexpr DocId kNone = std::numeric_limits<DocId>::max();
  std::vector<AgainstMatch> found(rows, {0, kNone, 0});
  for (const AgainstMatch& match : against.matches)
    if (!same.is_removed(row_of(match.row))) found[match.row] = match;
  for (const AgainstMatch& match : same.other) found[match.row] = match;
  against.matches.clear();
  for (const Row row : all<Row>(rows)) {
    AgainstMatch match = found[index(same.kept_as[row])];
    against.set_aside[row] = match.other != kNone;
    if (match.other == kNone) continue;
    if (same.kept_as[row] != row) match.score = std::numeric_limits<double>::quiet_NaN();
    match.row = index(row);
    against.matches.push_back(match);
  }
  if (against.records == 0) {
    against.records = same.other_corpus->units.rows();
    against.bad = same.other_corpus->facts.bad;
  }
  if (!plan.needs_scores) return;
  PerRow<bool> wanted(same.other_corpus->units.rows());
  for (const AgainstMatch& match : against.matches) wanted[row_of(match.other)] = true;
  against.names = corpus::collect_names(*same.other_corpus, wanted, context);
}

PerRow<bool> left_out(const SameDocuments* same, const search::Against* against, std::size_t rows) {
  PerRow<bool> out(rows);
  for (const Row row : all<Row>(rows))
    out[row] = (same != nullptr && same->is_removed(row)) || (against != nullptr && against->set_aside[row]);
  return out;
}

Clusters with_same(const Clusters& clusters, const SameDocuments& same, const corpus::Units& units) {
  std::vector<Clusters::Member> representatives(clusters.rows());
  for (const Row row : all<Row>(clusters.rows())) {
    const bool is_same = units.status[row] == RowStatus::same_key;
    representatives[index(row)] =
        static_cast<Clusters::Member>(clusters.representative(index(is_same ? same.kept_as[row] : row)));
  }
  return Clusters(std::move(representatives), units.status.values());
}

}  // namespace neardup::dedup
