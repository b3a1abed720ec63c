// Where do fingerprints come from, whichever form their file has?
//
// .fps files are recognised by their first bytes; everything else is text: 16 hex digits, or - for a document without
// features, then perhaps a TAB and an id, a line each, plain or compressed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/fps/file.h"
#include "neardup/context.h"

namespace neardup::io {

// Goes through the records of a source, block by block. Not thread-safe.
class FingerprintReader {
 public:
  virtual ~FingerprintReader() = default;
  // On to the next block, which costs little before it is loaded; false at the end.
  virtual bool next() = 0;
  [[nodiscard]] virtual std::uint64_t first_row() const = 0;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  // The ids are names: where the file has none, PATH:LINE (for .fps, PATH:RECORD).
  virtual void load(io::FingerprintSections, io::FingerprintBlock& out) = 0;
};

// Threads: const members may run concurrently.
class FingerprintSource {
 public:
  virtual ~FingerprintSource() = default;
  // As the user called it.
  [[nodiscard]] const std::string& name() const { return name_; }
  // How the fingerprints were made; text does not say.
  [[nodiscard]] virtual const std::optional<io::FingerprintMaking>& making() const = 0;
  [[nodiscard]] virtual FingerprintOrder order() const = 0;
  [[nodiscard]] virtual bool has_volatility() const = 0;
  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  [[nodiscard]] virtual std::uint64_t missing() const = 0;  // documents without features among them
  // From the block of row `from` on, or from an earlier one.
  [[nodiscard]] virtual std::unique_ptr<FingerprintReader> read(std::uint64_t from) const = 0;

 protected:
  explicit FingerprintSource(std::string name) : name_(std::move(name)) {}
  std::string name_;
};

// A file or standard input ("-", which is spooled). Small files are checked as a whole at once, text too; large .fps
// files as they are read. Throws Error{corrupt} for what is not a fingerprint file, Error{limit} for 2^32 records.
std::unique_ptr<FingerprintSource> open_fingerprints(const std::string& path, const Context&);

// Throws Error{usage} that says what differs when the two were made in different ways.
void check_same_making(const FingerprintSource&, const FingerprintSource&);

// A part of a source that is searched or searched in: only documents that have a fingerprint.
struct FingerprintChunk {
  std::vector<std::uint64_t> bits;
  std::vector<Volatility> volatility;
  std::uint64_t first_row = 0;
  std::vector<std::uint32_t> rows;  // of each fingerprint; empty when they follow first_row without a gap

  [[nodiscard]] std::uint64_t row(std::uint64_t i) const { return rows.empty() ? first_row + i : rows[i]; }
  // Keeps those for which wanted(place) holds.
  template <class Wanted>
  void keep(const Wanted& wanted);
};

// Reads rows [begin, end) in chunks, the next one while the caller works on the last: on a thread of its own, which
// does not count among Context::threads. Not thread-safe.
class ChunkReader {
 public:
  enum class Ahead { none, one };  // none: the next chunk is read when it is asked for
  ChunkReader(const FingerprintSource&, std::uint64_t begin, std::uint64_t end, std::size_t chunk_rows,
              io::FingerprintSections, Ahead);
  ~ChunkReader();
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;
  // False at the end. A chunk may be empty: all its documents are without features.
  bool next(FingerprintChunk& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class Wanted>
void FingerprintChunk::keep(const Wanted& wanted) {
  std::vector<std::uint32_t> kept_rows;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!wanted(i)) continue;
    kept_rows.push_back(static_cast<std::uint32_t>(row(i)));
    bits[kept] = bits[i];
    if (!volatility.empty()) volatility[kept] = volatility[i];
    ++kept;
  }
  bits.resize(kept);
  if (!volatility.empty()) volatility.resize(kept);
  rows = std::move(kept_rows);
}

}  // namespace neardup::io
