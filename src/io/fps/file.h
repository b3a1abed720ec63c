// How are fingerprints stored in a .fps file? docs/formats.md describes it byte by byte.
//
// Blocks of equally many records, each of separate sections with a checksum of their own, so that code that needs only
// the fingerprints reads nothing else; behind them an index of the blocks and a magic number, so that a file that was
// cut short shows it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output.h"
#include "neardup/files.h"
#include "neardup/fingerprint.h"

namespace neardup::io {

inline constexpr std::string_view kFpsExtension = ".fps";
inline constexpr std::string_view kFpsMagic =
    "\x8A"
    "fps\r\n\x1A\n";  // not text, and text conversions break it

// How fingerprints were made. Those made in different ways do not compare.
struct FingerprintMaking {
  std::string features{}, weights{}, projection{};  // the words users type; "tokens" for `sets`
  std::string text{};                               // describe() of the rules for text and words
  std::string field_weights{};                      // "3,1"; empty: fields are not cut apart
  std::string hash{};                               // what turns a feature into 64 bits
  std::uint64_t seed = 0;
  bool bag = false;
  friend bool operator==(const FingerprintMaking&, const FingerprintMaking&) = default;
};
// What differs first, for people: "`features` words:5 and chars:3"; empty when nothing does.
std::string difference(const FingerprintMaking&, const FingerprintMaking&);

struct FingerprintHeader {
  std::optional<FingerprintMaking> making{};  // nothing: they came as text, which does not say
  FingerprintOrder order = FingerprintOrder::input;
  bool volatility = false, ids = true;
  std::uint32_t block_records = 1u << 14;
  std::string tool{};  // the version of neardup that wrote the file
};

// A document's fingerprint, if it has features, and what goes with it.
struct FingerprintRecord {
  std::optional<Fingerprint> fingerprint{};
  const Volatility* volatility = nullptr;  // null: not known, or not needed
  std::string_view id{};
};

// Takes records one by one. Not thread-safe.
class FingerprintSink {
 public:
  virtual ~FingerprintSink() = default;
  virtual void add(const FingerprintRecord&) = 0;
  virtual void close() = 0;
};

// A run of records in memory, in file order.
struct FingerprintBlock {
  std::uint64_t first_row = 0;
  std::vector<std::uint64_t> bits;     // 0 for documents without features
  std::vector<std::uint64_t> missing;  // a bit for each record: the document has no features
  std::vector<Volatility> volatility;
  std::vector<std::uint32_t> id_ends;
  std::string id_bytes;

  [[nodiscard]] std::size_t size() const { return bits.size(); }
  [[nodiscard]] bool is_missing(std::size_t i) const { return (missing[i / 64] >> (i % 64) & 1) != 0; }
  [[nodiscard]] bool has_missing() const;
  [[nodiscard]] std::string_view id(std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : id_ends[i - 1];
    return std::string_view(id_bytes).substr(begin, id_ends[i] - begin);
  }
  [[nodiscard]] FingerprintRecord record(std::size_t i) const {
    return {.fingerprint = is_missing(i) ? std::nullopt : std::optional(Fingerprint{bits[i]}),
            .volatility = volatility.empty() ? nullptr : &volatility[i],
            .id = id_ends.empty() ? std::string_view() : id(i)};
  }
  void clear();
  // Throws Error{limit} when the ids of one block reach 4 GiB.
  void add(const FingerprintRecord&);
};

// What to read of a block besides its fingerprints.
struct FingerprintSections {
  bool volatility = false, ids = false;
};

// Writes records in the order of their addition. Not thread-safe.
class FingerprintFileWriter final : public FingerprintSink {
 public:
  FingerprintFileWriter(std::unique_ptr<ByteSink>, FingerprintHeader);
  // There is a volatility when the header promises it; what the header does not promise is dropped.
  void add(const FingerprintRecord&) override;
  // Writes what is left and closes the sink. A file without it is a file cut short.
  void close() override;

 private:
  void write(std::string_view);
  void write_block();

  std::unique_ptr<ByteSink> sink_;
  FingerprintHeader header_;
  FingerprintBlock block_;
  std::uint64_t written_ = 0, records_ = 0, missing_ = 0;
  std::vector<std::uint64_t> offsets_;
};

// Every function throws Error{corrupt}, with the file's name and what to do, for a file that is damaged, cut short,
// foreign or of another version. No more memory is taken than the file's size justifies.
// Threads: const members may run concurrently.
class FingerprintFile {
 public:
  // `name` is what messages call the file.
  FingerprintFile(std::unique_ptr<InputFile>, std::string name);

  [[nodiscard]] const FingerprintHeader& header() const { return header_; }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] std::uint64_t missing() const { return missing_; }  // documents without features among them
  [[nodiscard]] std::size_t blocks() const { return offsets_.size(); }
  [[nodiscard]] std::uint64_t first_row(std::size_t block) const { return block * header_.block_records; }
  [[nodiscard]] std::size_t rows(std::size_t block) const;
  // Reads and checks the sections asked for; the others of `out` are left empty.
  void load(std::size_t block, FingerprintSections, FingerprintBlock& out) const;
  // Reads everything there is.
  void check() const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_header();
  void read_index();
  [[nodiscard]] std::uint64_t block_bytes(std::size_t block) const;
  // The bytes of a section, checked.
  void read_section(std::size_t block, std::uint64_t offset, std::uint64_t checksum, const char* what,
                    std::span<char> to) const;

  std::unique_ptr<InputFile> file_;
  std::string name_;
  FingerprintHeader header_;
  std::uint64_t first_block_ = 0, index_offset_ = 0;
  std::uint64_t records_ = 0, missing_ = 0;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace neardup::io
