// Which kernels does this machine run?
#pragma once

#include <span>
#include <string_view>

#include "simd/kernels.h"

namespace neardup::simd {

// The best set the machine supports, or the one NEARDUP_SIMD names (Error{usage} when it cannot be had). Chosen once.
const neardup_kernels& kernels();

// Every set this machine can run, portable first: tests compare them with each other.
std::span<const neardup_kernels* const> available();

// The set of that name; Error{usage} when there is none or the machine cannot run it.
const neardup_kernels& named(std::string_view name);

}  // namespace neardup::simd
