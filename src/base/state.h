// How is the state of an unfinished run saved and loaded so that damage is noticed?
//
// A state file is a sequence of values, arrays and texts in this machine's byte order, then a checksum of everything
// before it. It is read by the version that wrote it, on the same machine, so it says nothing about its own layout.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "neardup/files.h"

namespace neardup::base {

// What may be written as the bytes it consists of. (Pointers inside cannot be told; do not.)
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class StateWriter {
 public:
  StateWriter(FileSystem&, const std::filesystem::path&);  // a file that does not exist yet
  ~StateWriter();
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  void bytes(std::span<const char>);
  template <Plain T>
  void value(const T& value) {
    bytes({reinterpret_cast<const char*>(&value), sizeof(T)});
  }
  template <Plain T>
  void array(std::span<const T> values) {
    value<std::uint64_t>(values.size());
    bytes({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  template <Plain T>
  void array(const std::vector<T>& values) {
    array(std::span<const T>(values));
  }
  void text(std::string_view text) { array(std::span(text.data(), text.size())); }
  // The contents of a file.
  void file(const std::filesystem::path&);

  // Adds the checksum; everything is on disk afterwards.
  void finish();

 private:
  void flush();
  struct Hash;
  FileSystem& files_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<Hash> hash_;
  std::vector<char> buffer_;
};

// Every function throws Error{corrupt} when the file does not have what is asked for; no length in it makes a reader
// take more memory than the file is long.
class StateReader {
 public:
  // Reads the whole file once to compare its checksum.
  StateReader(FileSystem&, const std::filesystem::path&);

  void bytes(std::span<char>);
  template <Plain T>
  T value() {
    T value;
    bytes({reinterpret_cast<char*>(&value), sizeof(T)});
    return value;
  }
  bool flag();  // a bool; anything but 0 and 1 is damage
  template <Plain T>
  std::vector<T> array() {
    std::vector<T> values(count(sizeof(T)));
    bytes({reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)});
    return values;
  }
  template <Plain T>
  void array(std::span<T> out) {  // of a size that is known
    if (count(sizeof(T)) != out.size()) fail();
    bytes({reinterpret_cast<char*>(out.data()), out.size_bytes()});
  }
  std::string text();
  // Hands out what StateWriter::file() took in, piece by piece.
  template <class Take>
  void file(const Take& take) {
    std::vector<char> piece;
    for (std::uint64_t left = count(1); left > 0; left -= piece.size()) {
      piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece)));
      bytes(piece);
      take(std::string_view(piece.data(), piece.size()));
    }
  }
  // How many entries of at least this size follow.
  std::size_t count(std::size_t entry_bytes);
  // To be called when all was read that is known: fails when there is more.
  void finish() const {
    if (at_ != end_) fail();
  }
  [[noreturn]] void fail() const;

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string path_;
  std::unique_ptr<InputFile> file_;
  std::uint64_t at_ = 0, end_ = 0;
  std::uint64_t buffer_at_ = 0;
  std::vector<char> buffer_;
};

}  // namespace neardup::base
