// The stages of `decontaminate` and what they pass on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/bad_records.h"
#include "corpus/corpus.h"
#include "decontaminate/judge.h"
#include "report/outputs.h"

namespace neardup::contamination {

struct TrainReading {
  explicit TrainReading(const Collection& collection) : content(collection) {}
  ReadFacts facts{};
  corpus::ContentHash content;
  corpus::RepeatedIds ids;
  std::vector<bool> bad;           // by row
  std::vector<DocumentHits> hits;  // by row
};

void read_items(const Collection& evals, const DecontaminateOptions&, ItemIndex&, DecontaminateReport&, const Context&);
// How many different documents have each window; documents with the same words count once.
std::vector<std::uint64_t> count_documents(const Collection&, const ItemIndex&, std::uint64_t& documents,
                                           const Context&);
void find_hits(const Collection&, const ItemIndex&, const DecontaminateOptions&, corpus::BadRecordLog&, TrainReading&,
               const Context&);
void write_clean(const Collection&, const TrainReading&, const ItemIndex&, const DecontaminateOptions&,
                 report::Outputs&, DecontaminateReport&, const Context&);
std::string run_record(const Collection& train, const Collection& evals, const DecontaminateOptions&,
                       const DecontaminateReport&, const Context&);
// Lines of hits.jsonl.
std::string hit_lines(const DocumentHits&, const ItemIndex&, const DecontaminateReport&);

}  // namespace neardup::contamination
