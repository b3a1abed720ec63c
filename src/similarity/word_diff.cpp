#include "similarity/word_diff.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "base/random.h"
#include "base/system.h"

namespace neardup::similarity {
namespace {

using Elements = std::span<const std::uint32_t>;
using Place = std::int32_t;

// A part of the one sequence and a part of the other.
struct Box {
  Place a_begin, a_end, b_begin, b_end;
};

struct Corner {
  Place a, b;
};

constexpr Place kNoRound = std::numeric_limits<Place>::max();

// Marks what differs within boxes.
class Differ {
 public:
  Differ(Elements a, Elements b, std::uint64_t max_steps, const Context& context)
      : a_(a), b_(b), steps_left_(max_steps), context_(context), a_changed_(a.size()), b_changed_(b.size()) {
    // Diagonals a - b run from -|b| - 1 to |a| + 1.
    offset_ = static_cast<std::ptrdiff_t>(b.size()) + 1;
    forward_.resize(a.size() + b.size() + 3);
    backward_.resize(a.size() + b.size() + 3);
  }

  [[nodiscard]] Box whole() const { return {0, static_cast<Place>(a_.size()), 0, static_cast<Place>(b_.size())}; }

  // The shortest way through each box that takes at most 2 `max_rounds` edits to the place where the search is cut.
  // False when the steps are used up, and the marks are then worth nothing.
  bool run(const Box& box, Place max_rounds) {
    pending_.assign(1, box);
    while (!pending_.empty()) {
      const Box next = trimmed(pending_.back());
      pending_.pop_back();
      if (next.a_begin == next.a_end || next.b_begin == next.b_end) {
        mark(next);
        continue;
      }
      const std::optional<Corner> corner = halfway(next, max_rounds);
      if (!corner) return false;
      const bool at_start = corner->a == next.a_begin && corner->b == next.b_begin;
      const bool at_end = corner->a == next.a_end && corner->b == next.b_end;
      if (at_start || at_end) {
        mark(next);
        continue;
      }
      pending_.push_back({corner->a, next.a_end, corner->b, next.b_end});
      pending_.push_back({next.a_begin, corner->a, next.b_begin, corner->b});
    }
    return true;
  }

  void allow(std::uint64_t steps) { steps_left_ = steps; }
  void clear() {
    std::fill(a_changed_.begin(), a_changed_.end(), false);
    std::fill(b_changed_.begin(), b_changed_.end(), false);
  }
  [[nodiscard]] const std::vector<bool>& a_changed() const { return a_changed_; }
  [[nodiscard]] const std::vector<bool>& b_changed() const { return b_changed_; }

