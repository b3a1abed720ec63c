// How is a document found again by the name that outputs give it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "compare/earlier_run.h"
#include "io/collection.h"
#include "neardup/compare.h"

namespace neardup::comparison {

// Where to look for a document, and what it is called there.
struct Wanted {
  std::string path;               // of the input, for messages
  std::optional<std::string> id;  // none: the only document there is
};

// Looks for one document among all that pass by.
class Search {
 public:
  explicit Search(const Wanted&);

  [[nodiscard]] bool finished() const { return wanted_.id ? found_.has_value() : names_.size() > kNamesShown; }
  void look(const io::Source&, std::uint64_t number, const DocumentView&);
  void bad(const io::Source&, std::uint64_t number, const char* reason);

  [[nodiscard]] bool has_found() const { return found_.has_value(); }
  // Throws Error{usage} or Error{input} when it was not found, or there are several.
  NamedDocument result();

 private:
  static constexpr std::size_t kNamesShown = 3;
  void take(const std::string& name, const io::Source&, const DocumentView&);
  [[nodiscard]] bool is_wanted(const std::string& name, const io::Source&, const DocumentView&);
  [[noreturn]] void throw_several() const;
  [[noreturn]] void throw_missing() const;

  Wanted wanted_;
  std::string repeated_;          // with occurrence_: the other thing that the id can mean
  std::uint64_t occurrence_ = 0;  // 0: none
  std::uint64_t seen_ = 0, records_ = 0, bad_ = 0;
  std::vector<std::string> names_;     // the first few, when no id is given
  std::optional<base::Nearest> near_;  // when an id is given
  std::string bad_reason_;
  std::optional<NamedDocument> found_;
};

// Reads the inputs until all searches have ended.
void scan(const std::vector<std::string>& inputs, const ReadOptions&, const std::vector<Search*>&, const Context&);

// Where the sources of a run can be read again; none: one of them is not there.
std::vector<std::string> inputs_there(const EarlierInputs&, const Context&);
std::string not_there(const EarlierInputs&);

// The part of a path that is a file: the path itself, or the archive whose member it names; empty: there is none.
std::string existing_file(const std::string& path, FileSystem&);

}  // namespace neardup::comparison
