// A program outside neardup's tree: keeps one of three texts that are nearly the same.
#include <cstdio>

#include "neardup/neardup.h"

int main() {
  neardup::Context context;
  const auto documents = neardup::Collection::from_texts({"a b c d e", "A, b, c, d: e!", "something else altogether"});
  const auto report = neardup::deduplicate(documents, {}, context).report;
  std::printf("%llu kept, %llu removed\n", static_cast<unsigned long long>(report.kept),
              static_cast<unsigned long long>(report.removed));
  return report.kept == 2 ? 0 : 1;
}
