// Which version of neardup is this, and which instruction sets does it use?
#pragma once

#include <string>
#include <vector>

namespace neardup {

std::string version();                        // "0.1.0"
std::vector<std::string> library_versions();  // "ICU 72.1", ...
std::vector<std::string> plugin_versions();   // "Arrow 26.0.1" where that plugin is there; loads it

struct KernelChoice {
  std::string name;    // "fold_ascii"
  std::string active;  // "avx512"
};
// The instruction set in use for each kernel. NEARDUP_SIMD=portable|avx2|avx512 forces one; Error{usage} when the
// machine lacks it or the name is unknown.
std::vector<KernelChoice> active_kernels();

}  // namespace neardup
