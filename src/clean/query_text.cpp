#include "clean/query_text.h"

#include "features/extractor.h"
#include "simd/dispatch.h"

namespace neardup::clean {

QueryText::QueryText() : folder_(text::Spacing::words, simd::kernels()) {}

std::string QueryText::normalised(std::string_view query) { return features::single_spaced(folder_.fold(query)); }

}  // namespace neardup::clean
