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
      "which files are read, and how they are told apart",
      "FORMATS",
      {{"Inputs are files, folders (with everything below them but hidden files), globs in quotes, and - for standard "
        "input. In globs ** means any number of folders and {a,b} either word; --include and --exclude choose among "
        "the files found, and --files-from takes them from a list. Binary files are not read. Each file has one "
        "format; --format NAME forces it for all. A record is:",
        format_rows()},
       {fmt::format("Each may be compressed ({}). Of an input the first bytes decide about compression, and, where "
                    "they can, about the format too; of an output the name decides: kept.csv.zst. Members of zip, "
                    "tar, 7z and other archives are read like files of a folder.",
                    codec_endings())},
       {"The text of a record is its field `text`, its name the field `id` (--text, --id). `a.b` reaches into nested "
        "JSON, and several text fields, with commas, are joined; so are the parts of a JSON array, strings or chat "
        "messages. Tables with other separators are read with --delimiter, --quote and --no-header. A record without "
        "an id is called PATH:LINE; the "
        "second record with the same id is called ID#2."},
       {"JSONL, CSV and lines are UTF-8 unless a byte-order mark or --encoding says otherwise. Of whole files, "
        "pages, mails and web archives the encoding is taken from what they declare, else detected. Tags are taken "
        "out as --html says:",
        rows_of(html_choices())}}};
}

Topic definitions() {
  return {"definitions",
          "what counts as a near-duplicate",
          "DEFINITIONS",
          {{"Two documents are near-duplicates when a measure of their features reaches a threshold, itself included. "
            "How such pairs are found (neardup help finders) changes nothing about what counts as one. Every reported "
            "pair was compared exactly."},
           {"A text is first folded (Unicode NFKC and case folding). A word is a run of letters, marks and digits; in "
            "scripts without spaces every character is a word. --features says what is compared:",
            {{"words", "the different words of a document"},
             {"words:N", "runs of N words; the default is words:5"},
             {"chars:N", "runs of N characters, for names and other short texts"},
             {"minwise:K", "the K smallest hashes of chars:4 (minwise:K/words:5: of others): an estimate"}}},
           {"--measure says how features are compared. For sets of x and y features that share o of them:",
            rows_of(measure_choices())},
           {"--bag counts repeats: the second `the` is then another feature than the first. A document without words "
            "is in no pair, and is kept."},
           {"A simhash (hamming, fingerprint, match) weighs features. --weights:", rows_of(weights_choices())}}};
}

Topic text() {
  Words codes = stop_word_languages();
  std::erase_if(codes, [](const std::string& name) { return name.size() > 2; });
  return {"text",
          "what may be done to texts and words before they are compared",
          "TEXT",
          {{"Nothing of this happens unless a flag asks for it. What is asked for happens in this order:",
            {{"--strip REGEX", "what the expression (RE2) matches in the text becomes a space; may be repeated"},
             {"--numbers WHAT",
              "words of digits: keep, fold (every one becomes 0) or drop. Folding makes documents equal that differ "
              "in figures only"},
             {"--min-word N", "leaves out shorter words, except in scripts without spaces"},
             {"--stop-words LIST",
              fmt::format("leaves out the function words of a language ({}), or those of a file, one a line, which is "
                          "named with a slash or a dot: ./words",
                          fmt::join(codes, ", "))},
             {"--stem LANG", fmt::format("cuts words down to their stems: {}", fmt::join(stem_languages(), ", "))}}},
           {"Runs of words (words:N) are then taken from the words that are left. neardup compare shows two documents "
            "as they are seen."}}};
}

Topic keep() {
  return {
      "keep",
      "which document of a cluster stays",
      "KEEP RULES",
      {{"Similar pairs make clusters (--clusters):", rows_of(cluster_choices())},
       {"Of each cluster one document stays (--keep). Rules, separated by commas, apply in turn; what is still tied "
        "goes to the earliest document. A missing or unreadable value loses.",
        rows_of(keep_choices())},
       {"Dates are those of RFC 3339, mail (RFC 5322) and most programs: 2025-01-31 10:00:00, 31 Jan 2025 10:00 +0100; "
        "without a zone they are UTC. Numbers are seconds, milliseconds, microseconds or nanoseconds since 1970, by "
        "their size. A rule that can decide little or nothing, because of a mistyped field for example, is warned of."},
       {"Example: --keep longest,newest:date keeps the longest text, and of equally long ones the newest. "
        "removed.jsonl says for each removed document what stands for it and which rule decided; neardup why OUT ID "
        "explains one of them."}}};
}

