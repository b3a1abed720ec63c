// Where do written fingerprints go: text or .fps, as they came or ascending?
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "io/fps/file.h"
#include "io/output.h"
#include "neardup/context.h"
#include "neardup/fingerprint.h"

namespace neardup::matching {

// Takes records one by one. Not thread-safe.
class FingerprintSink {
 public:
  virtual ~FingerprintSink() = default;
  // `volatility` may be null where the sink has no use for it.
  virtual void add(const std::optional<Fingerprint>&, const Volatility* volatility, std::string_view id) = 0;
  virtual void close() = 0;
};

// A file under a temporary name until commit(), or standard output.
class FingerprintOutput {
 public:
  // `check` may refuse a file's path. Throws Error{usage} for a name that is no place for fingerprints.
  FingerprintOutput(const FingerprintOptions&, const Context&,
                    const std::function<void(const std::filesystem::path&)>& check);
  // Whether the volatility of documents will be kept.
  [[nodiscard]] bool wants_volatility() const { return wants_volatility_; }
  // Starts writing. Call once.
  std::unique_ptr<FingerprintSink> open(const io::FingerprintHeader&);
  void commit();

 private:
  const Context& context_;
  io::Target target_;
  bool wants_volatility_ = false;
  std::unique_ptr<io::OutputTransaction> transaction_;
};

}  // namespace neardup::matching
