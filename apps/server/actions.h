// What can be done with documents, and how is the outcome written?
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "json.h"
#include "neardup/index.h"
#include "service.h"

namespace neardup::server {

enum class Action { check, add, replace, check_or_add };

// What an action found: one of the lists, with one entry per document.
struct Outcomes {
  std::vector<std::optional<IndexMatch>> checked{};
  std::vector<AddResult> added{};
};

// One call of the index. Throws Error.
Outcomes perform(Index&, Action, std::span<const IndexDocument>);

// The outcome of the document at this place, as an object.
void write_outcome(Json&, const Service&, const IndexDocument&, const Outcomes&, std::size_t place);
void write_match(Json&, const Service&, const IndexMatch&);

}  // namespace neardup::server
