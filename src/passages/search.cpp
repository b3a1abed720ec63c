#include "passages/search.h"

#include <algorithm>
#include <optional>

#include "base/memory_plan.h"
#include "base/parallel.h"
#include "base/random.h"
#include "neardup/error.h"
#include "passages/candidates.h"

namespace neardup::passages {
namespace {

// Two different windows have the same hash.
struct Collision {};

// The pieces of one document in a round.
struct RoundDocument {
  std::uint32_t document = 0;
  std::size_t first = 0, last = 0;  // pieces
  bool is_last = false;             // no more pieces follow
  std::vector<CutPiece> cuts{};
};

struct Round {
  std::vector<Piece> pieces;
  std::vector<std::size_t> begins;  // of each piece in `sources`; two bytes of text share an element
  std::vector<std::uint64_t> sources;
  std::vector<RoundDocument> documents;
};

// Step 4: compares and decides. Where a document is longer than a round, its scanner waits for the next one.
class Judge {
 public:
  Judge(const SearchRequest& request, const Spools& references, const Context& context)
      : request_(request),
        context_(context),
        stream_(request.documents, request.order, request.rule.window, request.rule.separator) {
    readers_.reserve(references.size());
    for (const auto& spool : references) readers_.emplace_back(*spool);
  }

  void run(PassageCuts& cuts, SearchFacts& facts) {
    has_next_ = stream_.next(next_);
    Round round;
    while (has_next_) {
      fill(round);
      base::parallel_for(context_, readers_.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) scatter(readers_[i], round);
      });
      // The document that goes on is the last one of a round and the first of the next.
      std::atomic<std::uint64_t> repeated{0};
      base::parallel_for(context_, round.documents.size(), [&](std::size_t first, std::size_t last) {
        SpoolComparer comparer(request_.documents.store());
        std::uint64_t found = 0;
        for (std::size_t i = first; i < last; ++i) found += judge(round, i, comparer, cuts);
        repeated += found;
      });
      facts.repeated += repeated;
      for (const RoundDocument& document : round.documents)
        if (document.is_last) cuts.add(document.document, document.cuts);
    }
    cuts.finish();
  }

 private:
  void fill(Round& round) {
    const std::size_t most =
        std::clamp<std::size_t>(base::memory_bytes(context_) / 128, std::size_t{1} << 20, std::size_t{16} << 20);
    round.pieces.clear();
    round.begins.clear();
    round.documents.clear();
    std::size_t bytes = 0, slots = 0;
    while (has_next_ && bytes < most) {
      if (round.documents.empty() || round.documents.back().document != next_.document)
        round.documents.push_back({.document = next_.document, .first = round.pieces.size()});
      round.pieces.push_back(next_);
      round.begins.push_back(slots);
      slots += (next_.end - next_.begin) / 2 + 1;
      bytes += next_.end - next_.begin;
      round.documents.back().last = round.pieces.size();
      round.documents.back().is_last = next_.end == request_.documents[next_.document].bytes;
      has_next_ = stream_.next(next_);
    }
    round.sources.assign(slots, request_.rule.cut_edges ? kNeutral : kStays);
  }

  // Both are in keep order.
  void scatter(RecordReader<Reference>& reader, Round& round) const {
    std::size_t at = 0;
    for (; !reader.done(); reader.advance()) {
      const Reference& reference = reader.head();
      const auto in = [&](const Piece& piece) {
        const std::uint64_t begin = request_.documents[piece.document].begin;
        return reference.place >= begin + piece.begin && reference.place < begin + piece.end;
      };
      while (at < round.pieces.size() && !in(round.pieces[at])) ++at;
      if (at == round.pieces.size()) return;
      const std::uint64_t begin = request_.documents[round.pieces[at].document].begin + round.pieces[at].begin;
      round.sources[round.begins[at] + static_cast<std::size_t>(reference.place - begin) / 2] = reference.source;
    }
  }

