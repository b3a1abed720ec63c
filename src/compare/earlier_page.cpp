// The page of an earlier run, from what its folder says.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/document_text.h"
#include "base/guard.h"
#include "base/json_writer.h"
#include "base/system.h"
#include "base/tsv.h"
#include "base/utf8.h"
#include "compare/earlier_run.h"
#include "compare/find_documents.h"
#include "io/codecs/codecs.h"
#include "io/output.h"
#include "neardup/error.h"
#include "neardup/report_page.h"
#include "report/json_parts.h"
#include "report/page/report_page.h"

namespace neardup {
namespace comparison {
namespace {

// The lists of a run. Documents are numbered as clusters.tsv lists them.
struct EarlierLists {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::uint32_t> number;
  Clusters clusters;
  std::vector<double> scores;  // NaN: none
  std::vector<std::string> rules;
};

[[noreturn]] void throw_mixed(const EarlierRun& run) {
  throw Error(ErrorCode::input,
              run.folder.string() + ": clusters.tsv, removed.jsonl and pairs.tsv are not from the same run");
}

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

void read_clusters(const EarlierRun& run, EarlierLists& lists, const Context& context) {
  std::vector<std::string> kept;  // by document
  for_each_row(
      run, "clusters.tsv",
      [&](const std::vector<std::string>& columns) {
        const auto number = static_cast<std::uint32_t>(lists.names.size());
        if (!lists.number.emplace(columns[1], number).second) throw_mixed(run);
        lists.names.push_back(columns[1]);
        kept.push_back(columns[0]);
        return true;
      },
      context);
  std::vector<Clusters::Member> representatives;
  for (const std::string& name : kept) {
    const auto found = lists.number.find(name);
    if (found == lists.number.end()) throw_mixed(run);
    representatives.push_back(found->second);
  }
  for (const Clusters::Member representative : representatives)
    if (representatives[representative] != representative) throw_mixed(run);
  lists.clusters = Clusters(std::move(representatives));
}

void read_removed(const EarlierRun& run, EarlierLists& lists, const Context& context) {
  lists.scores.assign(lists.names.size(), kNoScore);
  lists.rules.resize(lists.names.size());
  for_each_removed(
      run,
      [&](const std::string& id, RemovedLine&& line) {
        const auto found = lists.number.find(id);
        if (line.from_against || found == lists.number.end()) return true;
        lists.scores[found->second] = base::parse_number(line.score).value_or(kNoScore);
        lists.rules[found->second] = std::move(line.rule);
        return true;
      },
      context);
}

report::PageRequest page_request(const EarlierRun& run, const EarlierLists& lists) {
  return {.measure = run.definition ? run.definition->measure : run.pairs_measure,
          .threshold = run.definition ? std::optional(run.definition->threshold) : run.pairs_threshold,
          .counts_clusters = run.clusters == to_string(ClusterKind::components),
          .rows = lists.names.size(),
          .scores_are_rounded = true};
}

void add_pairs(const EarlierRun& run, const EarlierLists& lists, bool counts_clusters, report::ReportPage& page,
               const Context& context) {
  for_each_row(
      run, "pairs.tsv",
      [&](const std::vector<std::string>& columns) {
        const auto left = lists.number.find(columns[0]), right = lists.number.find(columns[1]);
        const std::optional<double> score = base::parse_number(columns[2]);
        if (!score) throw Error(ErrorCode::input, run.folder.string() + ": pairs.tsv is damaged");
        // Only components contain both documents of every pair.
        if (!counts_clusters) {
          page.add_pair({0, 0, *score});
        } else if (left == lists.number.end() || right == lists.number.end()) {
          throw_mixed(run);
        } else {
          page.add_pair({left->second, right->second, *score});
        }
        return true;
      },
      context);
}

// Finds documents by their names in one reading, which ends when all are found.
class NamedTexts {
 public:
  NamedTexts(const EarlierLists& lists, const std::vector<Row>& rows) {
    for (const Row row : rows) {
      const std::string& name = lists.names[index(row)];
      wanted_.emplace(name, row);
      // `d1#2` is the second record called d1, or the first one called d1#2.
      const std::size_t mark = name.rfind('#');
      const auto number = mark == name.npos ? std::nullopt : base::parse_whole(std::string_view(name).substr(mark + 1));
      if (number && *number >= 2) repeated_[name.substr(0, mark)].wanted.emplace(*number, row);
    }
  }

  [[nodiscard]] bool finished() const { return found_.size() == wanted_.size(); }
  void look(const std::string& name, const DocumentView& document) {
    if (const auto at = wanted_.find(name); at != wanted_.end()) take(at->second, name, document);
    const auto again = repeated_.find(name);
    if (again == repeated_.end()) return;
    const auto at = again->second.wanted.find(++again->second.seen);
    if (at != again->second.wanted.end()) take(at->second, name, document);
  }
  [[nodiscard]] const std::map<Row, report::ShownDocument>& found() const { return found_; }

