#include "search/part_plan.h"

#include <algorithm>

namespace neardup::search {
namespace {

// The same as a few groups of at most this many bytes each; a single set is not divided.
template <class Take>
void divide(const SizedSets& group, std::uint64_t most_bytes, const Take& take) {
  const std::uint64_t pieces = std::clamp<std::uint64_t>(group.bytes() / std::max<std::uint64_t>(1, most_bytes) + 1, 1,
                                                         std::max<std::uint64_t>(1, group.sets));
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    const auto share = [&](std::uint64_t whole) { return whole * (piece + 1) / pieces - whole * piece / pieces; };
    take(SizedSets{.size = group.size, .sets = share(group.sets), .tokens = share(group.tokens)});
  }
}

}  // namespace

std::size_t PartCutter::add(const SizedSets& more) {
  const std::uint64_t bytes = more.bytes();
  if (parts_.empty() || parts_.back().bytes + bytes > most_bytes_) parts_.push_back({.least_size = more.size});
  SetPart& part = parts_.back();
  part.sets += more.sets;
  part.bytes += bytes;
  part.largest_size = more.size;
  return parts_.size() - 1;
}

std::vector<PartMeeting> plan_meetings(std::span<const SetPart> parts, const Verifier& verifier,
                                       std::uint64_t meeting_bytes) {
  std::vector<PartMeeting> meetings;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    // Every pair has its larger set in one part; its smaller one is there too or in an earlier part.
    const std::uint64_t least = verifier.min_size(parts[part].least_size);
    PartMeeting meeting{.part = part, .first = part, .last = part, .with_itself = true};
    std::uint64_t bytes = parts[part].bytes;
    for (std::size_t other = part; other-- > 0 && parts[other].largest_size >= least;) {
      if (bytes + parts[other].bytes > meeting_bytes && meeting.first < meeting.last) {
        meetings.push_back(meeting);
        meeting = {.part = part, .first = meeting.first, .last = meeting.first, .with_itself = false};
        bytes = parts[part].bytes;
      }
      meeting.first = other;
      bytes += parts[other].bytes;
    }
    if (meeting.with_itself || meeting.first < meeting.last) meetings.push_back(meeting);
  }
  return meetings;
}

std::uint64_t loaded_sets(std::span<const SetPart> parts, std::span<const PartMeeting> meetings) {
  std::uint64_t loaded = 0;
  for (const PartMeeting& meeting : meetings) {
    loaded += parts[meeting.part].sets;
    for (std::size_t other = meeting.first; other < meeting.last; ++other) loaded += parts[other].sets;
  }
  return loaded;
}

std::uint64_t least_meeting_bytes(std::span<const SizedSets> sets, const Verifier& verifier) {
  constexpr std::uint64_t kMebibyte = 1u << 20;
  constexpr std::uint64_t kAlwaysAllowed = 1'000'000;  // sets that are loaded in a few seconds
  std::uint64_t all = 0;
  for (const SizedSets& group : sets) all += group.sets;
  const auto suffices = [&](std::uint64_t mebibytes) {
    PartCutter cutter(mebibytes * kMebibyte);
    for (const SizedSets& group : sets)
      divide(group, mebibytes * kMebibyte / 64, [&](const SizedSets& piece) { cutter.add(piece); });
    return loaded_sets(cutter.parts(), plan_meetings(cutter.parts(), verifier, mebibytes * kMebibyte)) <=
           std::max(kMostLoads * all, kAlwaysAllowed);
  };
  std::uint64_t enough = 1;
  while (!suffices(enough)) enough *= 2;
  std::uint64_t least = enough / 2 + 1;  // half of it does not suffice
  while (least < enough) {
    const std::uint64_t middle = least + (enough - least) / 2;
    if (suffices(middle)) {
      enough = middle;
    } else {
      least = middle + 1;
    }
  }
  return enough * kMebibyte;
}

}  // namespace neardup::search
