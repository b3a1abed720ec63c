// Fingerprints of documents that the caller holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neardup/fingerprint.h"
#include "support/held_collections.h"

namespace neardup::test {
namespace {

TEST(Fingerprint, OfDocumentsInMemoryAreThoseOfAFile) {
  const ScratchFolder scratch;
  const Context context{.temp_folder = scratch.path()};
  const HeldList documents = held_near_copies(1, 100);
  for (const Weights weights : {Weights::occurrences, Weights::tfidf}) {
    const auto made = [&](const Collection& collection, const std::string& name) {
      const FingerprintReport report =
          write_fingerprints(collection, {.weights = weights, .field_weights = {2, 1}},
                             {.output = scratch / name, .overwrite = Overwrite::replace}, context);
      EXPECT_GT(report.bad.count, 0u);
      EXPECT_GT(report.repeated_ids, 0u);
      return bytes_of(scratch / name);
    };
    for (const char* name : {"a.hex", "a.fps"}) {
      const std::string expected = made(as_file(documents, scratch / "in.jsonl", context), name);
      for (const std::size_t batch : {1u, 100u}) EXPECT_TRUE(made(held(documents, batch), name) == expected) << name;
    }
  }
}

}  // namespace
}  // namespace neardup::test
