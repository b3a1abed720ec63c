// What does an index make of a document before it looks at what it has?
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/ledger.h"
#include "neardup/context.h"
#include "neardup/index.h"

namespace neardup::indexing {

inline constexpr std::size_t kMostKeyBytes = 1024;

struct PreparedDocument {
  std::string key{};
  Content content{};
  bool has_features = false;
  std::uint64_t features = 0;
  std::uint64_t hash = 0;  // of everything given; 0: the content says it all
  std::vector<std::uint64_t> keep{};
  std::string text_row{};  // of Table::texts
};

// Threads: members may run concurrently; each batch uses the context's threads.
class Preparer {
 public:
  Preparer(const IndexRules&, std::vector<std::string> fields, Context);
  ~Preparer();

  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  // Throws Error{usage} for a document that does not fit; the message says which.
  [[nodiscard]] std::vector<PreparedDocument> prepare(std::span<const IndexDocument>) const;
  // One document whose text was read from a file: HTML was stripped there. On this thread.
  [[nodiscard]] PreparedDocument prepare_read(const DocumentView&) const;
  // Likewise only its content; nothing when it cannot match anything.
  [[nodiscard]] std::optional<Content> content_read(const DocumentView&) const;
  // Only contents; keys are ignored. Calls `visit(place, content)` for those that have features, on several threads.
  void each_content(std::span<const IndexDocument>,
                    const std::function<void(std::size_t, const Content&)>& visit) const;
  // The content of a stored document.
  [[nodiscard]] PreparedDocument prepare_again(std::string_view key, const TextRow&) const;

 private:
  struct Worker;
  class Lease;
  void prepare_one(Worker&, const IndexDocument&, Html, PreparedDocument&) const;

  const IndexRules& rules_;
  std::vector<std::string> fields_;
  Context context_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace neardup::indexing
