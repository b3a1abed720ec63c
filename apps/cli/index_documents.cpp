// neardup index: what reads, writes and shows documents.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <span>

#include "index_actions.h"
#include "index_lines.h"
#include "neardup/error.h"
#include "summary.h"
#include "summary_parts.h"
#include "words.h"

namespace neardup::cli {
namespace {

// Gathers lines for standard output.
class LineOutput {
 public:
  ~LineOutput() = default;
  void add(std::string_view line) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 16;
    text_ += line;
    text_ += '\n';
    if (text_.size() >= kAtOnce) flush();
  }
  void flush() {
    if (!text_.empty()) print_data(text_);
    text_.clear();
  }

 private:
  std::string text_;
};

// What the index needs of every input, whatever the flags say.
Collection open_inputs(IndexFlags& flags, const Index& index, const Context& context) {
  flags.input.files.inputs.assign(flags.words.begin() + 1, flags.words.end());
  flags.input.check();
  flags.input.read.html = index.options().html;
  flags.input.read.extra_fields = index.fields();
  return Collection::open(flags.input.files, flags.input.read, context);
}

// Fingerprint files are read one after the other, anything else as one collection.
bool has_fingerprints(const IndexFlags& flags) {
  const auto inputs = std::span(flags.words).subspan(1);
  const auto count = std::ranges::count_if(inputs, is_fingerprint_file);
  if (count != 0 && static_cast<std::size_t>(count) != inputs.size())
    usage("fingerprint files (.hex, .fps) and other inputs cannot be combined: give one kind only");
  return count != 0;
}

void add_up(const IndexReport& part, IndexReport& all) {
  all.records += part.records;
  all.without_features += part.without_features;
  all.added += part.added;
  all.unchanged += part.unchanged;
  all.replaced += part.replaced;
  all.conflicts += part.conflicts;
  all.duplicates += part.duplicates;
  all.seconds += part.seconds;
}

using VisitAdded = std::function<void(std::string_view, const AddResult&)>;
IndexReport add_inputs(IndexFlags& flags, Index& index, IndexAction action, const VisitAdded& visit,
                       const Context& context) {
  const IndexCollectionOptions options{
      .action = action, .conflicts = flags.conflicts, .on_bad_record = flags.input.on_bad_record};
  if (!has_fingerprints(flags))
    return add_collection(index, open_inputs(flags, index, context), options, visit, context);
  IndexReport all;
  for (const std::string& path : std::span(flags.words).subspan(1))
    add_up(add_fingerprints(index, path, options, visit, context), all);
  return all;
}

std::string describe_report(const IndexReport& report, bool adds) {
  std::string out =
      fmt::format("{} in {}: ", counted(report.documents(), "document", "documents"), human_seconds(report.seconds));
  const auto part = [&](std::uint64_t count, const char* what) {
    if (count == 0) return;
    out += fmt::format("{}{} {}", out.ends_with(": ") ? "" : ", ", with_commas(count), what);
  };
  if (adds) {
    part(report.added, "added");
    part(report.replaced, "replaced");
    part(report.unchanged, "unchanged");
    part(report.conflicts, "in conflict");
    part(report.duplicates, "near-duplicates, not added");
  } else {
    part(report.duplicates, "with a near-duplicate in the index");
    part(report.documents() - report.duplicates, "new");
  }
  if (out.ends_with(": ")) out += "nothing to do";
  out += '\n';
  return out + describe(report.bad) + bad_count(report.bad, "skipped") + mended(report.repaired_texts, 0);
}

// Data goes to standard output, so that the summary goes to standard error, as JSON where that is asked for.
void say(Session& session, const IndexFlags& flags, const IndexReport& report, bool adds, bool prints_lines) {
  session.end_progress();
  if (flags.run.json) {
    if (prints_lines) {
      print_note(to_json(report));
    } else {
      print_data(to_json(report));
    }
  } else if (!flags.run.quiet) {
    print_note(describe_report(report, adds));
  }
}

int exit_of(const IndexReport& report) { return report.bad.count > 0 ? kSomeSkipped : kDone; }

}  // namespace

