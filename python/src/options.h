// How do the keywords of a Python call become the library's options?
//
// The Python layer hands over a dict with what was given: ids of the library's options, and values as plain as possible
// (thresholds are strings already). What is not there keeps the library's default.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/collection.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"

namespace neardup::python {

namespace nb = nanobind;

class Options {
 public:
  explicit Options(nb::dict values) : values_(std::move(values)) {}
  [[nodiscard]] bool has(const char* id) const { return values_.contains(id); }
  [[nodiscard]] nb::object operator[](const char* id) const { return nb::object(values_[id]); }
  [[nodiscard]] std::string text(const char* id, const std::string& otherwise = {}) const;
  [[nodiscard]] std::uint64_t number(const char* id, std::uint64_t otherwise) const;
  [[nodiscard]] double real(const char* id, double otherwise) const;
  [[nodiscard]] bool flag(const char* id, bool otherwise) const;
  [[nodiscard]] std::vector<std::string> texts(const char* id) const;

 private:
  nb::dict values_;
};

// Each throws Error{usage} for a value that is not allowed.
Definition definition_of(const Options&);
ReadOptions read_options_of(const Options&);
OnBadRecord on_bad_record_of(const Options&);
IgnoreOptions ignore_options_of(const Options&);
DedupOptions dedup_options_of(const Options&);

}  // namespace neardup::python
