// How do fingerprints come into ascending order when they may not all fit into memory?
//
// Records are sorted in runs; runs beyond the memory limit wait in temporary .fps files, and files that are ascending
// already are runs. Neighbouring runs are merged, so that equal fingerprints stay in the order of their
// arrival. Documents without features come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/system.h"
#include "io/fps/source.h"
#include "neardup/context.h"
#include "neardup/memory.h"

namespace neardup::matching {

class FingerprintSorter final : public io::FingerprintSink {
 public:
  enum class Volatilities { kept, dropped };
  // Records go to `out`, in order, when this is closed.
  FingerprintSorter(std::unique_ptr<io::FingerprintSink> out, Volatilities, std::size_t memory_bytes, const Context&);
  ~FingerprintSorter() override;

  void add(const io::FingerprintRecord&) override;
  // A whole source behind what was added so far. It must outlive this. Error{corrupt}, when closing, if it says that it
  // is ascending and is not.
  void add(const io::FingerprintSource&);
  void close() override;

 private:
  struct Run;
  void spill();
  void merge(std::span<const Run> runs, io::FingerprintSink& out) const;
  void each_sorted(io::FingerprintSink& out) const;
  [[nodiscard]] std::size_t held_bytes() const;
  std::unique_ptr<io::FingerprintSink> create_run(std::vector<Run>& runs);

  std::unique_ptr<io::FingerprintSink> out_;
  bool volatility_;
  std::size_t memory_bytes_;
  const Context& context_;
  io::FingerprintBlock held_;
  std::vector<Run> runs_;
  std::unique_ptr<base::TempFolder> temp_;
  std::uint64_t runs_made_ = 0;
  Reservation memory_;
};

}  // namespace neardup::matching