int index_add(IndexFlags& flags) {
  Session session(flags.run);
  Index index = Index::open(flags.words.front(), flags.opening, session.context());
  std::vector<std::string> conflicts;
  const IndexReport report = add_inputs(
      flags, index, IndexAction::add,
      [&](std::string_view key, const AddResult& result) {
        constexpr std::size_t kShown = 10;
        if (result.status == AddStatus::conflict && conflicts.size() < kShown) conflicts.emplace_back(key);
      },
      session.context());
  say(session, flags, report, true, false);
  if (report.conflicts == 0) return exit_of(report);
  std::string ids;
  for (const std::string& key : conflicts) ids += (ids.empty() ? "" : ", ") + printable(key);
  throw Error(ErrorCode::usage,
              fmt::format("{} in the index with another text: {}{} (--replace replaces them; all others were added)",
                          counted(report.conflicts, "id is", "ids are"), ids,
                          report.conflicts > conflicts.size() ? ", ..." : ""));
}

int index_check(IndexFlags& flags) {
  Session session(flags.run);
  flags.opening.read_only = true;
  const Index index = Index::open(flags.words.front(), flags.opening, session.context());
  const Measure measure = index.options().definition.measure;
  LineOutput lines;
  const auto visit = [&](std::string_view key, const std::optional<IndexMatch>& match) {
    lines.add(match_line(key, match, measure));
  };
  IndexReport report;
  if (has_fingerprints(flags)) {
    lines.add("id\tmatch\tscore\tcluster");
    for (const std::string& path : std::span(flags.words).subspan(1))
      add_up(check_fingerprints(index, path, visit, session.context()), report);
  } else {
    const Collection documents = open_inputs(flags, index, session.context());
    lines.add("id\tmatch\tscore\tcluster");
    report = check_collection(index, documents, flags.input.on_bad_record, visit, session.context());
  }
  lines.flush();
  say(session, flags, report, false, true);
  return exit_of(report);
}

int index_check_or_add(IndexFlags& flags) {
  Session session(flags.run);
  Index index = Index::open(flags.words.front(), flags.opening, session.context());
  const Measure measure = index.options().definition.measure;
  LineOutput lines;
  lines.add("id\tstatus\tmatch\tscore\tcluster");
  const IndexReport report = add_inputs(
      flags, index, IndexAction::check_or_add,
      [&](std::string_view key, const AddResult& result) { lines.add(result_line(key, result, measure)); },
      session.context());
  lines.flush();
  say(session, flags, report, true, true);
  return exit_of(report);
}

int index_remove(IndexFlags& flags) {
  Session session(flags.run);
  Index index = Index::open(flags.words.front(), flags.opening, session.context());
  std::uint64_t removed = 0, asked = 0;
  std::vector<std::string> keys;
  const auto remove = [&] {
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    removed += index.remove(views);
    asked += keys.size();
    keys.clear();
  };
  for (std::size_t i = 1; i < flags.words.size(); ++i) {
    if (flags.words[i] != "-") {
      keys.push_back(flags.words[i]);
      continue;
    }
    constexpr std::size_t kAtOnce = 1000;
    for (std::string line; std::getline(std::cin, line);) {
      keys.push_back(unescaped(line));
      if (keys.size() == kAtOnce) remove();
    }
  }
  remove();
  session.end_progress();
  if (flags.run.json) {
    print_data(fmt::format("{{\"removed\": {}, \"missing\": {}}}\n", removed, asked - removed));
  } else if (!flags.run.quiet) {
    print_note(fmt::format("{} removed{}\n", counted(removed, "document", "documents"),
                           asked == removed ? "" : fmt::format(", {} not in the index", with_commas(asked - removed))));
  }
  return asked == removed ? kDone : kSomeSkipped;
}

int index_get(IndexFlags& flags) {
  Session session(flags.run);
  const Index index = Index::open(flags.words.front(), {.read_only = true}, session.context());
  Words missing;
  LineOutput lines;
  for (std::size_t i = 1; i < flags.words.size(); ++i) {
    if (const std::optional<StoredDocument> document = index.get(flags.words[i])) {
      lines.add(json_line(*document, index.fields()));
    } else {
      missing.push_back(flags.words[i]);
    }
  }
  session.end_progress();
  lines.flush();
  for (const std::string& key : missing) print_warning(fmt::format("no document has the id {}", printable(key)));
  return missing.empty() ? kDone : kSomeSkipped;
}

int index_export(IndexFlags& flags) {
  Session session(flags.run);
  const Index index = Index::open(flags.words.front(), {.read_only = true}, session.context());
  LineOutput lines;
  std::uint64_t written = 0;
  index.export_documents(
      [&](const StoredDocument& document) {
        lines.add(json_line(document, index.fields()));
        return ++written != flags.limit;
      },
      session.context());
  session.end_progress();
  lines.flush();
  return kDone;
}

}  // namespace neardup::cli
