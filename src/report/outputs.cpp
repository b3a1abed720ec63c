#include "report/outputs.h"

#include <algorithm>

#include "base/system.h"
#include "io/annotations.h"
#include "io/codecs/codecs.h"
#include "io/columns/datasets.h"
#include "io/formats/formats.h"
#include "neardup/error.h"
#include "neardup/remote.h"
#include "report/page/report_page.h"

namespace neardup::report {

namespace fs = std::filesystem;
using Kind = io::Target::Kind;

namespace {

// Where the bad records of a file output go.
fs::path quarantine_path(const io::Target& target) { return target.path.string() + ".quarantine"; }

io::AddedFields added_by(const OutputOptions& options) {
  io::AddedFields added;
  if (options.annotate) added = io::decision_fields();
  if (options.count) added.push_back(io::count_field());
  for (const std::string& field : options.collect) added.push_back(io::collected_field(field));
  return added;
}

}  // namespace

class Outputs::Stream {
 public:
  // One file for everything.
  Stream(const Collection& collection, std::unique_ptr<io::ByteSink> sink, const io::Format* format,
         const io::AddedFields& added)
      : collection_(collection), added_(added), writer_(io::make_writer(collection, std::move(sink), format, added)) {}
  // A file per source below `folder`, made when its first record comes.
  Stream(const Collection& collection, fs::path folder, const io::AddedFields& added, const Context& context)
      : collection_(collection), added_(added), folder_(std::move(folder)), files_(&base::files(context)) {}

  void write(const io::RecordBatch& batch, std::span<const std::uint8_t> chosen,
             std::span<const io::Annotation> annotations) {
    const bool writes = std::ranges::any_of(chosen, [](std::uint8_t number) { return number != 0; });
    // Records behind a document that was written may belong to it.
    const bool may_follow = !batch.companions.empty() && (folder_.empty() || current_ == batch.source);
    if (!writes && !may_follow) return;
    io::RecordWriter& writer = writer_for(*batch.source);
    if (!added_.empty()) {
      writer.write_annotated(batch, chosen, annotations);
    } else {
      writer.write(batch, chosen);
    }
  }

  // There are no more records.
  void finish() {
    close();
    if (!folder_.empty()) io::write_dataset_descriptions(collection_, folder_, added_);
  }

  void close() {
    if (writer_) {
      writer_->close();
      companions_ += writer_->companions();
    }
    writer_.reset();
  }

  [[nodiscard]] std::uint64_t companions() const { return companions_; }  // once it is closed

 private:
  io::RecordWriter& writer_for(const io::Source& source) {
    if (!folder_.empty() && current_ != &source) {
      close();
      const fs::path path = folder_ / source.relative;
      files_->create_folders(path.parent_path());
      writer_ =
          io::make_writer(collection_, io::open_sink(*files_, path, *source.codec), source.format, added_, &source);
      current_ = &source;
    }
    return *writer_;
  }

