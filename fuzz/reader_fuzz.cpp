// Arbitrary bytes as a file of one format: cut it, understand it, and check what must hold of any input.
//
// One program for all readers: called as fuzz_csv it reads CSV. Batches of two sizes must give the same records.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/document_text.h"
#include "base/utf8.h"
#include "io/collection.h"
#include "io/memory_files.h"
#include "neardup/error.h"

namespace {

using namespace neardup;

void require(bool condition) {
  if (!condition) std::abort();
}

struct Reader {
  std::string_view program;
  const char *format, *file;
};
constexpr Reader kReaders[] = {
    {"fuzz_text", "text", "file.txt"},  {"fuzz_lines", "lines", "file.txt"}, {"fuzz_jsonl", "jsonl", "file.jsonl"},
    {"fuzz_json", "json", "file.json"}, {"fuzz_csv", "csv", "file.csv"},     {"fuzz_tsv", "tsv", "file.tsv"},
    {"fuzz_sets", "sets", "file.sets"}, {"fuzz_page", "html", "file.html"},  {"fuzz_eml", "eml", "file.eml"},
    {"fuzz_mbox", "mbox", "file.mbox"}, {"fuzz_gz", "lines", "file.gz"},     {"fuzz_zst", "lines", "file.zst"},
    {"fuzz_bz2", "lines", "file.bz2"},  {"fuzz_xz", "lines", "file.xz"},     {"fuzz_lz4", "lines", "file.lz4"},
    {"fuzz_warc", "warc", "file.warc"}, {"fuzz_arc", "arc", "file.arc"},     {"fuzz_zip", "text", "file.zip"},
    {"fuzz_tar", "text", "file.tar"},
};
const Reader* reader = nullptr;  // LLVMFuzzerInitialize chooses it

struct Record {
  std::uint64_t number;
  std::string raw, verdict, key, text;  // verdict: why it is bad, without its numbers
  bool operator==(const Record&) const = default;
};

// How far a decoder had looked ahead when it met damage depends on the size of its output buffer.
std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

std::vector<Record> read(test::MemoryFiles& files, std::size_t batch_bytes) {
  constexpr std::uint64_t kMaxRecord = 512;
  std::vector<Record> all;
  Context context{.files = &files};
  try {
    const auto collection = io::open_collection(
        {reader->file}, {.format = reader->format, .extra_fields = {"x", "a.b"}, .max_record_bytes = kMaxRecord},
        context, batch_bytes);
    const io::CollectionImpl& impl = io::impl_of(collection);
    const auto batches = impl.batches(impl.options, context);
    const auto parser = impl.parser(impl.options);
    io::RecordBatch batch;
    DocumentView view;
    Document document;
    while (batches->next(batch)) {
      std::size_t end = 0;
      require(batch.first_row == all.size());
      for (std::size_t place = 0; place < batch.size(); ++place) {
        const io::RawRecord& record = batch.records[place];
        require(record.begin >= end);
        end = std::size_t{record.begin} + record.size + record.terminator;
        require(end <= batch.bytes.size() && record.size <= kMaxRecord);
        const char* reason = parser->parse(batch, place, view);
        all.push_back(
            {record.number, std::string(batch.raw(place)), reason != nullptr ? without_digits(reason) : "", "", ""});
        if (reason != nullptr) continue;
        base::copy_document(view, document);
        require(base::is_valid_utf8(document.text) && base::is_valid_utf8(document.key));
        require(document.fields.size() == 2);
        all.back().key = document.key;
        all.back().text = document.text;
      }
    }
  } catch (const Error& error) {
    all = {{0, "", error.what(), "", ""}};  // nobody is shown what came before, which depends on the batches
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  const std::string program = std::filesystem::path((*arguments)[0]).filename();
  reader = std::ranges::find(kReaders, program, &Reader::program);
  if (reader != std::end(kReaders)) return 0;
  std::fprintf(stderr, "%s: its name says no reader, such as fuzz_csv\n", program.c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::MemoryFiles files;
  files.contents[reader->file].assign(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t kSmall = 7, kLarge = 1u << 14;
  require(read(files, kSmall) == read(files, kLarge));
  return 0;
}
