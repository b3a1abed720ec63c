// How much memory may a call take, and how do several calls share it?
//
// Whatever grows with the data is reserved from a budget for as long as it is held: tables of documents, indexes,
// pairs, the batches that are being read. What does not fit goes to temporary files where it can; the rest is refused
// with Error{limit}. Nobody looks at the size of the process, so a budget means the same in a program, a service and a
// container, whatever else lives there. It counts what the library holds, not the program itself, its stacks, or what
// an allocator keeps for later: a program that promises a size to its user reserves those itself.
//
//   auto memory = std::make_shared<neardup::MemoryBudget>(std::size_t{4} << 30);
//   deduplicate(a, options, {.memory = memory});  // and beside it, on another thread:
//   deduplicate(b, options, {.memory = memory});  // together they take 4 GB
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace neardup {

class MemoryBudget;

// Bytes of a budget, given back when it is destroyed. One that was made without a budget counts nothing and always
// fits. It may outlive its budget. Threads: like a container; those of one budget are independent of each other.
class Reservation {
 public:
  Reservation() = default;
  explicit Reservation(MemoryBudget&);  // of nothing yet
  ~Reservation();
  Reservation(Reservation&&) noexcept;
  Reservation& operator=(Reservation&&) noexcept;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  // Fewer bytes always fit. False, and nothing changes, when so many are not left.
  [[nodiscard]] bool try_resize(std::size_t bytes) noexcept;
  // Error{limit} when so many are not left; `what` needs them ("the index").
  void resize(std::size_t bytes, std::string_view what);
  // For what has to be held whatever the limit says: counted even where it goes beyond it.
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
  [[nodiscard]] std::size_t reserved() const noexcept;  // above the limit only by what Reservation::hold() counted
  [[nodiscard]] std::size_t left() const noexcept;

  // Nothing when so many bytes are not left.
  [[nodiscard]] std::optional<Reservation> try_reserve(std::size_t bytes);
  // Error{limit}, about the option `memory`, when so many bytes are not left.
  [[nodiscard]] Reservation reserve(std::size_t bytes, std::string_view what);

 private:
  friend class Reservation;
  std::shared_ptr<Reservation::Ledger> ledger_;
};

// Half of what this process may take: of the machine's memory, or of the least that its control groups (cgroups)
// allow.
std::size_t default_memory_bytes();

}  // namespace neardup
