// The first reading: the folded items of every document, its name, its keep values and its group.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster/keep_rules.h"
#include "corpus/bad_records.h"
#include "corpus/corpus.h"
#include "neardup/trim.h"
#include "passages/documents.h"
#include "passages/repeat_filter.h"
#include "passages/run_set.h"

namespace neardup::trimming {

struct TrimReading {
  TrimReading(const Collection& collection, const TrimOptions& options, const Context& context);

  passages::DocumentStore documents;  // those of the other collection first
  std::uint32_t others = 0;           // so many
  std::vector<std::uint32_t> order;   // of documents; empty: input order
  std::unique_ptr<passages::RepeatFilter> filter;
  corpus::RepeatedIds ids;
  corpus::ContentHash content;
  ReadFacts facts{};
  BadRecords other_bad{};
  std::uint64_t other_records = 0;
  cluster::KeepTable keep;

  // What outputs call a document of the store.
  [[nodiscard]] std::string name(std::size_t document) const;
};

std::unique_ptr<TrimReading> read_documents(const Collection&, const Collection* other, const TrimOptions&,
                                            corpus::BadRecordLog&, const Context&);

// The texts that are never cut: the paragraphs of these files.
std::unique_ptr<passages::RunSet> read_protected(const TrimOptions&, const Context&);

}  // namespace neardup::trimming
