#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/document_text.h"
#include "base/guard.h"
#include "base/nearest.h"
#include "base/system.h"
#include "base/tsv.h"
#include "io/collection.h"
#include "neardup/compare.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::string_view kStandardInput = "-";
constexpr std::size_t kNamesShown = 3;

struct Wanted {
  std::string path;
  std::optional<std::string> id;
};

Wanted parse_wanted(const std::string& argument, FileSystem& files) {
  for (std::size_t at = argument.find('#'); at != std::string::npos; at = argument.find('#', at + 1)) {
    const std::string path = argument.substr(0, at);
    const FileKind kind = files.exists(path) ? files.info(path).kind : FileKind::none;
    if (kind != FileKind::none && kind != FileKind::folder) return {path, argument.substr(at + 1)};
  }
  return {argument, std::nullopt};
}

// Looks for one document among all that pass by.
class Search {
 public:
  explicit Search(const Wanted& wanted) : wanted_(wanted) {
    if (!wanted.id) return;
    near_.emplace(*wanted.id);
    // `d1#2` is the second record called d1, or the first one called d1#2.
    const std::string& id = *wanted.id;
    const std::size_t mark = id.rfind('#');
    if (mark == std::string::npos) return;
    const auto number = base::parse_whole(std::string_view(id).substr(mark + 1));
    if (!number || *number < 2 || id[mark + 1] == '0') return;
    repeated_ = id.substr(0, mark);
    occurrence_ = *number;
  }

  [[nodiscard]] bool finished() const { return wanted_.id ? found_.has_value() : names_.size() > kNamesShown; }

  void look(const io::Source& source, std::uint64_t number, const DocumentView& document) {
    if (finished()) return;
    ++records_;
    const std::string name = io::record_name(source, number, document.key);
    if (!wanted_.id) {
      if (names_.empty()) take(name, source, document);
      names_.push_back(name);
      return;
    }
    const std::string& id = *wanted_.id;
    const bool by_place = document.key.empty() && id.starts_with(':') &&
                          name.size() == source.path.size() + id.size() && name.ends_with(id);
    if (name == id || by_place) {
      take(name, source, document);
    } else if (name == repeated_ && ++seen_ == occurrence_) {
      take(id, source, document);
    } else {
      near_->offer(name);
    }
  }

  void bad(const io::Source& source, std::uint64_t number, const char* reason) {
    if (finished()) return;
    if (bad_++ == 0) bad_reason_ = fmt::format("{}: {}", io::record_name(source, number, ""), reason);
  }

  NamedDocument result() {
    if (!wanted_.id && names_.size() > 1) throw_several();
    if (!found_ && wanted_.id && records_ > 0) throw_missing();
    if (!found_) {
      throw Error(bad_ > 0 ? ErrorCode::input : ErrorCode::usage,
                  bad_ > 0 ? bad_reason_ : fmt::format("{} holds no document", wanted_.path));
    }
    return std::move(*found_);
  }

 private:
  void take(const std::string& name, const io::Source& source, const DocumentView& document) {
    found_ = NamedDocument{name, {}, io::holds_tokens(source)};
    base::copy_document(document, found_->document);
  }

  [[noreturn]] void throw_several() const {
    const auto last = names_.begin() + static_cast<std::ptrdiff_t>(std::min(kNamesShown, names_.size()));
    std::string shown = fmt::format("{}", fmt::join(names_.begin(), last, ", "));
    if (names_.size() > kNamesShown) shown += ", ...";
    throw Error(ErrorCode::usage,
                fmt::format("{} holds several documents ({}); name one of them, as in {}#{}", wanted_.path, shown,
                            wanted_.path == kStandardInput ? "/dev/stdin" : wanted_.path, names_.front()));
  }

  [[noreturn]] void throw_missing() const {
    std::string message = fmt::format("{} has no document called {} among its {} record{}", wanted_.path, *wanted_.id,
                                      records_, records_ == 1 ? "" : "s");
    if (bad_ > 0) message += fmt::format(", and {} that could not be read", bad_);
    if (!near_->best().empty()) message += fmt::format("; did you mean {}#{}?", wanted_.path, near_->best());
    throw Error(ErrorCode::usage, message);
  }

  const Wanted& wanted_;
  std::string repeated_;          // with occurrence_: the other thing that the id can mean
  std::uint64_t occurrence_ = 0;  // 0: none
  std::uint64_t seen_ = 0, records_ = 0, bad_ = 0;
  std::vector<std::string> names_;     // the first few, when no id is given
  std::optional<base::Nearest> near_;  // when an id is given
  std::string bad_reason_;
  std::optional<NamedDocument> found_;
};

// Reads the input until all searches have ended.
void scan(const std::string& path, const ReadOptions& reading, const std::vector<Search*>& searches,
          const Context& context) {
  const Collection collection = Collection::open({path}, reading, context);
  const io::CollectionImpl& impl = io::impl_of(collection);
  const auto batches = impl.batches(impl.options, context);
  const auto parser = impl.parser(impl.options);
  const auto finished = [&] {
    return std::all_of(searches.begin(), searches.end(), [](const Search* search) { return search->finished(); });
  };
  if (context.observer != nullptr) context.observer->stage("reading", impl.input_bytes(), "bytes");
  DocumentView document;
  for (io::RecordBatch batch; !finished() && batches->next(batch);) {
    for (std::size_t place = 0; place < batch.size() && !finished(); ++place) {
      const char* problem = parser->parse(batch, place, document);
      for (Search* search : searches) {
        if (problem != nullptr) {
          search->bad(*batch.source, batch.number(place), problem);
        } else {
          search->look(*batch.source, batch.number(place), document);
        }
      }
    }
    if (context.observer != nullptr) context.observer->advance(batch.input_bytes);
  }
}

}  // namespace

std::array<NamedDocument, 2> read_two(const std::string& a, const std::string& b, const ReadOptions& reading,
                                      const Context& context) {
  return base::guarded(context, [&](const Context& call) -> std::array<NamedDocument, 2> {
    FileSystem& files = base::files(call);
    const Wanted left = parse_wanted(a, files), right = parse_wanted(b, files);
    const bool one_input = left.path == right.path;
    if (one_input && left.path == kStandardInput)
      throw Error(ErrorCode::usage, "- is named twice, but standard input can be only one of the two documents");
    Search first(left), second(right);
    if (one_input) {
      scan(left.path, reading, {&first, &second}, call);
    } else {
      scan(left.path, reading, {&first}, call);
      scan(right.path, reading, {&second}, call);
    }
    return {first.result(), second.result()};
  });
}

}  // namespace neardup
