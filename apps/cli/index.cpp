// neardup index: a persistent index of documents.
#include "neardup/index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "flags.h"
#include "index_actions.h"
#include "neardup/error.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "index",
    .summary = "keep documents in a persistent index and ask whether one was seen before",
    .examples =
        {
            "neardup index create seen --threshold 0.8         a new folder; what counts is fixed from then on",
            "neardup index add seen pages.jsonl                add documents, all of them",
            "neardup index check-or-add seen today.jsonl       add only what has no near-duplicate yet",
            "neardup index check seen new.jsonl                one line per document: id, match, score, cluster",
            "neardup index clusters seen --since 120           what changed after change 120",
            "neardup index get seen d7; neardup index remove seen d7",
            "neardup index stats seen --json; neardup index verify seen; neardup index rebuild seen",
            "neardup index export seen > all.jsonl; neardup index compact seen; neardup index snapshot seen copy",
        },
    .arguments = "ACTION DIR [...]",
    .needs =
        "an ACTION and a DIR: create, add, check, check-or-add, remove, get, clusters, export, stats, verify, "
        "compact, rebuild, abandon, snapshot or restore, and the folder of the index",
};

constexpr std::size_t kAny = SIZE_MAX;
constexpr std::array kCommands{
    IndexCommand{"create", "DIR", "make an empty index", kDefining, 1, 1, index_create},
    IndexCommand{"add", "DIR INPUT...", "add documents", kReading | kWriting | kReplacing, 2, kAny, index_add},
    IndexCommand{"check", "DIR INPUT...", "look for near-duplicates", kReading, 2, kAny, index_check},
    IndexCommand{"check-or-add", "DIR INPUT...", "add documents that have no near-duplicate", kReading | kWriting, 2,
                 kAny, index_check_or_add},
    IndexCommand{"remove", "DIR ID...", "remove documents", kWriting, 2, kAny, index_remove},
    IndexCommand{"get", "DIR ID...", "show stored documents as JSON lines", 0, 2, kAny, index_get},
    IndexCommand{"clusters", "DIR", "list clusters, or their changes", kListing | kFollowing, 1, 1, index_clusters},
    IndexCommand{"export", "DIR", "write all documents as JSON lines", kListing, 1, 1, index_export},
    IndexCommand{"stats", "DIR", "count documents, clusters and bytes", 0, 1, 1, index_stats},
    IndexCommand{"verify", "DIR", "read everything and report damage", 0, 1, 1, index_verify},
    IndexCommand{"compact", "DIR", "erase removed documents from the disk", 0, 1, 1, index_compact},
    IndexCommand{"rebuild", "DIR", "build the search structures again", kRebuilding, 1, 1, index_rebuild},
    IndexCommand{"abandon", "DIR", "give up an interrupted dedup --index; what it has added stays", 0, 1, 1,
                 index_abandon},
    IndexCommand{"snapshot", "DIR COPY", "copy the index", 0, 2, 2, index_snapshot},
    IndexCommand{"restore", "COPY DIR", "make an index from a snapshot", 0, 2, 2, index_restore},
};

Words command_names() {
  Words names;
  for (const IndexCommand& command : kCommands) names.emplace_back(command.name);
  return names;
}

void add_defining_flags(CLI::App& app, IndexFlags& flags) {
  IndexOptions& options = flags.options;
  add_definition_flags(app, flags.definition);
  add_field_flags(app, flags.definition.features.fields);
  add_switch(app, kDefinitionGroup, "--sets", "create: records are sets of integers, which are their features",
             flags.is_sets);
  add_value(app, kFinderGroup,
            {"--finder", "NAME",
             fmt::format("create: how near-duplicates are found: {}", fmt::join(index_finder_names(), ", ")),
             options.finder, index_finder_names()},
            [&](const std::string& value) { options.finder = value; });
  add_value(app, kKeepGroup,
            {"--clusters", "KIND", "create: kind of cluster: components, star or complete", to_string(options.clusters),
             names_of(cluster_choices())},
            [&](const std::string& value) { options.clusters = parse_cluster_kind(value); });
  add_value(app, kKeepGroup,
            {"--keep",
             "RULES",
             "create: keep rules: first, last, longest, shortest, max:FIELD, min:FIELD, newest:FIELD, oldest:FIELD, "
             "prefer:FIELD=VALUE; several, separated by commas, apply in turn",
             "first",
             {},
             names_of(keep_choices())},
            [&](const std::string& value) { options.keep = parse_keep_rules(value); });
  add_list(app, kOutputGroup, {"--store", "FIELD", "create: more fields to store with every document; may be repeated"},
           [&](const Words& fields) { options.fields = fields; });
  add_switch(app, kOutputGroup, "--no-text", "create: do not store texts and fields; then there is no export",
             [&] { options.store_texts = false; });
}

