// One run of clean_up(), stage by stage. Each stage leaves its results in the members the next ones read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/system.h"
#include "clean/method.h"
#include "clean/query_log.h"
#include "clean/run_file.h"
#include "authority/authority.h"
#include "corpus/bad_records.h"
#include "clean/judge.h"
#include "clean/read.h"
#include "search/decide.h"
#include "report/outputs.h"
#include "clean/protection.h"
#include "neardup/clean.h"

namespace neardup::clean {

class CleanRun {
 public:
  CleanRun(const Collection&, const CleanOptions&, const Context&);
  CleanReport run();

 private:
  template <class Stage>
  void timed(const char* name, Stage&& stage) {
    const base::Stopwatch watch;
    stage();
    report_.stages.push_back({name, watch.seconds()});
  }

  void warn(std::string message) {
    if (context_.observer != nullptr) context_.observer->warning(message);
    report_.warnings.push_back(std::move(message));
  }

  [[nodiscard]] bool needs_addresses_here() const {
    return authority::needs_addresses(options_.authority, collection_) || protection_.needs_addresses() ||
           !options_.results.empty();
  }
  // authority.tsv and results.run name every document.
  [[nodiscard]] bool needs_all_names() const {
    const bool has_authority = !options_.authority.field.empty() || authority::needs_addresses(options_.authority, collection_);
    return outputs_.writes_audit() && (has_authority || options_.save_results);
  }

  void announce_stages() const;

  // The stages, in order.
  void read_log();
  void read();
  void look_up();
  void collect();
  void clean();
  void measure();
  void write();
  void finish();

  [[nodiscard]] clean::QueryTerms terms() const;
  void take_field();
  void check_protection();
  void open_run_file(const authority::NameTable& names);

  [[nodiscard]] const clean::ResultSource& results() const {
    if (run_file_) return *run_file_;
    return *read_.index;
  }
  [[nodiscard]] clean::MethodRequest request() const {
    return {.results = results(),
            .repository = read_.repository,
            .judge = options_.verify ? &*judge_ : nullptr,
            .options = options_,
            .order = order_};
  }
  void compare_modes();
  void decide();

  template <class Write>
  void write_file(const char* name, Write&& write) {
    const auto sink = outputs_.open(name);
    write(*sink);
    sink->close();
  }
  void find_names();

  const Collection& collection_;
  const CleanOptions& options_;
  Definition definition_;
  const Context& context_;
  base::Stopwatch watch_;
  report::Outputs outputs_;
  corpus::BadRecordLog bad_;
  Protection protection_;
  clean::QueryLog log_;
  std::vector<std::uint64_t> counts_;  // by query number
  CleanRead read_;
  std::optional<clean::RunFile> run_file_;
  std::optional<SetJudge> judge_;
  std::vector<clean::QueryNumber> order_;
  clean::MethodResult method_;
  std::optional<search::Decision> decision_;
  search::ClusterList clusters_;
  corpus::Names names_;
  CleanReport report_;
};

}  // namespace neardup::clean
