// Where do written fingerprints go: text or .fps, to a file or to standard output?
#pragma once

#include <functional>
#include <memory>

#include "io/fps/file.h"
#include "io/output.h"
#include "neardup/context.h"
#include "neardup/fingerprint.h"

namespace neardup::matching {

// A file under a temporary name until commit(), or standard output.
class FingerprintOutput {
 public:
  // `check` may refuse a file's path. Throws Error{usage} for a name that is no place for fingerprints.
  FingerprintOutput(const FingerprintFileOptions&, const Context&,
                    const std::function<void(const std::filesystem::path&)>& check);
  // Whether the volatility of documents will be kept.
  [[nodiscard]] bool wants_volatility() const { return wants_volatility_; }
  // Starts writing. Call once.
  std::unique_ptr<io::FingerprintSink> open(const io::FingerprintHeader&);
  void commit();

 private:
  const Context& context_;
  io::Target target_;
  bool wants_volatility_ = false;
  std::unique_ptr<io::OutputTransaction> transaction_;
};

}  // namespace neardup::matching