 private:
  struct Repeated {
    std::uint64_t seen = 0;
    std::map<std::uint64_t, Row> wanted;  // by occurrence
  };
  void take(Row row, const std::string& name, const DocumentView& document) {
    std::string joined;
    const std::string_view text = base::whole_text(document, joined);
    const std::string_view cut = base::cut_to_code_point(text, report::kShownBytes);
    found_.try_emplace(
        row, report::ShownDocument{.name = name, .text = std::string(cut), .is_whole = cut.size() == text.size()});
  }

  std::unordered_map<std::string, Row> wanted_;
  std::unordered_map<std::string, Repeated> repeated_;
  std::map<Row, report::ShownDocument> found_;
};

void read_texts(const EarlierRun& run, NamedTexts& texts, report::ReportPage& page, const Context& context) {
  const std::vector<std::string> inputs = inputs_there(run.inputs, context);
  if (inputs.empty()) return page.texts_are_missing(not_there(run.inputs));
  try {
    const Collection collection = Collection::open(inputs, run.inputs.reading, context);
    const io::CollectionImpl& impl = io::impl_of(collection);
    const auto batches = impl.batches(impl.options, context);
    const auto parser = impl.parser(impl.options);
    if (context.observer != nullptr) context.observer->stage("looking up examples", impl.input_bytes(), "bytes");
    DocumentView document;
    for (io::RecordBatch batch; !texts.finished() && batches->next(batch);) {
      for (std::size_t place = 0; place < batch.size() && !texts.finished(); ++place) {
        if (parser->parse(batch, place, document) == nullptr)
          texts.look(io::record_name(*batch.source, batch.number(place), document.key), document);
      }
      if (context.observer != nullptr) context.observer->advance(batch.input_bytes);
    }
    if (!texts.finished()) page.texts_are_missing("the inputs have changed: some documents are not there any more");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    page.texts_are_missing(fmt::format("the inputs have changed: {}", error.what()));
  }
}

// As many as a run remembers itself.
std::vector<BadRecord> first_bad_records(const EarlierRun& run, const Context& context) {
  constexpr std::size_t kFirst = 10;
  std::vector<BadRecord> out;
  const std::filesystem::path path = run.folder / "bad.jsonl";
  FileSystem& files = base::files(context);
  if (!files.exists(path) || files.info(path).size == 0) return out;
  const Collection lines = Collection::open(
      {path.string()}, {.format = "jsonl", .text_fields = {{"reason"}}, .extra_fields = {"path", "line"}}, context);
  const auto reader = lines.read(context);
  for (Document line; out.size() < kFirst && reader->next(line);) {
    out.push_back({.path = line.fields[0].value_or(""),
                   .number = base::parse_whole(line.fields[1].value_or("0")).value_or(0),
                   .reason = line.text});
  }
  return out;
}

std::string make_page(const std::string& folder, const ReportPageOptions& options, const Context& context) {
  const EarlierRun run = read_earlier_run(folder, context);
  if (run.verb != "dedup" && run.verb != "clean")
    throw Error(ErrorCode::input, fmt::format("{} is not the output folder of dedup or clean", folder));
  EarlierLists lists;
  read_clusters(run, lists, context);
  read_removed(run, lists, context);
  const report::PageRequest request = page_request(run, lists);
  report::ReportPage page(request, context);
  add_pairs(run, lists, request.counts_clusters, page, context);
  const report::PageLists shown{.clusters = lists.clusters,
                                .score = [&](Row row) { return lists.scores[index(row)]; },
                                .rule = [&](Row row) { return lists.rules[index(row)]; },
                                .name = [&](Row row) { return lists.names[index(row)]; }};
  NamedTexts texts(lists, page.choose(shown));
  if (!options.texts) {
    page.texts_are_missing("texts were not asked for");
  } else if (!texts.finished()) {
    read_texts(run, texts, page, context);
  }
  page.show(shown, texts.found(), context);
  return page.html(run.record, first_bad_records(run, context));
}

WrittenPage write_page(const std::string& folder, const ReportPageOptions& options, const Context& context) {
  WrittenPage written{.path = options.path};
  if (written.path.empty()) written.path = (std::filesystem::path(folder) / report::kPageName).string();
  if (written.path == "-") {
    const std::string html = make_page(folder, options, context);
    const auto out = io::stdout_sink(io::plain_codec());
    out->write(html);
    out->close();
    written.bytes = html.size();
    return written;
  }
  io::OutputTransaction transaction(written.path, options.overwrite, context);
  const std::string html = make_page(folder, options, context);
  const auto out = io::open_sink(base::files(context), transaction.working_path(), io::plain_codec());
  out->write(html);
  out->close();
  transaction.commit();
  written.bytes = html.size();
  return written;
}

}  // namespace
}  // namespace comparison

std::string make_report_page(const std::string& folder, const ReportPageOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) { return comparison::make_page(folder, options, call); });
}

WrittenPage write_report_page(const std::string& folder, const ReportPageOptions& options, const Context& context) {
  return base::guarded(context, [&](const Context& call) { return comparison::write_page(folder, options, call); });
}

std::string to_json(const WrittenPage& page) {
  return base::json_object([&](base::JsonWriter& json) {
    report::write_head(json, "report");
    json.members({{"path", page.path}, {"bytes", page.bytes}});
  });
}

}  // namespace neardup
