#include "index/preparing.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <utility>

#include "base/document_text.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "io/read_options.h"
#include "neardup/error.h"
#include "neardup/sketch.h"
#include "text/page_text_reader.h"

namespace neardup::indexing {
namespace {

void check_index_key(std::string_view key) {
  if (key.empty()) throw Error(ErrorCode::usage, "a document without a key: an index needs one");
  if (key.size() > kMostKeyBytes)
    throw Error(ErrorCode::usage, fmt::format("the key \"{}…\" has {} bytes: at most {} are allowed",
                                              base::cut_to_code_point(key, 40), key.size(), kMostKeyBytes));
  if (!base::is_valid_utf8(key)) throw Error(ErrorCode::usage, "a key is not valid UTF-8");
}

}  // namespace

// What one thread needs.
struct Preparer::Worker {
  explicit Worker(const Definition& definition) : sketcher(definition) {}
  Sketcher sketcher;
  text::PageTextReader pages;
  text::Page page;
  std::string repaired;
  TextRow row;

  // Fills `row` with the text as it is compared.
  void take_text(const IndexDocument& document, Html html) {
    row.text.clear();
    row.text_ends.clear();
    const bool has_fields = !document.document.texts.empty() || !document.document.text_ends.empty();
    bool is_first = true;
    base::for_each_text(document.document, [&](std::string_view text) {
      if (!is_first) row.text += '\n';
      is_first = false;
      const std::string_view valid = document.document.is_valid_utf8 ? text : base::repaired_utf8(text, repaired);
      if (const auto wanted = io::wanted_of_page(html, document.is_html, valid)) {
        pages.read(valid, *wanted, text::Links::ignore, page);
        row.text += page.text;
      } else {
        row.text += valid;
      }
      if (has_fields) row.text_ends.push_back(row.text.size());
    });
    row.tokens.assign(document.document.tokens.begin(), document.document.tokens.end());
  }

  void take_fields(const DocumentView& document, std::size_t count) {
    row.fields.assign(count, std::nullopt);
    for (std::size_t i = 0; i < std::min(count, document.fields.size()); ++i) {
      if (document.fields[i]) row.fields[i].emplace(base::repaired_utf8(*document.fields[i], repaired));
    }
  }

  // A view of `row`; `ends` and `fields` are buffers.
  [[nodiscard]] DocumentView view(std::vector<std::size_t>& ends,
                                  std::vector<std::optional<std::string_view>>& fields) const {
    DocumentView view(row.text);
    ends.assign(row.text_ends.begin(), row.text_ends.end());
    fields.assign(row.fields.begin(), row.fields.end());
    view.text_ends = ends;
    view.fields = fields;
    view.tokens = row.tokens;
    view.is_valid_utf8 = true;
    return view;
  }