  const Collection& collection_;
  io::AddedFields added_;
  fs::path folder_;
  FileSystem* files_ = nullptr;
  const io::Source* current_ = nullptr;
  std::unique_ptr<io::RecordWriter> writer_;
  std::uint64_t companions_ = 0;
};

Outputs::Outputs(const Collection& collection, const OutputOptions& options, OnBadRecord on_bad_record,
                 const Context& context)
    : collection_(collection),
      options_(options),
      added_(added_by(options)),
      context_(context),
      target_(io::parse_target(options.path)),
      kind_(target_.kind) {
  if (options.save_removed && kind_ != Kind::folder) {
    throw Error(ErrorCode::usage,
                "`save_removed` writes to the folder of the kept documents: `output` must name a folder", "output");
  }
  if (on_bad_record == OnBadRecord::quarantine && kind_ != Kind::folder && kind_ != Kind::file) {
    throw Error(ErrorCode::usage, "`on_bad_record=quarantine` needs a file or folder to write to", "output");
  }
  if (kind_ == Kind::null_device) kind_ = Kind::none;
  if (kind_ == Kind::none) return;
  if (io::impl_of(collection).is_held()) check_held(on_bad_record);
  if (on_bad_record == OnBadRecord::quarantine) check_quarantine();
  if (options.resume && is_remote(options.path))
    throw Error(ErrorCode::usage, "`resume` saves beside the output, which must not be remote", "resume");
  if (kind_ == Kind::file && target_.format == nullptr) {
    throw Error(ErrorCode::usage,
                ".fps and .hex files hold fingerprints; `output` must end in a format of documents (kept.jsonl) or "
                "name a folder",
                "output");
  }
  if (kind_ == Kind::folder) {
    io::check_writable_apart(collection, added_);
  } else {
    io::check_writable(collection, target_.format, added_);
  }
  if (kind_ != Kind::stdout_stream) {
    io::check_apart_from_inputs(collection, target_.path);
    if (on_bad_record == OnBadRecord::quarantine && kind_ == Kind::file)
      io::check_apart_from_inputs(collection, quarantine_path(target_));
    transaction_ = std::make_unique<io::OutputTransaction>(target_.path, options.overwrite, context);
  }
  if (options.dry_run) {
    kind_ = Kind::none;
    transaction_.reset();
    return;
  }
  quarantines_ = on_bad_record == OnBadRecord::quarantine;
  if (transaction_) paths_.push_back(target_.path.string());
}

// Of documents that the caller holds there can be lists, and nothing else.
void Outputs::check_held(OnBadRecord on_bad_record) const {
  if (kind_ != Kind::folder) {
    throw Error(ErrorCode::usage,
                "`output` " + options_.path +
                    ": documents in memory are not written; the caller gets the clusters (a folder gets lists)",
                "output");
  }
  if (!added_.empty() || options_.save_removed) {
    const std::string option = added_.empty() ? "save_removed" : added_.front().option;
    throw Error(ErrorCode::usage, "`" + option + "` writes records, and documents in memory are not written", option);
  }
  if (on_bad_record == OnBadRecord::quarantine) {
    throw Error(ErrorCode::usage,
                "`on_bad_record=quarantine` copies records unchanged, and documents in memory are not written "
                "(bad.jsonl lists them)",
                "on_bad_record");
  }
}

// Rows of files of columns have no bytes of their own.
void Outputs::check_quarantine() const {
  for (const io::Source& source : io::impl_of(collection_).sources) {
    if (source.format->framing != io::Format::Framing::columns) continue;
    throw Error(ErrorCode::usage,
                "`on_bad_record=quarantine` writes records as they stood, and rows of " +
                    std::string(source.format->name) + " files are not written one by one (bad.jsonl lists them)",
                "on_bad_record");
  }
}

void Outputs::begin() {
  if (kind_ == Kind::none) return;
  if (kind_ == Kind::stdout_stream) {
    kept_ = std::make_unique<Stream>(collection_, io::stdout_sink(io::plain_codec()), nullptr, added_);
    return;
  }
  FileSystem& files = base::files(context_);
  const fs::path& work = transaction_->working_path();
  if (kind_ == Kind::file) {
    kept_ = std::make_unique<Stream>(collection_, io::open_sink(files, work, *target_.codec), target_.format, added_);
    return;
  }
  files.create_folders(work);
  if (!writes_records()) return;
  const auto stream = [&](const std::string& stem, const io::AddedFields& added) {
    if (!io::impl_of(collection_).single_input)
      return std::make_unique<Stream>(collection_, work / stem, added, context_);
    const io::Source& source = io::impl_of(collection_).first_readable();
    return std::make_unique<Stream>(
        collection_, io::open_sink(files, work / io::name_like(stem, source), *source.codec), source.format, added);
  };
  kept_ = stream("kept", added_);
  if (options_.save_removed) removed_ = stream("removed-records", {});
}

Outputs::~Outputs() = default;

std::string_view Outputs::codec() const {
  return kind_ == Kind::file || kind_ == Kind::stdout_stream ? target_.codec->name : std::string_view();
}

corpus::BadRecordLog::Open Outputs::bad_list() {
  if (kind_ != Kind::folder) return {};
  return [this] { return open("bad.jsonl"); };
}

corpus::BadRecordLog::Open Outputs::quarantine(std::function<void()> announce) {
  if (!quarantines_) return {};
  return [this, announce = std::move(announce)] {
    if (kind_ == Kind::folder) return open("quarantine");
    const fs::path path = quarantine_path(target_);
    quarantine_transaction_ = std::make_unique<io::OutputTransaction>(path, options_.overwrite, context_);
    paths_.push_back(path.string());
    announce();
    return io::open_sink(base::files(context_), quarantine_transaction_->working_path(), io::plain_codec());
  };
}

void Outputs::keep(const io::RecordBatch& batch, std::span<const std::uint8_t> chosen,
                   std::span<const io::Annotation> annotations) {
  companions_ += batch.companions.size();
  kept_->write(batch, chosen, annotations);
}

void Outputs::remove(const io::RecordBatch& batch, std::span<const std::uint8_t> chosen) {
  if (removed_) removed_->write(batch, chosen, {});
}

void Outputs::close_records() {
  if (kept_) kept_->finish();
  if (kept_) copied_companions_ = kept_->companions();
  if (removed_) removed_->finish();
}

void Outputs::write(const std::string& name, const std::function<void(io::ByteSink&)>& put) {
  const auto sink = open(name);
  put(*sink);
  sink->close();
}

void Outputs::write_page(std::string_view html) {
  write(kPageName, [&](io::ByteSink& out) { out.write(html); });
}

std::unique_ptr<io::ByteSink> Outputs::open(const std::string& name) {
  return io::open_sink(base::files(context_), transaction_->working_path() / name, io::plain_codec());
}

corpus::BadRecordLog::Files Outputs::bad_files() const {
  FileSystem& files = base::files(context_);
  const auto if_there = [&](const fs::path& path) { return files.exists(path) ? path : fs::path(); };
  if (kind_ == Kind::folder) {
    const fs::path& work = transaction_->working_path();
    return {.list = if_there(work / "bad.jsonl"), .quarantine = if_there(work / "quarantine")};
  }
  return {.list = {}, .quarantine = quarantine_transaction_ ? quarantine_transaction_->working_path() : fs::path()};
}

std::vector<fs::path> Outputs::unfinished() const {
  std::vector<fs::path> paths;
  for (const auto* transaction : {transaction_.get(), quarantine_transaction_.get()}) {
    if (transaction != nullptr) paths.push_back(transaction->working_path());
  }
  return paths;
}

fs::path Outputs::proof() const {
  if (!transaction_) return {};
  return kind_ == Kind::folder ? transaction_->working_path() / "run.json" : transaction_->working_path();
}

void Outputs::commit() { io::OutputTransaction::commit_together({transaction_.get(), quarantine_transaction_.get()}); }

}  // namespace neardup::report

bool neardup::is_folder_output(const std::string& path) {
  return io::parse_target(path).kind == io::Target::Kind::folder;
}
