// The texts of a collection, into a file or to standard output.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/choices.h"
#include "base/document_text.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "corpus/bad_records.h"
#include "corpus/row_names.h"
#include "corpus/survey.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/output.h"
#include "neardup/error.h"
#include "neardup/text.h"
#include "report/json_parts.h"
#include "report/run_frame.h"

namespace neardup {
namespace {

constexpr std::array kForms{
    Choice<TextForm>{"text", TextForm::text, "the texts alone; several documents each after a line ==> ID <=="},
    Choice<TextForm>{"jsonl", TextForm::jsonl, "a JSON object per document, with its fields"},
};

const std::vector<std::string>& fields_of_texts() {
  static const std::vector<std::string> fields{"title", "date", "author", "language", "url"};
  return fields;
}

// A document on its way to the output: what comes before its id, and what comes after.
struct ExtractedText {
  std::string name;
  std::uint64_t hash = 0;  // of the name
  std::string rest;
};

// Turns the records of one thread into lines.
class TextExtractor {
 public:
  TextExtractor(const Collection& collection, TextForm form) : hasher_(collection), form_(form) {}

  void operator()(const corpus::SurveyedRecord& record, std::vector<ExtractedText>& out) {
    if (record.document == nullptr) return;
    const DocumentView& document = *record.document;
    ExtractedText& text = out.emplace_back();
    text.name = io::record_name(record.source, record.number, document.key);
    text.hash = hasher_.hash(record.source, record.number, document.key).name;
    text_.clear();
    base::for_each_text(document, [&](std::string_view part) {
      if (!text_.empty()) text_ += '\n';
      text_ += part;
    });
    if (form_ == TextForm::text) {
      text.rest = text_;
      if (!text_.ends_with('\n')) text.rest += '\n';
      return;
    }
    text.rest = ",\"text\":";
    base::append_json_string(text.rest, text_);
    for (std::size_t i = 0; i < fields_of_texts().size(); ++i) {
      if (i >= document.fields.size() || !document.fields[i]) continue;
      text.rest += fmt::format(",\"{}\":", fields_of_texts()[i]);
      base::append_json_string(text.rest, *document.fields[i]);
    }
    if (record.decoding.lacks_main_text) text.rest += ",\"main_text\":false";
    text.rest += "}\n";
  }

 private:
  corpus::NameHasher hasher_;
  TextForm form_;
  std::string text_;
};

// Where texts go: a file under a temporary name until commit(), or standard output.
class TextOutput {
 public:
  TextOutput(const Collection& collection, const TextOptions& options, const Context& context)
      : target_(io::parse_target(options.output.empty() ? "-" : options.output)), form_(form_of(options)) {
    if (target_.kind == io::Target::Kind::null_device) {
      sink_ = io::null_sink();
    } else if (target_.kind == io::Target::Kind::stdout_stream) {
      sink_ = io::stdout_sink(io::plain_codec());
    } else {
      io::check_apart_from_inputs(collection, target_.path);
      transaction_ = std::make_unique<io::OutputTransaction>(target_.path, options.overwrite, context);
      sink_ = io::open_sink(base::files(context), transaction_->working_path(), *target_.codec);
    }
    // One file that is one document needs no names.
    const auto& sources = io::impl_of(collection).sources;
    has_names_ = sources.size() != 1 || !sources.front().problem.empty() || sources.front().documents != nullptr ||
                 !sources.front().format->whole_file;
  }
  [[nodiscard]] TextForm form() const { return form_; }

  void write(const std::string& name, const ExtractedText& text) {
    if (sink_->reader_left()) return;
    std::string head;
    if (form_ == TextForm::jsonl) {
      head = "{\"id\":";
      base::append_json_string(head, name);
    } else if (has_names_) {
      head = fmt::format("{}==> {} <==\n", std::exchange(is_first_, false) ? "" : "\n", name);
    }
    sink_->write(head);
    sink_->write(text.rest);
  }
  void commit() {
    sink_->close();
    if (transaction_) transaction_->commit();
  }

 private:
  [[nodiscard]] TextForm form_of(const TextOptions& options) const {
    const bool is_file = target_.kind == io::Target::Kind::file;
    const std::string_view format = is_file && target_.format != nullptr ? target_.format->name : std::string_view();
    const bool is_jsonl = format == "jsonl";
    if ((is_file && !is_jsonl && format != "text") || target_.kind == io::Target::Kind::folder) {
      throw Error(ErrorCode::usage,
                  "texts are written as text or JSONL: `output` must end in .txt or .jsonl (also .txt.gz, "
                  ".jsonl.zst, ...), or be -",
                  "output");
    }
    return options.form.value_or(is_jsonl ? TextForm::jsonl : TextForm::text);
  }

  io::Target target_;
  TextForm form_;
  std::unique_ptr<io::OutputTransaction> transaction_;
  std::unique_ptr<io::ByteSink> sink_;
  bool has_names_ = true, is_first_ = true;
};

}  // namespace

TextForm parse_text_form(std::string_view text) { return base::parse_choice<TextForm>("form", text, kForms); }
std::string to_string(TextForm form) { return base::choice_name<TextForm>(form, kForms); }
std::span<const Choice<TextForm>> text_form_choices() { return kForms; }

TextReport write_texts(const Collection& collection, const TextOptions& options, const Context& given) {
  return base::guarded(given, [&](const Context& context) {
    if (options.on_bad_record == OnBadRecord::quarantine) {
      throw Error(ErrorCode::usage, "`on_bad_record=quarantine` is for dedup; here it is skip or fail",
                  "on_bad_record");
    }
    if (io::holds_tokens(io::impl_of(collection).first_readable()))
      throw Error(ErrorCode::usage, "the input consists of sets of integers, which have no text");
    TextReport report;
    report::RunFrame frame(report, context);
    if (context.observer != nullptr) context.observer->plan(std::vector<PlannedStage>{{"extracting", 1}});
    TextOutput output(collection, options, context);
    corpus::ContentHash content(collection);
    corpus::BadRecordLog bad(options.on_bad_record, {}, {});
    corpus::NamesInOrder names(base::reservation(context));
    corpus::survey_collection<std::vector<ExtractedText>>(
        collection, {.stage = "extracting", .fields = fields_of_texts()}, bad,
        [&] { return TextExtractor(collection, output.form()); },
        [&](const io::RecordBatch&, const std::vector<ExtractedText>& texts) {
          for (const ExtractedText& text : texts) output.write(names.unique(text.name, text.hash), text);
          names.hold_memory();
        },
        report, content, context);
    output.commit();
    report.repeated_ids = names.repeats();
    if (options.output != "-") report.outputs.push_back(options.output);
    if (report.repeated_ids > 0) frame.warn(corpus::repeated_ids_warning(report.repeated_ids));
    frame.measure();
    return report;
  });
}

std::string to_json(const TextReport& report) {
  return base::json_object([&](base::JsonWriter& json) {
    report::write_head(json, "text");
    json.members({{"documents", report.documents()}, {"text_bytes", report.text_bytes}});
    report::write_oddities(json, report);
    report::write_first_bad_records(json, report.bad);
    json.members(
        {{"seconds", base::JsonValue::rounded(report.seconds, 3)}, {"peak_memory_bytes", report.peak_memory_bytes}});
  });
}

}  // namespace neardup
