#include "match/fingerprint_output.h"

#include <utility>

#include "base/system.h"
#include "base/tsv.h"
#include "io/codecs/codecs.h"
#include "neardup/error.h"
#include "neardup/version.h"

namespace neardup::matching {
namespace {

class TextSink final : public io::FingerprintSink {
 public:
  explicit TextSink(std::unique_ptr<io::ByteSink> out) : out_(std::move(out)) {}
  void add(const io::FingerprintRecord& record) override {
    out_->write(to_hex(record.fingerprint) + '\t' + base::escape_tsv(record.id) + '\n');
  }
  void close() override { out_->close(); }

 private:
  std::unique_ptr<io::ByteSink> out_;
};

bool is_fps(const io::Target& target) { return io::ends_in(target.path.string(), io::kFpsExtension); }

}  // namespace

FingerprintOutput::FingerprintOutput(const FingerprintFileOptions& options, const Context& context,
                                     const std::function<void(const std::filesystem::path&)>& check)
    : context_(context), target_(io::parse_target(options.output)) {
  const bool is_file = target_.kind == io::Target::Kind::file && target_.format == nullptr;
  if (!is_file && target_.kind != io::Target::Kind::stdout_stream) {
    throw Error(
        ErrorCode::usage,
        "fingerprints are written as .fps or as text: `output` must end in .fps, .hex, .hex.gz or .hex.zst, or be -",
        "output");
  }
  wants_volatility_ = is_file && is_fps(target_) && options.volatility;
  if (!is_file) return;
  check(target_.path);
  transaction_ = std::make_unique<io::OutputTransaction>(target_.path, options.overwrite, context);
}

std::unique_ptr<io::FingerprintSink> FingerprintOutput::open(const io::FingerprintHeader& header) {
  if (transaction_ == nullptr) return std::make_unique<TextSink>(io::stdout_sink(io::plain_codec()));
  auto out = io::open_sink(base::files(context_), transaction_->working_path(), *target_.codec);
  if (!is_fps(target_)) return std::make_unique<TextSink>(std::move(out));
  io::FingerprintHeader whole = header;
  whole.tool = version();
  return std::make_unique<io::FingerprintFileWriter>(std::move(out), std::move(whole));
}

void FingerprintOutput::commit() {
  if (transaction_) transaction_->commit();
}

}  // namespace neardup::matching
