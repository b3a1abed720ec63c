// Small worlds of documents and queries for tests of the clean-up: what a query shows is written down, not searched.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clean/grouping.h"
#include "clean/results.h"

namespace neardup::clean {

// Shows for each query the rows it was given, best first.
class ListedResults final : public ResultSource {
 public:
  explicit ListedResults(std::vector<std::vector<DocumentNumber>> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::unique_ptr<Searcher> searcher() const override {
    class Lister final : public Searcher {
     public:
      explicit Lister(const ListedResults& results) : results_(results) {}
      void search(QueryNumber query, std::size_t depth, const Removed& removed, std::vector<Hit>& out) override {
        out.clear();
        for (const DocumentNumber row : results_.rows_[query])
          if (!removed[row] && out.size() < depth) out.push_back({row, 0});
      }
      std::uint64_t matches(QueryNumber query, const Removed& removed) override {
        std::vector<Hit> all;
        search(query, results_.rows_[query].size(), removed, all);
        return all.size();
      }

     private:
      const ListedResults& results_;
    };
    return std::make_unique<Lister>(*this);
  }
  [[nodiscard]] std::string describe() const override { return "listed"; }
  [[nodiscard]] const std::vector<std::vector<DocumentNumber>>& rows() const { return rows_; }

 private:
  std::vector<std::vector<DocumentNumber>> rows_;
};

// Documents that are told apart by their simhashes alone.
inline Repository repository_of(std::vector<std::uint64_t> bits) {
  Repository repository;
  repository.set.resize(bits.size());
  for (std::size_t row = 0; row < bits.size(); ++row) {
    std::size_t first = 0;
    while (bits[first] != bits[row]) ++first;
    repository.set[row] = static_cast<SetNumber>(first);
  }
  repository.bits = std::move(bits);
  return repository;
}

}  // namespace neardup::clean