  std::uint64_t judge(Round& round, std::size_t number, SpoolComparer& comparer, PassageCuts& cuts) {
    RoundDocument& document = round.documents[number];
    DocumentState fresh{CutScanner(request_.rule.window)};
    const bool is_fixed = document.document < request_.rule.fixed_documents;
    if (is_fixed) return 0;
    DocumentState* state = &fresh;
    const bool continues = round.pieces[document.first].begin != 0;
    if (continues) state = &*waiting_;
    std::uint64_t repeated = 0;
    for (std::size_t piece = document.first; piece < document.last; ++piece)
      repeated += judge(round, piece, *state, comparer, cuts);
    if (document.is_last) {
      state->scanner.finish(request_.documents[document.document].items);
      document.cuts = std::move(state->scanner.pieces());
    } else if (!continues) {
      waiting_ = std::move(fresh);
    }
    return repeated;
  }

  struct DocumentState {
    CutScanner scanner;
    std::uint64_t last_place = 0, last_source = kStays;  // of the window before
  };

  std::uint64_t judge(const Round& round, std::size_t number, DocumentState& state, SpoolComparer& comparer,
                      PassageCuts& cuts) {
    const Piece& piece = round.pieces[number];
    const PassageRule& rule = request_.rule;
    const StoredDocument& document = request_.documents[piece.document];
    std::string buffer;
    Items items;
    std::vector<std::uint32_t> protects;
    const std::string_view text = text_of(request_.documents, piece, buffer);
    find_items(text, rule.separator, items);
    if (rule.protected_runs != nullptr) rule.protected_runs->find(text, items, protects);
    const std::size_t windows = windows_in(piece, items, rule.window);
    std::uint64_t repeated = 0;
    for (std::size_t i = 0; i < windows; ++i) {
      const std::uint32_t start = items.starts[i];
      const std::uint64_t place = document.begin + piece.begin + start;
      JudgedWindow window{.source = round.sources[round.begins[number] + start / 2],
                          .protected_items = protects.empty() ? 0 : protects[i]};
      if (rule.keep_one && window.source == place) window.source = kStays;
      if (window.source < kNeutral) {
        ++repeated;
        window.continues = verify(text, items, i, place, window.source, document, state, comparer, cuts);
      }
      state.last_place = place;
      state.last_source = window.source;
      state.scanner.add(window);
    }
    if (piece.end == document.bytes)
      for (std::size_t i = windows; i < items.count(); ++i) state.scanner.add_tail(protects.empty() ? 0 : protects[i]);
    return repeated;
  }

  // Compares a window with the one it refers to; true when both continue those before them. Throws Collision.
  bool verify(std::string_view text, const Items& items, std::size_t first, std::uint64_t place, std::uint64_t source,
              const StoredDocument& document, const DocumentState& state, SpoolComparer& comparer,
              PassageCuts& cuts) const {
    const unsigned window = request_.rule.window;
    const std::uint32_t begin = items.starts[first], end = items.end(first + window - 1);
    const bool is_at_end = [&] {
      const char separator[] = {request_.rule.separator, kDocumentEnd};
      return comparer.equal(source + (end - begin), {separator, 1}) ||
             comparer.equal(source + (end - begin), {separator + 1, 1});
    }();
    if (!is_at_end) throw Collision{};
    const bool is_next = state.last_source < kNeutral && source - state.last_source == place - state.last_place;
    // The window before was compared; what is new is its last item, with the separator before it.
    if (is_next && window > 1) {
      const std::uint32_t from = items.end(first + window - 2);
      if (!comparer.equal(source + (from - begin), text.substr(from, end - from))) throw Collision{};
      return true;
    }
    if (source != place && !comparer.equal(source, text.substr(begin, end - begin))) throw Collision{};
    const char separator = request_.rule.separator;
    if (is_next && comparer.equal(source - 1, {&separator, 1})) return true;
    const std::size_t holder = request_.documents.document_at(source);
    if (request_.rule.is_grouped && request_.documents[holder].group != document.group) throw Collision{};
    if (request_.rule.keep_one) cuts.mark_holder(holder);
    return false;
  }

