#include "ipc_index.h"

#include <arrow/buffer.h>
#include <arrow/ipc/message.h>

#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "Arrow's headers are little-endian");

namespace neardup::arrow_plugin {
namespace {

constexpr uint32_t kContinuation = 0xFFFFFFFF;
constexpr int64_t kMostIndexedRows = int64_t{1} << 40;  // so that sums do not overflow
constexpr int kRecordBatchLength = 0, kRecordBatchCompression = 3, kCompressionCodec = 0;  // fields of Message.fbs

template <class T>
T load(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A field of a FlatBuffers table, which Arrow has verified; null where it has its default value.
const uint8_t* field_of(const uint8_t* table, int field) {
  const uint8_t* const vtable = table - load<int32_t>(table);
  const auto place = static_cast<std::size_t>(4 + 2 * field);
  if (place + 2 > load<uint16_t>(vtable)) return nullptr;
  const auto offset = load<uint16_t>(vtable + place);
  return offset == 0 ? nullptr : table + offset;
}

void add_record_batch(const uint8_t* table, IpcIndex& out) {
  const uint8_t* const length = field_of(table, kRecordBatchLength);
  out.rows.push_back(length == nullptr ? 0 : load<int64_t>(length));
  const uint8_t* const compression = field_of(table, kRecordBatchCompression);
  if (compression == nullptr) return;
  const uint8_t* const codec = field_of(compression + load<uint32_t>(compression), kCompressionCodec);
  const bool is_zstd = codec != nullptr && load<int8_t>(codec) == 1;
  out.codec = is_zstd ? arrow::Compression::ZSTD : arrow::Compression::LZ4_FRAME;
}

}  // namespace

arrow::Result<IpcIndex> index_messages(arrow::io::RandomAccessFile& file, int64_t begin) {
  IpcIndex out;
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file.GetSize());
  for (int64_t at = begin; size - at >= 8;) {
    uint32_t prefix[2];
    ARROW_RETURN_NOT_OK(file.ReadAt(at, sizeof prefix, prefix));
    if (prefix[0] != kContinuation) return arrow::Status::Invalid("no message begins at byte ", at);
    if (prefix[1] == 0) break;  // the end of the stream
    at += 8;
    if (prefix[1] > size - at) return arrow::Status::Invalid("it is cut short at byte ", size);
    ARROW_ASSIGN_OR_RAISE(auto metadata, file.ReadAt(at, prefix[1]));
    ARROW_ASSIGN_OR_RAISE(const auto message, arrow::ipc::Message::Open(metadata, nullptr));
    at += prefix[1];
    if (message->type() == arrow::ipc::MessageType::RECORD_BATCH) {
      add_record_batch(static_cast<const uint8_t*>(message->header()), out);
      if (out.rows.back() < 0 || out.rows.back() > kMostIndexedRows)
        return arrow::Status::Invalid("record batch ", out.rows.size(), " says that it has ", out.rows.back(), " rows");
    }
    if (message->body_length() < 0) return arrow::Status::Invalid("a message has a negative length");
    // A batch whose bytes are missing counts: reading says what is wrong with it.
    if (message->body_length() > size - at) break;
    at += message->body_length();
  }
  return out;
}

}  // namespace neardup::arrow_plugin
