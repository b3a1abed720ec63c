// A small index of something that every Debian machine has.
#include "neardup/collection.h"
#include "neardup/index.h"
#include "serve.h"

namespace neardup::server {

std::uint64_t make_demo_index(const std::filesystem::path& path, const Context& context) {
  const Collection files = Collection::open({"/usr/share/doc/*/copyright"}, {.format = "text"}, context);
  Index::create(path, {}, context);
  Index index = Index::open(path, {.durability = Durability::batch}, context);
  return add_collection(index, files, {}, {}, context).documents();
}

}  // namespace neardup::server