  const SearchRequest& request_;
  const Context& context_;
  PieceStream stream_;
  std::vector<RecordReader<Reference>> readers_;
  Piece next_;
  bool has_next_ = false;
  std::optional<DocumentState> waiting_;
};

// The filter under another seed.
std::unique_ptr<RepeatFilter> make_filter(const SearchRequest& request, const WindowHasher& hasher,
                                          const Context& context) {
  auto filter = std::make_unique<RepeatFilter>(request.documents.items(), base::memory_bytes(context) / 4,
                                               base::reservation(context));
  PieceStream stream(request.documents, request.order, request.rule.window, request.rule.separator);
  std::string buffer;
  Items items;
  std::vector<std::uint64_t> hashes;
  for (Piece piece; stream.next(piece);) {
    base::check_stop(context);
    const std::string_view text = text_of(request.documents, piece, buffer);
    find_items(text, request.rule.separator, items);
    hasher.hash(text, items, request.rule.is_grouped ? group_salt(request.documents[piece.document].group) : 0, hashes);
    filter->add({hashes.data(), windows_in(piece, items, request.rule.window)});
  }
  return filter;
}

}  // namespace

std::uint64_t group_salt(std::uint32_t group) { return base::mix64(std::uint64_t{group} + 1); }

void PassageCuts::pieces(std::size_t document, std::vector<CutPiece>& out) const {
  out.resize(counts_[document]);
  if (out.empty()) return;
  std::string buffer;
  const std::size_t bytes = out.size() * sizeof(CutPiece);
  const std::string_view view = pieces_.read_whole(begins_[document], bytes, buffer);
  std::memcpy(out.data(), view.data(), bytes);
}

void PassageCuts::add(std::size_t document, const std::vector<CutPiece>& cuts) {
  begins_[document] = pieces_.append({reinterpret_cast<const char*>(cuts.data()), cuts.size() * sizeof(CutPiece)});
  counts_[document] = static_cast<std::uint32_t>(cuts.size());
  for (const CutPiece& cut : cuts) cut_items_[document] += cut.items;
}

std::unique_ptr<PassageCuts> find_passages(SearchRequest request, SearchFacts& facts, const Context& context) {
  constexpr unsigned kMostAttempts = 8;
  for (unsigned attempt = 0;; ++attempt) {
    facts = {.attempts = attempt + 1};
    const WindowHasher hasher(request.rule.window, kFirstSeed + attempt);
    if (request.filter == nullptr) request.filter = make_filter(request, hasher, context);
    const std::uint64_t mask = attempt == 0 && request.rule.first_hash_bits < 64
                                   ? (std::uint64_t{1} << request.rule.first_hash_bits) - 1
                                   : ~std::uint64_t{0};
    // A filter on whole hashes would miss that shortened ones repeat.
    const RepeatFilter* filter = mask == ~std::uint64_t{0} ? request.filter.get() : nullptr;
    const CandidateSearch search{request.documents, request.order, request.rule, filter, hasher, mask};
    Spools candidates = collect_candidates(search, facts, context);
    request.filter.reset();
    const Spools references = refer_to_first_places(std::move(candidates), request.rule, context);
    const std::size_t most = std::min(base::memory_bytes(context) / 8, std::size_t{128} << 20);
    auto cuts = std::make_unique<PassageCuts>(request.documents.size(), context, most);
    try {
      Judge(request, references, context).run(*cuts, facts);
      return cuts;
    } catch (const Collision&) {
      if (attempt + 1 == kMostAttempts)
        throw Error(ErrorCode::internal, "internal error: windows keep colliding; please report it");
    }
  }
}

}  // namespace neardup::passages