 private:
  [[nodiscard]] std::uint32_t at_a(Place i) const { return a_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::uint32_t at_b(Place i) const { return b_[static_cast<std::size_t>(i)]; }
  Place& forward(Place diagonal) { return forward_[static_cast<std::size_t>(diagonal + offset_)]; }
  Place& backward(Place diagonal) { return backward_[static_cast<std::size_t>(diagonal + offset_)]; }

  [[nodiscard]] Box trimmed(Box box) const {
    while (box.a_begin < box.a_end && box.b_begin < box.b_end && at_a(box.a_begin) == at_b(box.b_begin)) {
      ++box.a_begin;
      ++box.b_begin;
    }
    while (box.a_begin < box.a_end && box.b_begin < box.b_end && at_a(box.a_end - 1) == at_b(box.b_end - 1)) {
      --box.a_end;
      --box.b_end;
    }
    return box;
  }

  void mark(const Box& box) {
    std::fill(a_changed_.begin() + box.a_begin, a_changed_.begin() + box.a_end, true);
    std::fill(b_changed_.begin() + box.b_begin, b_changed_.begin() + box.b_end, true);
  }

  bool spend(Place diagonals) {
    const auto steps = static_cast<std::uint64_t>(diagonals) + 1;
    if (steps > steps_left_) return false;
    steps_left_ -= steps;
    return true;
  }

  // Diagonals in reach after so many edits, and how to take in one more on each side.
  struct Reach {
    Place first, last;
    void widen(Place lowest, Place highest) {
      first = first > lowest ? first - 1 : first + 1;
      last = last < highest ? last + 1 : last - 1;
    }
    [[nodiscard]] bool holds(Place diagonal) const { return first <= diagonal && diagonal <= last; }
  };

  // A corner on a shortest way through the box, where the ways from both ends meet; after `max_rounds` edits from each
  // end, the corner that is furthest from its end instead. Nothing when the steps are used up.
  std::optional<Corner> halfway(const Box& box, Place max_rounds) {
    const Place lowest = box.a_begin - box.b_end, highest = box.a_end - box.b_begin;
    const Place start = box.a_begin - box.b_begin, goal = box.a_end - box.b_end;
    const bool odd = ((start - goal) & 1) != 0;
    Reach ahead{start, start}, behind{goal, goal};
    forward(start) = box.a_begin;
    backward(goal) = box.a_end;
    for (Place round = 1;; ++round) {
      base::check_stop(context_);
      if (!spend(ahead.last - ahead.first)) return std::nullopt;
      if (ahead.first > lowest) forward(ahead.first - 2) = -1;
      if (ahead.last < highest) forward(ahead.last + 2) = -1;
      ahead.widen(lowest, highest);
      for (Place d = ahead.last; d >= ahead.first; d -= 2) {
        const Place inserted = forward(d + 1), deleted = forward(d - 1) + 1;
        Place x = std::max(inserted, deleted);
        const Place before = x;
        while (x < box.a_end && x - d < box.b_end && at_a(x) == at_b(x - d)) ++x;
        if (!spend(x - before)) return std::nullopt;
        forward(d) = x;
        if (odd && behind.holds(d) && backward(d) <= x) return Corner{x, x - d};
      }
      if (behind.first > lowest) backward(behind.first - 2) = kNoRound;
      if (behind.last < highest) backward(behind.last + 2) = kNoRound;
      behind.widen(lowest, highest);
      for (Place d = behind.last; d >= behind.first; d -= 2) {
        const Place inserted = backward(d - 1), deleted = backward(d + 1) - 1;
        Place x = std::min(inserted, deleted);
        const Place before = x;
        while (x > box.a_begin && x - d > box.b_begin && at_a(x - 1) == at_b(x - d - 1)) --x;
        if (!spend(before - x)) return std::nullopt;
        backward(d) = x;
        if (!odd && ahead.holds(d) && x <= forward(d)) return Corner{x, x - d};
      }
      if (round >= max_rounds) return furthest(box, ahead, behind);
    }
  }

  Corner furthest(const Box& box, const Reach& ahead, const Reach& behind) {
    Corner from_start{box.a_begin, box.b_begin}, from_end{box.a_end, box.b_end};
    for (Place d = ahead.first; d <= ahead.last; d += 2) {
      const Place x = std::min({forward(d), box.a_end, box.b_end + d});
      if (x + (x - d) > from_start.a + from_start.b) from_start = {x, x - d};
    }
    for (Place d = behind.first; d <= behind.last; d += 2) {
      const Place x = std::max({backward(d), box.a_begin, box.b_begin + d});
      if (x + (x - d) < from_end.a + from_end.b) from_end = {x, x - d};
    }
    const Place covered_from_start = from_start.a + from_start.b - box.a_begin - box.b_begin;
    const Place covered_from_end = box.a_end + box.b_end - from_end.a - from_end.b;
    return covered_from_start >= covered_from_end ? from_start : from_end;
  }

  Elements a_, b_;
  std::uint64_t steps_left_;
  const Context& context_;
  std::ptrdiff_t offset_ = 0;
  std::vector<Place> forward_, backward_;  // by diagonal: how far in `a` the ways from the start and from the end got
  std::vector<bool> a_changed_, b_changed_;
  std::vector<Box> pending_;
};

// One sequence without what only it has, and where the rest stood.
struct Filtered {
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> places;
};

Filtered filter(Elements own, Elements other, std::uint32_t alphabet) {
  std::vector<bool> there(alphabet);
  for (const std::uint32_t element : other) there[element] = true;
  Filtered out;
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    if (!there[own[i]]) continue;
    out.elements.push_back(own[i]);
    out.places.push_back(i);
  }
  return out;
}

constexpr std::size_t kRun = 8;  // elements of an anchor

struct RunAt {
  std::uint64_t hash;
  std::uint32_t place;
  friend auto operator<=>(const RunAt&, const RunAt&) = default;
};

// Runs that the sequence has exactly once, ascending by hash.
std::vector<RunAt> single_runs(Elements sequence) {
  if (sequence.size() < kRun) return {};
  constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;
  std::uint64_t outgoing = 1;
  for (std::size_t i = 0; i < kRun; ++i) outgoing *= kBase;
  std::vector<RunAt> runs;
  runs.reserve(sequence.size() - kRun + 1);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    sum = sum * kBase + base::mix64(sequence[i] + 1);
    if (i >= kRun) sum -= outgoing * base::mix64(sequence[i - kRun] + 1);
    if (i + 1 >= kRun) runs.push_back({base::mix64(sum), static_cast<std::uint32_t>(i + 1 - kRun)});
  }
  std::sort(runs.begin(), runs.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t next = i + 1;
    while (next < runs.size() && runs[next].hash == runs[i].hash) ++next;
    if (next == i + 1) runs[kept++] = runs[i];
    i = next;
  }
  runs.resize(kept);
  return runs;
}

// Places of equal elements, ascending on both sides: the longest such chain of runs that both sides have once.
std::vector<Corner> anchors(Elements a, Elements b) {
  std::vector<Corner> both;
  {
    const std::vector<RunAt> of_a = single_runs(a), of_b = single_runs(b);
    for (auto x = of_a.begin(), y = of_b.begin(); x != of_a.end() && y != of_b.end();) {
      if (x->hash < y->hash) {
        ++x;
      } else if (y->hash < x->hash) {
        ++y;
      } else {
        // Equal hashes of different runs are improbable; looking makes them harmless.
        if (std::equal(a.begin() + x->place, a.begin() + x->place + kRun, b.begin() + y->place))
          both.push_back({static_cast<Place>(x->place), static_cast<Place>(y->place)});
        ++x;
        ++y;
      }
    }
  }
  std::sort(both.begin(), both.end(), [](const Corner& x, const Corner& y) { return x.a < y.a; });
  // Longest increasing subsequence of the places in b.
  std::vector<std::uint32_t> tails, before(both.size());
  for (std::uint32_t i = 0; i < both.size(); ++i) {
    const auto at =
        std::partition_point(tails.begin(), tails.end(), [&](std::uint32_t t) { return both[t].b < both[i].b; });
    before[i] = at == tails.begin() ? i : *(at - 1);
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<Corner> chain(tails.size());
  std::uint32_t at = tails.empty() ? 0 : tails.back();
  for (std::size_t i = chain.size(); i-- > 0; at = before[at]) chain[i] = both[at];
  return chain;
}

// The boxes between anchored runs. A run that overlaps the one before it, but lies on another diagonal, is left out.
std::vector<Box> gaps(const Box& whole, const std::vector<Corner>& chain) {
  std::vector<Box> out;
  Corner done{whole.a_begin, whole.b_begin};
  for (const Corner& anchor : chain) {
    const bool same_diagonal = anchor.a - anchor.b == done.a - done.b;
    if (!same_diagonal && (anchor.a < done.a || anchor.b < done.b)) continue;
    if (anchor.a > done.a || anchor.b > done.b) out.push_back({done.a, anchor.a, done.b, anchor.b});
    done = {anchor.a + static_cast<Place>(kRun), anchor.b + static_cast<Place>(kRun)};
  }
  out.push_back({done.a, whole.a_end, done.b, whole.b_end});
  return out;
}

void run_between_anchors(Differ& differ, Elements a, Elements b, std::uint64_t max_steps) {
  constexpr std::uint64_t kFewest = 16, kMost = 1024;
  const std::vector<Box> boxes = gaps(differ.whole(), anchors(a, b));
  std::uint64_t size = 1;
  for (const Box& box : boxes) size += static_cast<std::uint64_t>(box.a_end - box.a_begin + box.b_end - box.b_begin);
  // A cut after r rounds costs about r^2 steps and gets at least r elements further.
  const auto rounds = static_cast<Place>(std::clamp(max_steps / size, kFewest, kMost));
  differ.clear();
  differ.allow(std::numeric_limits<std::uint64_t>::max());
  for (const Box& box : boxes) differ.run(box, rounds);
}

std::vector<Edit> edits_of(const std::vector<bool>& a_changed, const std::vector<bool>& b_changed) {
  std::vector<Edit> edits;
  std::uint32_t i = 0, j = 0;
  const auto a_size = static_cast<std::uint32_t>(a_changed.size()),
             b_size = static_cast<std::uint32_t>(b_changed.size());
  while (i < a_size || j < b_size) {
    Edit edit{i, i, j, j};
    while (edit.a_end < a_size && a_changed[edit.a_end]) ++edit.a_end;
    while (edit.b_end < b_size && b_changed[edit.b_end]) ++edit.b_end;
    if (edit.a_begin != edit.a_end || edit.b_begin != edit.b_end) edits.push_back(edit);
    i = edit.a_end + 1;
    j = edit.b_end + 1;
  }
  return edits;
}

}  // namespace

EditScript diff_sequences(Elements a, Elements b, std::uint32_t alphabet, std::uint64_t max_steps,
                          const Context& context) {
  std::uint32_t front = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) ++front;
  const Elements a_rest = a.subspan(front), b_rest = b.subspan(front);

  const Filtered left = filter(a_rest, b_rest, alphabet), right = filter(b_rest, a_rest, alphabet);
  Differ differ(left.elements, right.elements, max_steps, context);
  EditScript script;
  script.shortest = differ.run(differ.whole(), kNoRound);
  if (!script.shortest) run_between_anchors(differ, left.elements, right.elements, max_steps);

  const auto changed = [front](std::size_t size, const Filtered& filtered, const std::vector<bool>& marks) {
    std::vector<bool> out(size, true);
    std::fill_n(out.begin(), front, false);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (!marks[i]) out[front + filtered.places[i]] = false;
    }
    return out;
  };
  script.edits = edits_of(changed(a.size(), left, differ.a_changed()), changed(b.size(), right, differ.b_changed()));
  return script;
}

}  // namespace neardup::similarity
