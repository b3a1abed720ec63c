// Which items of a document are cut, given what becomes of each of its windows?
//
// The rule (docs/algorithms/passages.md): an item is cut if a window that does not stay covers it and no window that
// stays does. So every window that stays keeps all its items.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace neardup::passages {

inline constexpr std::uint64_t kStays = ~std::uint64_t{0};
inline constexpr std::uint64_t kNeutral = kStays - 1;  // neither stays nor goes

// Items that are cut and the passage they belong to: a run of items that is equal to one that stays, as long as it goes
// on in both.
struct CutPiece {
  std::uint32_t first = 0, items = 0;  // cut, in the document
  std::uint64_t source = 0;            // where the passage begins in the store
  std::uint32_t lead = 0;              // items of the passage before the first that is cut here
  std::uint32_t passage_items = 0;     // its length
  friend bool operator==(const CutPiece&, const CutPiece&) = default;
};

// One window, in order of its first item.
struct JudgedWindow {
  std::uint64_t source = kStays;      // where the window that stays is in the store; kStays: this one does; or kNeutral
  bool continues = false;             // the one before does not stay either, and its source is right before this one
  std::uint32_t protected_items = 0;  // that begin here and are never cut
};

// Goes through the windows of one document. Memory: the pieces found.
class CutScanner {
 public:
  explicit CutScanner(unsigned window) : window_(window) {}
  void add(const JudgedWindow&);
  // The next item, behind the last window's first one.
  void add_tail(std::uint32_t protected_items);
  // The document has this many items; all its windows have been added.
  void finish(std::uint32_t items);
  [[nodiscard]] std::vector<CutPiece>& pieces() { return pieces_; }

 private:
  void decide(std::uint32_t item);
  void close();

  unsigned window_;
  std::uint32_t next_ = 0;      // the number of the next window
  std::uint64_t stay_end_ = 0;  // behind the last item that a window which stays covers
  std::uint64_t cut_end_ = 0;   // the same for windows that do not stay
  // The latest run of windows whose sources follow each other.
  struct Run {
    std::uint32_t first = 0, last = 0;  // windows
    std::uint64_t source = 0;           // of the first one
  };
  Run run_;
  bool is_open_ = false;
  bool run_goes_on_ = false;  // the open piece is of run_, which may grow
  Run open_run_;
  std::uint32_t open_first_ = 0, open_items_ = 0;
  std::vector<CutPiece> pieces_;
};

}  // namespace neardup::passages