Topic finders() {
  return {"finders",
          "how similar pairs are found, and what that costs",
          "FINDERS",
          {{"neardup dedup --finder NAME. Whatever finds a pair, it is compared exactly before it counts:",
            {{"exact", "a similarity join: finds every pair. The default (auto)"},
             {"minhash",
              "looks where bands of min-wise hashes agree; may miss pairs near the threshold "
              "(--target-recall). For jaccard, dice and cosine"},
             {"simhash", "looks where simhashes differ in few bits (--distance); may miss pairs"}}},
           {"The recall of a finder that may miss pairs is measured on your own documents and reported. neardup pairs "
            "--algorithm names the joins, neardup match --method the Hamming searches."}}};
}

Topic queries() {
  return {
      "queries",
      "search logs, results of other engines, links and scores for neardup clean",
      "QUERIES AND LINKS",
      {{"Any of these files may be compressed. A search log (--queries) is one of:",
        {{"lines", "a query a line; how often it occurs is its count"},
         {"counts", "query TAB count; a first line `query TAB count` is a header"},
         {"topics", "ID TAB query, as TREC topics are written"},
         {"tsv, csv, jsonl", "records with the fields query and count (--query-field, --count-field)"},
         {"aol", "a line per search: user, query, time and perhaps more"}}},
       {"Queries are folded as texts are, and what folds to the same is one query. Ranks count from the most frequent "
        "one."},
       {"Results of another engine (--results) are a TREC run file, six columns with blanks or tabs between them: "
        "query-id Q0 document-id rank score tag. A query id is the log's own id, else the line of the query, else its "
        "text. --save-results writes such a file."},
       {"Links (--links) are lines of from TAB to, by id or URL; a first line `from TAB to` is a header. Scores "
        "(--authority FILE) are lines of id TAB score. Without --links the links of HTML pages count. neardup clean -o "
        "OUT writes, besides what dedup does:",
        {{"OUT/queries.tsv", "query, count, results, groups, removed, seconds"},
         {"OUT/authority.tsv", "id, score; PageRank sums to 1"},
         {"OUT/removed.jsonl",
          "also query, rank (of the document in its results), query_rank and both authorities"}}}}};
}

Topic outputs() {
  return {"outputs",
          "what is written, and where",
          "FILES",
          {{"Data goes to standard output, everything else to standard error. -o names a file when it ends in a known "
            "format, - is standard output, and any other name is a folder. Nothing half-written is ever left under a "
            "final name, and what exists is replaced only with --force. neardup dedup -o OUT writes:",
            {{"OUT/kept*", "the documents that stay, in the input's own format, untouched and in input order"},
             {"OUT/removed.jsonl", "each removed document, the one that stands for it, their score, the rule"},
             {"OUT/clusters.tsv", "cluster, id, kept (1 or 0)"},
             {"OUT/pairs.tsv", "left, right, score"},
             {"OUT/bad.jsonl", "records that could not be read, where there were any"},
             {"OUT/run.json", "every parameter, count and time: enough to run it again"}}},
           {"neardup why OUT ID says why a document of such a run was removed or kept. --force replaces the folder of "
            "an earlier run, unless something else lies in it."},
           {"neardup pairs writes left, right, score and the fields of --show as TSV, CSV or JSONL: the ending of -o "
            "says which (pairs.csv, pairs.jsonl.gz), or --output-format for standard output."}}};
}

Topic config() {
  return {
      "config",
      "flags from a file",
      "CONFIGURATION",
      {{"Any verb takes --config FILE.toml. Each line is a flag without its dashes; a switch is true or false; what "
        "may be repeated is a list. Flags typed on the command line win. No file is read unless named. For example:",
        {{"threshold = 0.9", "--threshold 0.9"},
         {"features = \"words:3\"", "--features words:3"},
         {"text = [\"title\", \"body\"]", "--text title,body"},
         {"bag = true", "--bag"}}}}};
}

Topic environment() {
  return {"environment",
          "variables that are heeded",
          "ENVIRONMENT",
          {{"Answers depend on none of these:",
            {{"NO_COLOR", "when set, nothing is coloured"},
             {"NEARDUP_SIMD", "portable, avx2 or avx512: forces the kernels for one instruction set"},
             {"TMPDIR", "where temporary files go without --temp; else /tmp"}}}}};
}

Topic exit_codes() {
  return {"exit-codes",
          "what the number says that a run ends with",
          "EXIT STATUS",
          {{"A closed pipe is a quiet success. Otherwise:",
            {{"0", "done"},
             {"1", "done, but some records were skipped, or --max-pairs was reached"},
             {"2", "wrong usage, or failed"},
             {"3", "a damaged file of fingerprints or index"},
             {"4", "an index that another process has locked"},
             {"130", "interrupted; nothing half-written is left"}}}}};
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
