#include "compare/find_documents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/document_text.h"
#include "base/system.h"
#include "base/tsv.h"
#include "neardup/error.h"

namespace neardup::comparison {

Search::Search(const Wanted& wanted) : wanted_(wanted) {
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

void Search::look(const io::Source& source, std::uint64_t number, const DocumentView& document) {
  if (finished()) return;
  ++records_;
  const std::string name = io::record_name(source, number, document.key);
  if (!wanted_.id) {
    if (names_.empty()) take(name, source, document);
    names_.push_back(name);
  } else if (is_wanted(name, source, document)) {
    take(*wanted_.id == name || occurrence_ != 0 ? *wanted_.id : name, source, document);
  } else {
    near_->offer(name);
  }
}

bool Search::is_wanted(const std::string& name, const io::Source& source, const DocumentView& document) {
  const std::string& id = *wanted_.id;
  if (name == id) return true;
  if (document.key.empty() && id.starts_with(':'))
    return name.size() == source.path.size() + id.size() && name.ends_with(id);
  return name == repeated_ && ++seen_ == occurrence_;
}

void Search::bad(const io::Source& source, std::uint64_t number, const char* reason) {
  if (finished()) return;
  if (bad_++ == 0) bad_reason_ = fmt::format("{}: {}", io::record_name(source, number, ""), reason);
}

NamedDocument Search::result() {
  if (!wanted_.id && names_.size() > 1) throw_several();
  if (!found_ && wanted_.id && records_ > 0) throw_missing();
  if (!found_) {
    throw Error(bad_ > 0 ? ErrorCode::input : ErrorCode::usage,
                bad_ > 0 ? bad_reason_ : fmt::format("{} contains no document", wanted_.path));
  }
  return std::move(*found_);
}

void Search::take(const std::string& name, const io::Source& source, const DocumentView& document) {
  found_ = NamedDocument{name, {}, io::holds_tokens(source)};
  base::copy_document(document, found_->document);
}

void Search::throw_several() const {
  const auto last = names_.begin() + static_cast<std::ptrdiff_t>(std::min(kNamesShown, names_.size()));
  std::string shown = fmt::format("{}", fmt::join(names_.begin(), last, ", "));
  if (names_.size() > kNamesShown) shown += ", ...";
  throw Error(ErrorCode::usage,
              fmt::format("{} contains several documents ({}); name one of them, as in {}#{}", wanted_.path, shown,
                          wanted_.path == "-" ? "/dev/stdin" : wanted_.path, names_.front()));
}

void Search::throw_missing() const {
  std::string message = fmt::format("{} has no document called {} among its {}", wanted_.path, *wanted_.id,
                                    base::counted(records_, "record", "records"));
  if (bad_ > 0) message += fmt::format(", and {} that could not be read", base::with_commas(bad_));
  if (!near_->best().empty()) message += fmt::format("; did you mean {}#{}?", wanted_.path, near_->best());
  throw Error(ErrorCode::usage, message);
}

void scan(const std::vector<std::string>& inputs, const ReadOptions& reading, const std::vector<Search*>& searches,
          const Context& context) {
  const Collection collection = Collection::open(inputs, reading, context);
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

std::vector<std::string> inputs_there(const EarlierInputs& inputs, const Context& context) {
  std::vector<std::string> out;
  for (const std::string& path : inputs.paths) {
    std::string file = path == "-" ? std::string() : existing_file(path, base::files(context));
    if (file.empty()) return {};
    if (out.empty() || out.back() != file) out.push_back(std::move(file));
  }
  return out;
}

std::string not_there(const EarlierInputs& inputs) {
  return inputs.paths.size() == 1 ? fmt::format("{} no longer exists", inputs.paths.front())
                                  : "some inputs of the run no longer exist";
}

std::string existing_file(const std::string& path, FileSystem& files) {
  const auto is_file = [&](const std::string& name) {
    const FileKind kind = files.exists(name) ? files.info(name).kind : FileKind::none;
    return kind != FileKind::none && kind != FileKind::folder;
  };
  if (is_file(path)) return path;
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1)) {
    if (is_file(path.substr(0, at))) return path.substr(0, at);
  }
  return {};
}

}  // namespace neardup::comparison
