// Files of a test's own: a folder that vanishes with the test, and what stands in it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>

#include "neardup/error.h"

namespace neardup::test {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::path(::testing::TempDir()) / "neardup-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path << " is missing";
  return {std::istreambuf_iterator<char>(in), {}};
}

// Every file below a folder with its bytes; folders end in a slash and have none.
inline std::map<std::string, std::string> everything_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_directory()) {
      found[name + "/"];
    } else {
      found[name] = bytes_of(entry.path());
    }
  }
  return found;
}

// The message of the error that `call` throws.
template <class Call>
std::string error_of(ErrorCode code, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

// The option that the error is about.
template <class Call>
std::string option_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.option();
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace neardup::test
