#include "search/set_spill.h"

namespace neardup::search {
namespace {

constexpr std::size_t kPendingFeatures = std::size_t{1} << 17;

}  // namespace

SetSpill::SetSpill(const Context& context)
    : temp_(context),
      files_(base::files(context)),
      out_(files_.create(temp_.path() / "sets")),
      memory_(base::reservation(context)) {
  pending_.reserve(kPendingFeatures);
  hold();
}

void SetSpill::add(unsigned side, Unit unit, std::span<const Feature> set) {
  entries_.push_back({.offset = added_, .count = static_cast<std::uint32_t>(set.size()), .unit = unit, .side = side});
  added_ += set.size();
  pending_.insert(pending_.end(), set.begin(), set.end());
  if (pending_.size() < kPendingFeatures) return;
  write_pending();
  hold();
}

void SetSpill::finish() {
  write_pending();
  std::vector<Feature>().swap(pending_);
  hold();
  out_->close();
  out_.reset();
  in_ = files_.open(temp_.path() / "sets");
  in_->expect(Access::random);
}

void SetSpill::read(std::size_t i, std::vector<Feature>& set) const {
  set.resize(entries_[i].count);
  read(i, set.data());
}

void SetSpill::read(std::size_t i, Feature* to) const {
  in_->read_at(entries_[i].offset * sizeof(Feature),
               {reinterpret_cast<char*>(to), entries_[i].count * sizeof(Feature)});
}

void SetSpill::hold() { memory_.hold(entries_.capacity() * sizeof(Entry) + pending_.capacity() * sizeof(Feature)); }

void SetSpill::write_pending() {
  out_->write({reinterpret_cast<const char*>(pending_.data()), pending_.size() * sizeof(Feature)});
  pending_.clear();
}

}  // namespace neardup::search
