#include "index/verifying.h"

#include <fmt/format.h>

#include "base/system.h"
#include "neardup/error.h"

namespace neardup::indexing {
namespace {

class RowVerifier {
 public:
  RowVerifier(const LedgerView& ledger, VerifyReport& report, const Context& context)
      : ledger_(ledger), report_(report), context_(context) {}

  void verify() {
    each(Table::documents, "documents", [&](std::string_view key, std::string_view row) { document(key, row); });
    each(Table::keys, "keys", [&](std::string_view key, std::string_view) { user_key(key); });
    each(Table::units, "units", [&](std::string_view key, std::string_view row) { unit(key, row); });
    each(Table::groups, "groups", [&](std::string_view key, std::string_view) { group(number_at(key)); });
    counters();
  }

 private:
  static constexpr std::size_t kMostProblems = 100;

  void say(std::string problem) {
    if (report_.problems.size() < kMostProblems) report_.problems.push_back(std::move(problem));
  }

  // Damage of a row ends the check of that row only.
  template <class Check>
  void each(Table table, std::string_view name, const Check& check) {
    try {
      ledger_.store().scan(table, {}, {}, [&](std::string_view key, std::string_view row) {
        base::check_stop(context_);
        try {
          check(key, row);
        } catch (const Error& error) {
          say(fmt::format("{}: {}", name, error.what()));
        }
        return true;
      });
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      say(fmt::format("{}: {}", name, error.what()));
    }
  }

  void document(std::string_view key, std::string_view bytes) {
    const Sequence sequence = number_at(key);
    const DocumentRow row = decode_document(sequence, bytes, ledger_.rules().content);
    ++seen_.documents;
    seen_.without_features += row.unit == 0 ? 1 : 0;
    if (ledger_.find(row.key) != sequence) say(fmt::format("document {}: its key leads to another one", sequence));
    if (row.keep.size() != ledger_.rules().order.columns())
      say(fmt::format("document {}: it has {} keep values", sequence, row.keep.size()));
    if (row.unit == 0) return;
    if (!ledger_.content(row.unit)) return say(fmt::format("document {}: its unit is missing", sequence));
    const bool is_plain = !ledger_.explicit_place(row.unit);
    if (is_plain && row.unit != sequence) say(fmt::format("document {}: its unit does not have it", sequence));
    // A fingerprint is in the row of the document that founded its unit; sets have rows of their own.
    seen_.units += row.unit == sequence && !ledger_.rules().content.compares_sets() ? 1 : 0;
    std::string member;
    if (!is_plain &&
        !ledger_.store().get(Table::members, key_of(row.unit) + ledger_.rules().order.key(row, sequence), member))
      say(fmt::format("document {}: its unit does not have it", sequence));
  }

  void user_key(std::string_view key) {
    const std::optional<Sequence> sequence = ledger_.find(key);
    if (!sequence || !ledger_.document(*sequence)) say(fmt::format("key \"{}\": its document is missing", key));
  }

  void unit(std::string_view key, std::string_view bytes) {
    RowReader in(bytes, "units");
    static_cast<void>(ledger_.rules().content.read(in));
    in.finish();
    const UnitId unit = number_at(key);
    ++seen_.units;
    static_cast<void>(ledger_.best(unit));
  }

  void group(GroupId id) {
    const GroupRow row = ledger_.group(id);
    std::uint64_t units = 0, documents = 0;
    KeepPlace best;
    ledger_.each_unit(id, 0, [&](UnitId unit) {
      const UnitPlace place = ledger_.place(unit);
      ++units;
      documents += place.documents;
      if (place.group != id) say(fmt::format("cluster {}: unit {} is elsewhere", row.name, unit));
      KeepPlace own = ledger_.best(unit);
      if (best.document == 0 || own < best) best = std::move(own);
      return true;
    });
    if (units != row.units || documents != row.documents) say(fmt::format("cluster {}: wrong counts", row.name));
    if (best.document != row.kept) say(fmt::format("cluster {}: it keeps the wrong document", row.name));
    if (ledger_.named(row.name) != id) say(fmt::format("cluster {}: its name leads elsewhere", row.name));
    if (row.documents < 2) return;
    ++seen_.clusters;
    seen_.clustered += row.documents;
  }

  void counters() {
    const Counters stored = ledger_.counters();
    const auto compare = [&](const char* what, std::uint64_t is, std::uint64_t should) {
      if (is != should) say(fmt::format("counters: {} {}, but there are {}", is, what, should));
    };
    compare("documents", stored.documents, seen_.documents);
    compare("documents without features", stored.without_features, seen_.without_features);
    compare("units", stored.units, seen_.units);
    compare("clusters", stored.clusters, seen_.clusters);
    compare("clustered documents", stored.clustered, seen_.clustered);
    report_.documents = seen_.documents;
    report_.units = seen_.units;
  }

  const LedgerView& ledger_;
  VerifyReport& report_;
  const Context& context_;
  Counters seen_{};
};

}  // namespace

void verify_rows(const LedgerView& ledger, VerifyReport& report, const Context& context) {
  RowVerifier(ledger, report, context).verify();
}

}  // namespace neardup::indexing
