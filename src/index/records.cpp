#include "index/records.h"

#include <utility>

namespace neardup::indexing {
namespace {

// Flags of a document.
constexpr unsigned kHasUnit = 1, kFoundedUnit = 2, kChosen = 4, kHasHash = 8;

void append_time(std::string& out, std::chrono::sys_time<std::chrono::milliseconds> time) {
  append_fixed(out, static_cast<std::uint64_t>(time.time_since_epoch().count()));
}
std::chrono::sys_time<std::chrono::milliseconds> read_time(RowReader& row) {
  return std::chrono::sys_time<std::chrono::milliseconds>(
      std::chrono::milliseconds(static_cast<std::int64_t>(row.fixed())));
}

}  // namespace

// A unit is named by how long before it was founded: a byte or two where copies come soon. A ready fingerprint without
// fields is its own content, and needs no hash.
std::string encode(Sequence sequence, const DocumentRow& row, const ContentRules& rules) {
  std::string out;
  const bool founded = row.unit == sequence;
  append_varint(out, (row.unit != 0 ? kHasUnit : 0) | (founded ? kFoundedUnit : 0) | (row.is_chosen ? kChosen : 0) |
                         (row.hash != 0 ? kHasHash : 0));
  if (row.unit != 0 && !founded) append_varint(out, sequence - row.unit);
  append_text(out, row.key);
  if (row.hash != 0) append_fixed(out, row.hash);
  append_varint(out, row.keep.size());
  for (const std::uint64_t value : row.keep) append_fixed(out, value);
  if (rules.compares_sets()) {
    append_varint(out, row.features);
  } else if (row.unit != 0) {
    rules.append(out, *row.content);
  }
  return out;
}

DocumentRow decode_document(Sequence sequence, std::string_view bytes, const ContentRules& rules) {
  RowReader in(bytes, "documents");
  DocumentRow row;
  const std::uint64_t flags = in.varint();
  if ((flags & kHasUnit) != 0) row.unit = sequence - ((flags & kFoundedUnit) != 0 ? 0 : in.varint());
  row.is_chosen = (flags & kChosen) != 0;
  row.key = in.text();
  if ((flags & kHasHash) != 0) row.hash = in.fixed();
  const std::uint64_t values = in.varint();
  if (values > in.rest().size() / sizeof(std::uint64_t)) in.fail();
  for (std::uint64_t i = 0; i < values; ++i) row.keep.push_back(in.fixed());
  if (rules.compares_sets()) {
    row.features = in.varint();
  } else if (row.unit != 0) {
    row.content = rules.read(in);
    row.features = 1;
  }
  in.finish();
  return row;
}

std::string encode(const UnitPlace& place) {
  std::string out;
  append_varint(out, place.group);
  append_varint(out, place.documents);
  append_varint(out, place.is_solo ? 1 : 0);
  return out;
}

UnitPlace decode_place(std::string_view bytes) {
  RowReader in(bytes, "places");
  UnitPlace place;
  place.group = in.varint();
  place.documents = in.varint();
  place.is_solo = in.varint() != 0;
  in.finish();
  return place;
}

std::string encode(const GroupRow& group) {
  std::string out;
  append_varint(out, group.name);
  append_varint(out, group.units);
  append_varint(out, group.documents);
  append_varint(out, group.kept);
  append_text(out, group.kept_order);
  return out;
}

GroupRow decode_group(std::string_view bytes) {
  RowReader in(bytes, "groups");
  GroupRow group;
  group.name = in.varint();
  group.units = in.varint();
  group.documents = in.varint();
  group.kept = in.varint();
  group.kept_order = in.text();
  in.finish();
  return group;
}

std::string encode(const Counters& counters) {
  std::string out;
  for (const std::uint64_t value : {counters.next, counters.next_event, counters.next_decision, counters.documents,
                                    counters.without_features, counters.units, counters.clusters, counters.clustered}) {
    append_varint(out, value);
  }
  return out;
}

Counters decode_counters(std::string_view bytes) {
  RowReader in(bytes, "meta");
  Counters counters;
  for (std::uint64_t* value : {&counters.next, &counters.next_event, &counters.next_decision, &counters.documents,
                               &counters.without_features, &counters.units, &counters.clusters, &counters.clustered}) {
    *value = in.varint();
  }
  in.finish();
  return counters;
}

std::string encode(const TextRow& row) {
  std::string out;
  append_text(out, row.text);
  append_varint(out, row.text_ends.size());
  for (const std::uint64_t end : row.text_ends) append_varint(out, end);
  append_varint(out, row.tokens.size());
  for (const std::uint64_t token : row.tokens) append_fixed(out, token);
  append_varint(out, row.fields.size());
  for (const std::optional<std::string>& field : row.fields) {
    append_varint(out, field ? 1 : 0);
    if (field) append_text(out, *field);
  }
  return out;
}

TextRow decode_text(std::string_view bytes) {
  RowReader in(bytes, "texts");
  TextRow row;
  row.text = in.text();
  const auto count = [&] {
    const std::uint64_t some = in.varint();
    if (some > in.rest().size()) in.fail();
    return some;
  };
  for (std::uint64_t left = count(); left > 0; --left) row.text_ends.push_back(in.varint());
  for (std::uint64_t left = count(); left > 0; --left) row.tokens.push_back(in.fixed());
  for (std::uint64_t left = count(); left > 0; --left) {
    row.fields.emplace_back();
    if (in.varint() != 0) row.fields.back() = in.text();
  }
  in.finish();
  return row;
}

std::string encode(const IndexChange& change) {
  std::string out;
  append_time(out, change.time);
  append_varint(out, static_cast<std::uint64_t>(change.kind));
  append_varint(out, change.cluster);
  append_varint(out, change.other);
  append_text(out, change.document);
  append_text(out, change.reason);
  return out;
}

IndexChange decode_change(ChangeToken token, std::string_view bytes) {
  RowReader in(bytes, "events");
  IndexChange change;
  change.token = token;
  change.time = read_time(in);
  const std::uint64_t kind = in.varint();
  if (kind > static_cast<std::uint64_t>(IndexChange::Kind::dissolved)) in.fail();
  change.kind = static_cast<IndexChange::Kind>(kind);
  change.cluster = in.varint();
  change.other = in.varint();
  change.document = in.text();
  change.reason = in.text();
  in.finish();
  return change;
}

std::string encode(const Decision& decision) {
  std::string out;
  append_varint(out, static_cast<std::uint64_t>(decision.kind));
  append_text(out, decision.a);
  append_text(out, decision.b);
  append_text(out, decision.author);
  append_text(out, decision.note);
  append_time(out, decision.time);
  return out;
}

Decision decode_decision(std::uint64_t id, std::string_view bytes) {
  RowReader in(bytes, "decisions");
  Decision decision;
  decision.id = id;
  const std::uint64_t kind = in.varint();
  if (kind > static_cast<std::uint64_t>(Decision::Kind::note)) in.fail();
  decision.kind = static_cast<Decision::Kind>(kind);
  decision.a = in.text();
  decision.b = in.text();
  decision.author = in.text();
  decision.note = in.text();
  decision.time = read_time(in);
  in.finish();
  return decision;
}

std::vector<std::uint64_t> KeepOrder::values(const DocumentView& document,
                                             std::span<const std::string> field_names) const {
  std::vector<cluster::RuleCounts> counts = table_.no_counts();
  return table_.values_of(document, field_names, counts);
}

// Rules in turn, until one that always decides; larger values are preferred, so they are inverted.
std::string KeepOrder::key(const DocumentRow& row, Sequence sequence) const {
  std::string key(1, row.is_chosen ? '\0' : '\1');
  std::size_t column = 0;
  for (const KeepRule& rule : table_.rules()) {
    if (rule.kind == KeepRule::Kind::first) break;
    if (rule.kind == KeepRule::Kind::last) {
      append_key(key, ~sequence);
      return key;
    }
    append_key(key, ~row.keep.at(column++));
  }
  append_key(key, sequence);
  return key;
}

}  // namespace neardup::indexing
