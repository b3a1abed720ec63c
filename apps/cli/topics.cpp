#include "topics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "help.h"
#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/definition.h"
#include "neardup/text_rules.h"
#include "option_names.h"
#include "words.h"

namespace neardup::cli {
namespace {

template <class Value>
std::vector<TopicRow> rows_of(std::span<const Choice<Value>> choices) {
  std::vector<TopicRow> out;
  for (const Choice<Value>& choice : choices) out.push_back({std::string(choice.name), with_flags(choice.summary)});
  return out;
}

std::vector<TopicRow> format_rows() {
  std::vector<TopicRow> out;
  for (const FormatChoice& format : format_choices()) {
    const std::string endings = format.endings.empty() ? "" : fmt::format(" ({})", fmt::join(format.endings, ", "));
    out.push_back({format.name, with_flags(format.summary) + endings});
  }
  return out;
}

std::string codec_endings() {
  std::vector<std::string> names = codec_names();
  std::erase(names, "plain");
  return fmt::format(".{}", fmt::join(names, ", ."));
}

Topic formats() {
  return {
      "formats",
      "input files and formats",
      "FORMATS",
      {{"Inputs are files, folders (read recursively, without hidden files), quoted globs, and - for standard "
        "input. In globs ** means any number of folders and {a,b} either word; --include and --exclude choose among "
        "the files found, and --files-from takes them from a list. Files of s3://, gs:// and hdfs:// are read "
        "by the Arrow plugin. Binary files are not read. Each file has one "
        "format; --format NAME forces it for all. A record is:",
        format_rows()},
       {"Parquet and Arrow files, and folders saved by Hugging Face's datasets, need the plugin libneardup-arrow.so "
        "(make arrow, or the package neardup-arrow). Their columns are fields; kept rows are written with all "
        "columns."},
       {fmt::format("Each other format may be compressed ({}). The compression of an input, and its format where "
                    "possible, is detected from the first bytes; that of an output follows from its name: "
                    "kept.csv.zst. Members of zip, "
                    "tar, 7z and other archives are read like files of a folder.",
                    codec_endings())},
       {"The text of a record is its field `text`, its name the field `id` (--text, --id). `a.b` is a nested JSON "
        "field. Several text fields, separated by commas, are joined; so are the parts of a JSON array of strings or "
        "chat "
        "messages. Tables with other separators are read with --delimiter, --quote and --no-header. A record without "
        "an id is called PATH:LINE; the "
        "second record with the same id is called ID#2."},
       {"JSONL, CSV and lines are UTF-8 unless a byte-order mark or --encoding says otherwise. The encoding of "
        "whole files, pages, mails and web archives is the declared one, else detected. --html strips tags:",
        rows_of(html_choices())}}};
}

Topic definitions() {
  return {"definitions",
          "what counts as a near-duplicate",
          "DEFINITIONS",
          {{"Two documents are near-duplicates when a measure of their features reaches the threshold (inclusive). How "
            "pairs "
            "are found (neardup help finders) does not change what counts as one. Every reported pair was compared "
            "exactly."},
           {"A text is first folded (Unicode NFKC and case folding). A word is a run of letters, marks and digits; in "
            "scripts without spaces every character is a word. --features says what is compared:",
            {{"words", "the distinct words of a document"},
             {"words:N", "runs of N words; the default is words:5"},
             {"chars:N", "runs of N characters, for names and other short texts"},
             {"minwise:K", "the K smallest hashes of chars:4 (minwise:K/words:5: of others): an estimate"}}},
           {"--measure says how features are compared. For sets of x and y features that share o of them:",
            rows_of(measure_choices())},
           {"--bag counts repeats: the second `the` is then a different feature from the first. A document without "
            "words is in no pair and is kept, unless dedup --drop-empty removes it."},
           {"A simhash (hamming, fingerprint, match) weights features (--weights):", rows_of(weights_choices())}}};
}

Topic text() {
  Words codes = stop_word_languages();
  std::erase_if(codes, [](const std::string& name) { return name.size() > 2; });
  return {"words",
          "text preprocessing",
          "TEXT",
          {{"All of these are off by default. They apply in this order:",
            {{"--strip REGEX", "replaces every match of the regular expression (RE2) with a space; may be repeated"},
             {"--numbers WHAT",
              "numbers: keep, fold (replace each with 0) or drop. With fold, documents that differ only in numbers are "
              "equal"},
             {"--min-word N", "ignores shorter words, except in scripts without spaces"},
             {"--stop-words LIST",
              fmt::format(
                  "ignores the function words of a language ({}), or the words of a file, one per line; a file name "
                  "must contain a slash or a dot: ./words",
                  fmt::join(codes, ", "))},
             {"--stem LANG", fmt::format("reduces words to their stems: {}", fmt::join(stem_languages(), ", "))}}},
           {"Runs of words (words:N) are built from the remaining words. neardup compare shows what is compared."
            ""}}};
}

Topic keep() {
  return {
      "keep",
      "which document of a cluster is kept",
      "KEEP RULES",
      {{"Similar pairs make clusters (--clusters):", rows_of(cluster_choices())},
       {"One document of each cluster is kept (--keep). Rules, separated by commas, apply in turn; remaining ties "
        "go to the earliest document. A missing or unreadable value loses.",
        rows_of(keep_choices())},
       {"Dates are those of RFC 3339, mail (RFC 5322) and most programs: 2025-01-31 10:00:00, 31 Jan 2025 10:00 +0100; "
        "without a zone they are UTC. Numbers are seconds, milliseconds, microseconds or nanoseconds since 1970, by "
        "their size. There is a warning when a rule decides little or nothing, for example because of a mistyped field "
        "name."},
       {"The longest document is not always the best: a page with a menu, a comment section or a text pasted twice is "
        "longer than the clean one. Put what you trust first: --keep prefer:source=publisher,longest. With --measure "
        "containment a document is removed only if the kept one contains it, so --keep longest removes most, and "
        "--threshold 1 only what loses nothing."},
       {"Example: --keep longest,newest:date keeps the longest text, and of equally long ones the newest. "
        "removed.jsonl says for each removed document the kept document and which rule decided; neardup why OUT ID "
        "explains one of them."}}};
}

Topic finders() {
  return {"finders",
          "how pairs are found",
          "FINDERS",
          {{"neardup dedup --finder NAME. Every pair that a finder proposes is compared exactly:",
            {{"exact", "a similarity join: finds every pair. The default (auto)"},
             {"minhash",
              "proposes pairs whose min-wise hashes agree in a band; may miss pairs near the threshold "
              "(--target-recall). For jaccard, dice and cosine"},
             {"simhash", "proposes pairs whose simhashes differ in at most --distance bits; may miss pairs"}}},
           {"The recall of a finder that may miss pairs is measured on your own documents and reported. neardup pairs "
            "--algorithm names the joins, neardup match --method the Hamming searches."}}};
}

Topic queries() {
  return {
      "queries",
      "search logs, results, links and scores for neardup clean",
      "QUERIES AND LINKS",
      {{"Any of these files may be compressed. A search log (--queries) is one of:",
        {{"lines", "one query per line; its count is how often it occurs"},
         {"counts", "query TAB count; a first line `query TAB count` is a header"},
         {"topics", "ID TAB query, as TREC topics are written"},
         {"tsv, csv, jsonl", "records with the fields query and count (--query-field, --count-field)"},
         {"aol", "a line per search: user, query, time and perhaps more"}}},
       {"Queries are folded like texts; those that fold to the same string are one query. The most frequent query has "
        "rank 1."},
       {"Results of another engine (--results) are a TREC run file, six columns separated by blanks or tabs: "
        "query-id Q0 document-id rank score tag. A query id is the log's own id, else the line of the query, else its "
        "text. --save-results writes such a file."},
       {"Links (--links) are lines of from TAB to, by id or URL; a first line `from TAB to` is a header. Scores "
        "(--authority FILE) are lines of id TAB score. Without --links, the links of HTML pages are used. In addition "
        "to the files of dedup, neardup clean -o "
        "OUT writes:",
        {{"OUT/queries.tsv", "query, count, results, groups, removed, seconds"},
         {"OUT/authority.tsv", "id, score; PageRank sums to 1"},
         {"OUT/removed.jsonl",
          "also query, rank (of the document in its results), query_rank and both authorities"}}}}};
}

Topic outputs() {
  return {"outputs",
          "output files",
          "FILES",
          {{"Data goes to standard output, everything else to standard error. -o names a file when it ends in a known "
            "format, - is standard output, and any other name is a folder. A file appears under its final name only "
            "when it is complete, "
            "and existing files are replaced only with --force. neardup dedup -o OUT writes:",
            {{"OUT/kept*", "the kept documents, in the input's format, unchanged and in input order"},
             {"OUT/removed.jsonl", "each removed document, the kept one, their score, and the rule that decided"},
             {"OUT/clusters.tsv", "cluster, id, kept (1 or 0)"},
             {"OUT/pairs.tsv", "left, right, score"},
             {"OUT/cohesion.tsv", "how well the members of each cluster agree (docs/algorithms/clusters.md)"},
             {"OUT/bad.jsonl", "records that could not be read, if any"},
             {"OUT/removed-records*", "the removed documents, with --save-removed"},
             {"OUT/quarantine*", "the records that could not be read, with --on-bad-record quarantine"},
             {"OUT/run.json", "every parameter, count and time: enough to run it again"},
             {"OUT/report.html", "one page about the run, to open in a browser; not with --no-report"}}},
           {"neardup why OUT ID says why a document of such a run was removed or kept. --force replaces the folder of "
            "an earlier run, unless it contains other files."},
           {"neardup pairs writes left, right, score and the fields of --show as TSV, CSV or JSONL: the ending of -o "
            "says which (pairs.csv, pairs.jsonl.gz), or --output-format for standard output."}}};
}

Topic config() {
  return {
      "config",
      "flags from a file",
      "CONFIGURATION",
      {{"Any verb takes --config FILE.toml. Each line is a flag without its dashes; a switch is true or false; a flag "
        "that may be repeated takes a list. Lines at the top apply to every verb that has such a flag, those below "
        "[VERB] "
        "to that verb, where they win over the ones at the top. Flags on the command line take precedence. No file is "
        "read by default. For example:",
        {{"threshold = 0.9", "--threshold 0.9"},
         {"features = \"words:3\"", "--features words:3"},
         {"text = [\"title\", \"body\"]", "--text title,body"},
         {"bag = true", "--bag"},
         {"[pairs]", "the following lines apply only to neardup pairs"},
         {"sort = \"score\"", "--sort score"}}}}};
}

Topic environment() {
  return {"environment",
          "environment variables",
          "ENVIRONMENT",
          {{"None of these changes the answers:",
            {{"NO_COLOR", "when set, output has no colour"},
             {"NEARDUP_SIMD", "portable, avx2, avx512 or neon: forces the kernels for one instruction set"},
             {"TMPDIR", "folder for temporary files without --temp; default /tmp"}}}}};
}

Topic exit_codes() {
  return {"exit-codes",
          "exit codes",
          "EXIT STATUS",
          {{"A closed pipe is a quiet success. Otherwise:",
            {{"0", "done"},
             {"1", "done, but some records were skipped, or --max-pairs was reached"},
             {"2", "usage error, or the run failed"},
             {"3", "damaged fingerprint file or index"},
             {"4", "index locked by another process"},
             {"5", "a --fail-above limit was exceeded; the outputs are written"},
             {"130", "interrupted; no partial output is left"}}}}};
}

}  // namespace

std::vector<Topic> topics() {
  return {formats(), definitions(), text(),   finders(),     keep(),
          queries(), outputs(),     config(), environment(), exit_codes()};
}

std::string topic_help(const Topic& topic) {
  constexpr std::size_t kWidth = 80, kMostLabel = 28;
  std::string out = fmt::format("neardup help {}: {}\n", topic.name, topic.summary);
  for (const Passage& passage : topic.passages) {
    out += "\n" + help_line("", passage.paragraph, {.label = 0, .width = kWidth});
    std::size_t label = 0;
    for (const TopicRow& row : passage.rows) label = std::max(label, columns(row.term) + 4);
    for (const TopicRow& row : passage.rows)
      out += help_line("  " + row.term, row.text, {.label = std::min(label, kMostLabel), .width = kWidth});
  }
  return out;
}

}  // namespace neardup::cli
