// What the tests of src/io share: a disk in memory, and reading a file of it in one call.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/document_text.h"
#include "io/annotations.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/output.h"
#include "memory_files.h"
#include "neardup/context.h"
#include "support/scratch.h"

namespace neardup::test {

constexpr std::size_t kTinyBatch = 64;

struct Disk {
  MemoryFiles files;
  Context context{.files = &files};

  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  explicit Disk(std::map<std::string, std::string> contents) { files.contents = std::move(contents); }

  Collection open(const std::string& path, const ReadOptions& options = {}, std::size_t batch_bytes = kTinyBatch) {
    return io::open_collection({path}, options, context, batch_bytes);
  }
};

// One record as the reader and the parser see it.
struct Seen {
  std::uint64_t number = 0;
  std::string raw{}, key{}, text{}, reason{};  // reason: empty when the record is good
  std::vector<std::optional<std::string>> fields{};
  std::vector<std::uint64_t> tokens{};
  bool repaired = false, detected = false;
  std::string encoding{};
};

inline std::vector<Seen> read_all(const Collection& collection, const Context& context) {
  std::vector<Seen> all;
  const io::CollectionImpl& impl = io::impl_of(collection);
  const auto reader = impl.batches(impl.options, context);
  const auto parser = impl.parser(impl.options);
  io::RecordBatch batch;
  DocumentView view;
  Document document;
  while (reader->next(batch)) {
    EXPECT_EQ(batch.first_row, all.size());
    for (std::size_t place = 0; place < batch.size(); ++place) {
      const char* reason = parser->parse(batch, place, view);
      Seen seen{.number = batch.number(place), .raw = batch.has_raw() ? std::string(batch.raw(place)) : ""};
      if (reason == nullptr) {
        base::copy_document(view, document);
        seen.key = document.key;
        seen.text = document.text;
        seen.fields = document.fields;
        seen.tokens = document.tokens;
        seen.repaired = parser->decoding().repaired;
        seen.detected = parser->decoding().detected;
        seen.encoding = parser->decoding().encoding;
      } else {
        seen.reason = reason;
      }
      all.push_back(std::move(seen));
    }
  }
  return all;
}

// Reads `bytes` as a file of that name.
inline std::vector<Seen> read_bytes(const std::string& name, const std::string& bytes, const ReadOptions& options = {},
                                    std::size_t batch_bytes = kTinyBatch) {
  Disk disk(std::map<std::string, std::string>{{name, bytes}});
  return read_all(disk.open(name, options, batch_bytes), disk.context);
}

inline Seen read_one(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
  const auto all = read_bytes(name, bytes, options);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Seen{} : all.front();
}

inline std::vector<std::string> texts(const std::vector<Seen>& all) {
  std::vector<std::string> out;
  for (const Seen& seen : all) out.push_back(seen.reason.empty() ? seen.text : "BAD: " + seen.reason);
  return out;
}

inline std::string encode(const std::string& codec_extension, const std::string& bytes) {
  MemoryFiles files;
  const auto sink = io::open_sink(files, "x", io::codec_of_name("x" + codec_extension));
  sink->write(bytes);
  sink->close();
  return files.contents["x"];
}

// Writes every record of `collection` to one file and returns its bytes.
inline std::string write_all(const Collection& collection, const Context& context, const std::string& name,
                             const io::Annotation* annotation = nullptr) {
  MemoryFiles files;
  const io::Target target = io::parse_target(name);
  const io::AddedFields added = annotation != nullptr ? io::decision_fields() : io::AddedFields{};
  io::check_writable(collection, target.format, added);
  const auto writer = io::make_writer(collection, io::open_sink(files, name, *target.codec), target.format, added);
  const io::CollectionImpl& impl = io::impl_of(collection);
  const auto reader = impl.batches(impl.options, context);
  io::RecordBatch batch;
  while (reader->next(batch)) {
    const std::vector<std::uint8_t> all(batch.size(), 1);
    if (annotation != nullptr) {
      writer->write_annotated(batch, all, std::vector(batch.size(), *annotation));
    } else {
      writer->write(batch, all);
    }
  }
  writer->close();
  return files.contents[name];
}

template <typename Function>
std::string error_of(Function function, ErrorCode code) {
  return error_of(code, function);
}

}  // namespace neardup::test