void add_listing_flags(CLI::App& app, IndexFlags& flags, bool follows) {
  add_value(app, kOutputGroup, {"--max", "N", "clusters and export: write at most N lines or clusters", "all"},
            [&](const std::string& value) { flags.limit = parse_positive("--max", value); });
  if (!follows) return;
  add_value(app, kOutputGroup, {"--min-size", "N", "clusters: only those with at least N documents", "2"},
            [&](const std::string& value) { flags.min_documents = parse_positive("--min-size", value); });
  add_value(app, kOutputGroup,
            {"--since", "TOKEN", "clusters: list the changes after this one (0: all of them) instead of clusters"},
            [&](const std::string& value) { flags.since = parse_count("--since", value); });
}

App command_line(IndexFlags& flags, unsigned groups) {
  auto app = make_app(kText);
  if ((groups & kReading) != 0) {
    add_input_flags(*app, flags.input, Quarantine::none);
  } else {
    add_arguments(*app, "WORDS", flags.words);
  }
  if ((groups & kDefining) != 0) {
    add_defining_flags(*app, flags);
    if ((groups & kReading) == 0)
      add_value(*app, kInputGroup,
                {"--html", "WHAT",
                 "Text of HTML: auto (all text of documents declared as HTML), main (their main text), all (of every "
                 "text), off",
                 to_string(flags.options.html), names_of(html_choices())},
                [&](const std::string& value) { flags.options.html = parse_html(value); });
  }
  if ((groups & kWriting) != 0)
    add_value(*app, kOutputGroup,
              {"--durability", "WHEN",
               "add, check-or-add, remove: sync (a change survives a loss of power) or batch (at most a second later)",
               to_string(flags.opening.durability), names_of(durability_choices())},
              [&](const std::string& value) { flags.opening.durability = parse_durability(value); });
  if ((groups & kReplacing) != 0)
    add_switch(*app, kOutputGroup, "--replace", "add: replace documents whose id is there with another text",
               [&] { flags.conflicts = OnConflict::replace; });
  if ((groups & kListing) != 0) add_listing_flags(*app, flags, (groups & kFollowing) != 0);
  if ((groups & kRebuilding) != 0)
    add_switch(*app, kOutputGroup, "--from-texts",
               "rebuild: also compute features and clusters again, as a new version of ICU requires",
               flags.rebuilding.from_texts);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  IndexFlags flags;
  unsigned all = 0;
  for (const IndexCommand& command : kCommands) all |= command.flags;
  return cli::describe(*command_line(flags, all), kText);
}

// The first word that is not a flag; help and mistakes are handled with the flags of all actions.
const IndexCommand* command_of_arguments(const Arguments& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return nullptr;
  for (const IndexCommand& command : kCommands)
    if (arguments.front() == command.name) return &command;
  check_choice("index", arguments.front(), command_names());
  return nullptr;
}

int run(const Arguments& arguments) {
  IndexFlags flags;
  const IndexCommand* command = command_of_arguments(arguments);
  if (command == nullptr) {
    unsigned all = 0;
    for (const IndexCommand& each : kCommands) all |= each.flags;
    if (!parse(*command_line(flags, all), kText, arguments)) return kDone;
    usage(fmt::format("index needs {} (neardup index --help)", kText.needs));
  }
  const auto app = command_line(flags, command->flags);
  if (!parse(*app, kText, arguments)) return kDone;
  if ((command->flags & kReading) != 0) flags.words = std::exchange(flags.input.files.inputs, {});
  flags.words.erase(flags.words.begin());
  const bool has_list = !flags.input.files.files_from.empty();
  if (flags.words.size() < command->least - (has_list ? 1 : 0) || flags.words.size() > command->most)
    usage(fmt::format("usage: neardup index {} {}", command->name, command->arguments));
  flags.run.check();
  return command->run(flags);
}

}  // namespace

const Verb kIndex{kText, describe, run};

}  // namespace neardup::cli