  void take_content(const DocumentView& document, const ContentRules& rules, PreparedDocument& out) {
    const Definition& definition = rules.definition();
    if (rules.compares_sets()) {
      const std::span<const Feature> set = sketcher.set(document);
      out.content.set.assign(set.begin(), set.end());
      out.features = set.size();
    } else if (const std::optional<Fingerprint> code = sketcher.simhash(document)) {
      out.content.bits = code->bits;
      out.features = 1;
      if (definition.length_ratio.num != 0) out.content.length = sketcher.length(document);
    }
    out.has_features = out.features != 0 && rules.can_match(out.content);
  }
};

// A worker of this thread's own, given back at the end.
class Preparer::Lease {
 public:
  explicit Lease(const Preparer& owner) : owner_(owner) {
    {
      const std::lock_guard lock(owner.mutex_);
      if (!owner.idle_.empty()) {
        worker_ = std::move(owner.idle_.back());
        owner.idle_.pop_back();
      }
    }
    if (!worker_) worker_ = std::make_unique<Worker>(owner.rules_.options.definition);
  }
  ~Lease() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.idle_.push_back(std::move(worker_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Worker& operator*() { return *worker_; }

 private:
  const Preparer& owner_;
  std::unique_ptr<Worker> worker_;
};

Preparer::Preparer(const IndexRules& rules, std::vector<std::string> fields, Context context)
    : rules_(rules), fields_(std::move(fields)), context_(std::move(context)) {}
Preparer::~Preparer() = default;

namespace {

// Small batches are not worth a second thread.
void each_in_parallel(const Context& context, std::size_t count,
                      const std::function<void(std::size_t first, std::size_t last)>& body) {
  constexpr std::size_t kFew = 8;
  if (count <= kFew) return body(0, count);
  base::parallel_for(context, count, body);
}

std::uint64_t hash_row(std::string_view row) { return std::max<std::uint64_t>(1, XXH3_64bits(row.data(), row.size())); }

void check_fingerprint(const IndexRules& rules) {
  if (rules.options.definition.measure != Measure::hamming)
    throw Error(ErrorCode::usage, "a ready fingerprint: this index compares texts", "measure");
  if (rules.options.definition.length_ratio.num != 0)
    throw Error(ErrorCode::usage, "a ready fingerprint has no length, which this index compares", "length_ratio");
}

}  // namespace

void Preparer::prepare_one(Worker& worker, const IndexDocument& document, Html html, PreparedDocument& out) const {
  check_index_key(document.document.key);
  out.key = document.document.key;
  worker.row = {};
  if (document.fingerprint) {
    check_fingerprint(rules_);
    out.content.bits = document.fingerprint->bits;
    out.features = 1;
    out.has_features = true;
  } else {
    worker.take_text(document, html);
  }
  worker.take_fields(document.document, fields_.size());
  std::vector<std::size_t> ends;
  std::vector<std::optional<std::string_view>> fields;
  const DocumentView view = worker.view(ends, fields);
  if (!document.fingerprint) worker.take_content(view, rules_.content, out);
  out.keep = rules_.order.values(view, fields_);
  if (document.fingerprint && fields_.empty()) return;
  out.text_row = encode(worker.row);
  out.hash = hash_row(out.text_row);
}

std::vector<PreparedDocument> Preparer::prepare(std::span<const IndexDocument> documents) const {
  std::vector<PreparedDocument> prepared(documents.size());
  each_in_parallel(context_, documents.size(), [&](std::size_t first, std::size_t last) {
    Lease lease(*this);
    for (std::size_t i = first; i < last; ++i) prepare_one(*lease, documents[i], rules_.options.html, prepared[i]);
  });
  return prepared;
}

PreparedDocument Preparer::prepare_read(const DocumentView& document) const {
  Lease lease(*this);
  PreparedDocument prepared;
  prepare_one(*lease, document, Html::off, prepared);
  return prepared;
}

std::optional<Content> Preparer::content_read(const DocumentView& document) const {
  Lease lease(*this);
  Worker& worker = *lease;
  std::vector<std::size_t> ends;
  std::vector<std::optional<std::string_view>> fields;
  PreparedDocument out;
  worker.row = {};
  worker.take_text(document, Html::off);
  worker.take_content(worker.view(ends, fields), rules_.content, out);
  if (!out.has_features) return std::nullopt;
  return std::move(out.content);
}

void Preparer::each_content(std::span<const IndexDocument> documents,
                            const std::function<void(std::size_t, const Content&)>& visit) const {
  each_in_parallel(context_, documents.size(), [&](std::size_t first, std::size_t last) {
    Lease lease(*this);
    Worker& worker = *lease;
    std::vector<std::size_t> ends;
    std::vector<std::optional<std::string_view>> fields;
    PreparedDocument out;
    for (std::size_t i = first; i < last; ++i) {
      if (documents[i].fingerprint) {
        check_fingerprint(rules_);
        out.content.bits = documents[i].fingerprint->bits;
        visit(i, out.content);
        continue;
      }
      worker.row = {};
      worker.take_text(documents[i], rules_.options.html);
      out.has_features = false;
      out.features = 0;
      worker.take_content(worker.view(ends, fields), rules_.content, out);
      if (out.has_features) visit(i, out.content);
    }
  });
}

PreparedDocument Preparer::prepare_again(std::string_view key, const TextRow& row) const {
  Lease lease(*this);
  Worker& worker = *lease;
  std::vector<std::size_t> ends;
  std::vector<std::optional<std::string_view>> fields;
  PreparedDocument out;
  out.key = key;
  worker.row = row;
  const DocumentView view = worker.view(ends, fields);
  worker.take_content(view, rules_.content, out);
  out.keep = rules_.order.values(view, fields_);
  out.text_row = encode(row);
  out.hash = hash_row(out.text_row);
  return out;
}

}  // namespace neardup::indexing
