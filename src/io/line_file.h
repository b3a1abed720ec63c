// How is a text file of our users read line by line, on all threads, in any codec and encoding?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/pass.h"
#include "neardup/context.h"
#include "neardup/document.h"

namespace neardup::io {

struct LineFile {
  std::string path;
  std::string_view flag;   // that named it
  std::string_view stage;  // what reading it is called
};

Collection open_lines(const LineFile&, const Context&);

// Throws Error{input}: PATH:NUMBER: REASON (FLAG).
[[noreturn]] void refuse_line(const LineFile&, const io::Source&, std::uint64_t number, const std::string& reason);

// Calls `work(part, text, number)` with every line that is not blank and its number, from 1. A part gathers what lines
// that follow each other come to; parts are worked on in parallel. `work` returns an empty string, or why the line is
// refused. `take(part)` gets the parts in the order of the file. Refusals are errors; the first one in the file counts.
template <class Part, class Work, class Take>
void read_lines(const LineFile& file, const Context& context, const Work& work, const Take& take) {
  struct Result final : io::BatchResult {
    Part part;
    std::uint64_t refused = 0;  // number of a line; 0: none
    std::string reason;
  };
  class Worker final : public io::BatchWorker {
   public:
    Worker(std::unique_ptr<io::RecordParser> parser, const Work& each) : parser_(std::move(parser)), work_(each) {}
    std::unique_ptr<io::BatchResult> work(const io::RecordBatch& batch) override {
      auto result = std::make_unique<Result>();
      for (const io::RawRecord& record : batch.records) {
        if (const char* problem = parser_->parse(batch, record, line_)) {
          result->reason = problem;
        } else if (line_.text.find_first_not_of(" \t") != std::string::npos) {
          result->reason = work_(result->part, std::string_view(line_.text), record.number);
        }
        if (result->reason.empty()) continue;
        result->refused = record.number;
        break;
      }
      return result;
    }

   private:
    std::unique_ptr<io::RecordParser> parser_;
    const Work& work_;
    Document line_;
  };

  const Collection lines = open_lines(file, context);
  io::run_pass(
      lines, context, file.stage, [&] { return std::make_unique<Worker>(lines.impl().parser(), work); },
      [&](const io::RecordBatch& batch, io::BatchResult& result) {
        auto& done = static_cast<Result&>(result);
        if (done.refused != 0) refuse_line(file, *batch.source, done.refused, done.reason);
        take(done.part);
      });
}

}  // namespace neardup::io
