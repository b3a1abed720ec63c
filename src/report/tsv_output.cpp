#include "report/tsv_output.h"

#include "base/system.h"
#include "io/codecs/codecs.h"
#include "io/formats/formats.h"
#include "neardup/error.h"

namespace neardup::report {

TsvOutput::TsvOutput(const std::string& path, Overwrite overwrite, const Context& context) {
  const io::Target target = io::parse_target(path);
  if (target.kind == io::Target::Kind::stdout_stream) {
    out_ = io::stdout_sink(io::plain_codec());
    return;
  }
  if (target.kind == io::Target::Kind::null_device) {
    out_ = io::null_sink();
    return;
  }
  if (target.kind != io::Target::Kind::file || target.format == nullptr || target.format->name != "tsv") {
    throw Error(ErrorCode::usage, "pairs are written as TSV: `output` must end in .tsv, .tsv.gz or .tsv.zst, or be -",
                "output");
  }
  transaction_ = std::make_unique<io::OutputTransaction>(target.path, overwrite, context);
  out_ = io::open_sink(base::files(context), transaction_->working_path(), *target.codec);
}

}  // namespace neardup::report
