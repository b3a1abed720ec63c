#include "dedup/known_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/system.h"
#include "dedup/checkpoint.h"
#include "io/output.h"
#include "neardup/error.h"

namespace neardup::dedup {
namespace {

// The same before and after a file gets its final name. Empty: there is no such file.
std::string proof_of(FileSystem& files, const std::filesystem::path& path) {
  if (path.empty()) return {};
  const FileInfo info = files.info(path);
  if (info.kind != FileKind::file) return {};
  return fmt::format("{} {} {} {}", info.id.device, info.id.number, info.size, info.changed_ns);
}

// Where the file of PendingRun::proof appears.
std::filesystem::path shown_by(const std::string& output) {
  const io::Target target = io::parse_target(output);
  return target.kind == io::Target::Kind::folder ? target.path / "run.json" : target.path;
}

void warn_of_renaming(const KnownAddition& addition, const KnownDocuments& known, report::RunFrame& frame) {
  if (addition.renamed == 0) return;
  frame.warn(fmt::format("{} in {} with another text: the index has the new documents as ID#2, ID#3, ...",
                         base::counted(addition.renamed, "id is", "ids are"), known.name()));
}

}  // namespace

std::optional<DedupResult> complete_pending(const Collection& collection, KnownDocuments& known,
                                            const DedupOptions& options, const Context& context) {
  if (options.output.dry_run) return std::nullopt;
  const std::optional<PendingRun> run = known.pending();
  if (!run) return std::nullopt;
  if (!run->is_adding && proof_of(base::files(context), shown_by(run->output)) != run->proof) {
    known.abandon();
    return std::nullopt;
  }
  const std::string inputs = input_identity(collection, context);
  if (inputs.empty() || inputs != run->inputs || options.output.path != run->output) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: an interrupted run has written {}, but not all of its documents are in the index yet; "
                            "repeat that run with the same inputs, or abandon it",
                            known.name(), run->output),
                "index");
  }
  DedupResult result;
  DedupReport& report = result.report;
  report::RunFrame frame(report, context);
  KnownReport& facts = report.known.emplace();
  frame.stage("index", [&] {
    const KnownAddition addition = known.add(collection, run->kept, options.on_bad_record, context);
    warn_of_renaming(addition, known, frame);
    report.records = addition.records;
    report.bad.count = addition.bad;
    facts.added = addition.added;
  });
  facts.documents = known.documents() - facts.added;
  report.definition = options.definition;
  report.kept = static_cast<std::uint64_t>(std::ranges::count(run->kept, true));
  report.removed = report.documents() - report.kept;
  report.resumed = {"index", "read", "find", "write"};
  report.outputs = {run->output};
  // What the interrupted run saved is of no use any more.
  if (options.output.resume) Checkpoint(options.output.path, {}, Overwrite::replace, context).remove();
  frame.measure();
  return result;
}

void publish_and_add(const Plan& plan, report::Outputs& outputs, const Clusters& clusters, DedupReport& report,
                     report::RunFrame& frame, const Context& context) {
  KnownDocuments& known = *plan.known;
  std::vector<bool> kept(clusters.rows());
  for (std::size_t row = 0; row < kept.size(); ++row) kept[row] = clusters.is_kept(row);
  const std::filesystem::path proof = outputs.proof();
  if (!proof.empty()) {
    known.announce({.inputs = input_identity(plan.collection, context),
                    .output = plan.options.output.path,
                    .proof = proof_of(base::files(context), proof),
                    .kept = kept});
  }
  try {
    outputs.commit();
  } catch (...) {
    if (!proof.empty()) known.abandon();
    throw;
  }
  frame.stage("index", [&] {
    const KnownAddition addition = known.add(plan.collection, kept, plan.options.on_bad_record, context);
    warn_of_renaming(addition, known, frame);
    report.known->added = addition.added;
  });
}

}  // namespace neardup::dedup
