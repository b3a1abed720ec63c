// What the options of `pairs` come to, for the collections at hand.
#pragma once

#include <span>
#include <string>

#include "neardup/collection.h"
#include "neardup/definition.h"
#include "neardup/pairs.h"

namespace neardup::pairs {

struct Applied {
  Definition definition;
  std::string algorithm;  // of the join
  bool is_combined;       // the options name a kind of features with an algorithm
};

// Throws Error{usage} when they do not fit together.
Applied choose_definition(const PairsOptions&, std::span<const Collection* const>);

}  // namespace neardup::pairs
