#include "neardup/memory.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "neardup/error.h"

namespace neardup {

// What is shared by a budget and its reservations, whichever lives longer.
struct Reservation::Ledger {
  explicit Ledger(std::size_t bytes) : limit(bytes) {}
  const std::size_t limit;
  std::atomic<std::size_t> reserved = 0;
};

Reservation::Reservation(MemoryBudget& budget) : ledger_(budget.ledger_) {}
Reservation::~Reservation() { hold(0); }
Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(std::move(other.ledger_)), bytes_(std::exchange(other.bytes_, 0)) {}
Reservation& Reservation::operator=(Reservation&& other) noexcept {
  std::swap(ledger_, other.ledger_);
  std::swap(bytes_, other.bytes_);
  if (this != &other) other.hold(0);
  return *this;
}

void Reservation::hold(std::size_t bytes) noexcept {
  if (ledger_ != nullptr) ledger_->reserved += bytes - bytes_;  // modulo 2^64: less is taken off
  bytes_ = bytes;
}

bool Reservation::try_resize(std::size_t bytes) noexcept {
  if (ledger_ == nullptr || bytes <= bytes_) {
    hold(bytes);
    return true;
  }
  const std::size_t more = bytes - bytes_;
  std::size_t before = ledger_->reserved;
  do {
    if (before > ledger_->limit || more > ledger_->limit - before) return false;
  } while (!ledger_->reserved.compare_exchange_weak(before, before + more));
  bytes_ = bytes;
  return true;
}

void Reservation::resize(std::size_t bytes, std::string_view what) {
  if (try_resize(bytes)) return;
  constexpr double kMegabyte = 1 << 20;
  const std::size_t reserved = ledger_->reserved, others = reserved - bytes_;
  throw Error(ErrorCode::limit,
              fmt::format("{} takes {:.1f} MB, and {:.1f} MB of the {:.1f} MB of `memory` are in use for other things; "
                          "allow more",
                          what, static_cast<double>(bytes) / kMegabyte, static_cast<double>(others) / kMegabyte,
                          static_cast<double>(ledger_->limit) / kMegabyte),
              "memory");
}

MemoryBudget::MemoryBudget(std::size_t limit_bytes)
    : ledger_(std::make_shared<Reservation::Ledger>(limit_bytes != 0 ? limit_bytes : default_memory_bytes())) {}

std::size_t MemoryBudget::limit() const noexcept { return ledger_->limit; }
std::size_t MemoryBudget::reserved() const noexcept { return ledger_->reserved; }
std::size_t MemoryBudget::left() const noexcept {
  const std::size_t taken = reserved();
  return taken < limit() ? limit() - taken : 0;
}

std::optional<Reservation> MemoryBudget::try_reserve(std::size_t bytes) {
  Reservation reservation(*this);
  if (!reservation.try_resize(bytes)) return std::nullopt;
  return reservation;
}

Reservation MemoryBudget::reserve(std::size_t bytes, std::string_view what) {
  Reservation reservation(*this);
  reservation.resize(bytes, what);
  return reservation;
}

}  // namespace neardup
