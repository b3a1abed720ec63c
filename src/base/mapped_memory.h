// How does a thread get memory that it will write all of, with as few page faults as can be?
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace neardup::base {

// Memory of the system's own, every page of it there at once: that takes two thirds of the time of one fault a page.
class MappedMemory {
 public:
  explicit MappedMemory(std::size_t bytes) : data_(map(bytes), Release{bytes}) {}
  [[nodiscard]] void* data() const { return data_.get(); }

 private:
  static void* map(std::size_t bytes) {
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return data;
  }
  struct Release {
    std::size_t bytes;
    void operator()(void* data) const { munmap(data, bytes); }
  };
  std::unique_ptr<void, Release> data_;
};

}  // namespace neardup::base
