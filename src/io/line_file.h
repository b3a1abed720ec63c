// How is a text file of our users read line by line, on all threads, in any codec and encoding?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/pass.h"
#include "neardup/collection.h"
#include "neardup/context.h"

namespace neardup::io {

struct LineFile {
  std::string path;
  std::string option;      // that named it
  std::string_view stage;  // what reading it is called
};

Collection open_lines(const LineFile&, const Context&);

// Throws Error{input}: PATH:NUMBER: REASON.
[[noreturn]] void refuse_line(const LineFile&, const Source&, std::uint64_t number, const std::string& reason);

// Calls `work(part, text, number)` with every line that is not blank and its number, from 1. A part gathers what lines
// that follow each other come to; parts are worked on in parallel. `work` returns an empty string, or why the line is
// refused. `take(part)` gets the parts in the order of the file. Refusals are errors; the first one in the file counts.
template <class Part, class Work, class Take>
void read_lines(const LineFile& file, const Context& context, const Work& work, const Take& take) {
  struct Lines {
    Part part;
    std::uint64_t refused = 0;  // number of a line; 0: none
    std::string reason;
  };
  const Collection lines = open_lines(file, context);
  const CollectionImpl& impl = impl_of(lines);
  run_pass<Lines>(
      lines, impl.options, context, file.stage,
      [&] {
        return [&, parser = impl.parser(impl.options), line = DocumentView()](const RecordBatch& batch,
                                                                              Lines& out) mutable {
          for (std::size_t place = 0; place < batch.size(); ++place) {
            if (const char* problem = parser->parse(batch, place, line)) {
              out.reason = problem;
            } else if (line.text.find_first_not_of(" \t") != std::string_view::npos) {
              out.reason = work(out.part, line.text, batch.number(place));
            }
            if (out.reason.empty()) continue;
            out.refused = batch.number(place);
            break;
          }
        };
      },
      [&](const RecordBatch& batch, Lines& done) {
        if (done.refused != 0) refuse_line(file, *batch.source, done.refused, done.reason);
        take(done.part);
      });
}

}  // namespace neardup::io
