// A small index of something that every Debian machine has.
#include <vector>

#include "neardup/collection.h"
#include "neardup/error.h"
#include "neardup/index.h"
#include "serve.h"

namespace neardup::server {

std::uint64_t make_demo_index(const std::filesystem::path& path, const Context& context) {
  constexpr std::size_t kAtOnce = 200;
  const Collection files = Collection::open({"/usr/share/doc/*/copyright"}, {.format = "text"}, context);
  Index::create(path, {}, context);
  Index index = Index::open(path, {.durability = Durability::batch}, context);
  const std::unique_ptr<Collection::Reader> reader = files.read(context);
  std::vector<Document> documents(kAtOnce);
  std::uint64_t added = 0;
  for (bool has_more = true; has_more;) {
    std::size_t count = 0;
    while (count < kAtOnce && (has_more = reader->next(documents[count]))) ++count;
    std::vector<IndexDocument> batch;
    for (std::size_t i = 0; i < count; ++i) batch.emplace_back(DocumentView(documents[i]));
    if (!batch.empty()) index.add(batch);
    added += count;
  }
  return added;
}

}  // namespace neardup::server
