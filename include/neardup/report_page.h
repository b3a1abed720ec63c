// One self-contained HTML page about an earlier run: what came in, what was removed and why.
//
//   neardup::write_report_page("out", {}, context);  // out/report.html
#pragma once

#include <cstdint>
#include <string>

#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup {

struct ReportPageOptions {
  bool texts = true;   // read examples from the inputs of the run, to show how they differ
  std::string path{};  // of the page; empty: report.html in the folder of the run; "-": standard output
  Overwrite overwrite = Overwrite::refuse;
};

// The page for the output folder of deduplicate() or clean_up(): at most 5 MB of HTML that loads nothing. Reads
// run.json and the lists, and the inputs until all examples are found; without the inputs it has no texts, and says so.
// Throws Error{input} when it is not such a folder.
std::string make_report_page(const std::string& folder, const ReportPageOptions&, const Context&);

struct WrittenPage {
  std::string path;
  std::uint64_t bytes = 0;
};
// The same, written to a file.
WrittenPage write_report_page(const std::string& folder, const ReportPageOptions&, const Context&);
std::string to_json(const WrittenPage&);

}  // namespace neardup
