// How much memory may a call take, and how do several calls share it?
//
// Everything that grows with the data is reserved from a budget while it is held: tables of documents, indexes, pairs,
// the batches being read. What does not fit is spilled to temporary files where possible; otherwise the call fails with
// Error{limit}. The size of the process is not consulted, so a budget means the same in a program, a service and a
// container, whatever else runs there. It counts what the library holds, not the program itself, its stacks, or memory
// that an allocator caches: a program that promises a size to its user reserves those itself.
//
//   auto memory = std::make_shared<neardup::MemoryBudget>(std::size_t{4} << 30);
//   deduplicate(a, options, {.memory = memory});  // and at the same time, on another thread:
//   deduplicate(b, options, {.memory = memory});  // together they take 4 GB
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace neardup {

class MemoryBudget;

// Bytes reserved from a budget, released on destruction. A reservation without a budget counts nothing and always
// succeeds. It may outlive its budget. Threads: like a container; those of one budget are independent of each other.
class Reservation {
 public:
  Reservation() = default;
  explicit Reservation(MemoryBudget&);  // of nothing yet
  ~Reservation();
  Reservation(Reservation&&) noexcept;
  Reservation& operator=(Reservation&&) noexcept;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  // Shrinking always succeeds. Returns false, and changes nothing, when the budget has too little left.
  [[nodiscard]] bool try_resize(std::size_t bytes) noexcept;
  // Throws Error{limit} when the budget has too little left; `what` names the purpose ("the index").
  void resize(std::size_t bytes, std::string_view what);
  // For memory that is needed in any case: counted even beyond the limit.
  void hold(std::size_t bytes) noexcept;

 private:
  friend class MemoryBudget;
  struct Ledger;
  std::shared_ptr<Ledger> ledger_;  // null: counts nothing
  std::size_t bytes_ = 0;
};

// Threads: all members may run concurrently.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit_bytes = 0);  // 0: default_memory_bytes()
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  [[nodiscard]] std::size_t limit() const noexcept;
  [[nodiscard]] std::size_t reserved() const noexcept;  // may exceed the limit only through Reservation::hold()
  [[nodiscard]] std::size_t left() const noexcept;

  // Nothing when the budget has too little left.
  [[nodiscard]] std::optional<Reservation> try_reserve(std::size_t bytes);
  // Throws Error{limit} for the option `memory` when the budget has too little left.
  [[nodiscard]] Reservation reserve(std::size_t bytes, std::string_view what);

 private:
  friend class Reservation;
  std::shared_ptr<Reservation::Ledger> ledger_;
};

// Half of the memory available to this process: the machine's, or less if its control groups (cgroups) limit it.
std::size_t default_memory_bytes();

}  // namespace neardup
