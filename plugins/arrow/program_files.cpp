#include "program_files.h"

#include <arrow/buffer.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include <algorithm>
#include <utility>

namespace neardup::arrow_plugin {
namespace {

class ProgramFile final : public arrow::io::RandomAccessFile {
 public:
  explicit ProgramFile(const NeardupBytes& bytes) : bytes_(bytes) { set_mode(arrow::io::FileMode::READ); }

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<int64_t> Tell() const override { return at_; }
  arrow::Status Seek(int64_t position) override {
    if (position < 0 || position > bytes_.size) return arrow::Status::IOError("a position outside of the file");
    at_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> GetSize() override { return bytes_.size; }

  arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, void* out) override {
    if (position < 0 || position > bytes_.size || size < 0)
      return arrow::Status::IOError("a position outside of the file");
    size = std::min(size, bytes_.size - position);
    if (size != 0 && bytes_.read_at(bytes_.self, position, out, size) != 0)
      return arrow::Status::IOError("cannot be read");
    return size;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t size) override {
    if (position < 0 || position > bytes_.size || size < 0)
      return arrow::Status::IOError("a position outside of the file");
    // What a damaged file claims is not allocated before it is known to be there.
    size = std::min(size, bytes_.size - position);
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::ResizableBuffer> buffer,
                          arrow::AllocateResizableBuffer(size, reading_pool()));
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position, size, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(got));
    return buffer;
  }
  arrow::Result<int64_t> Read(int64_t size, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(at_, size, out));
    at_ += got;
    return got;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t size) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(at_, size));
    at_ += buffer->size();
    return buffer;
  }

 private:
  NeardupBytes bytes_;
  int64_t at_ = 0;
  bool closed_ = false;
};

class ProgramSink final : public arrow::io::OutputStream {
 public:
  explicit ProgramSink(const NeardupSink& sink) : sink_(sink) { set_mode(arrow::io::FileMode::WRITE); }

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<int64_t> Tell() const override { return at_; }
  arrow::Status Write(const void* bytes, int64_t size) override {
    if (size != 0 && sink_.write(sink_.self, bytes, size) != 0) return arrow::Status::IOError("cannot be written");
    at_ += size;
    return arrow::Status::OK();
  }
  using arrow::io::OutputStream::Write;

 private:
  NeardupSink sink_;
  int64_t at_ = 0;
  bool closed_ = false;
};

}  // namespace

arrow::MemoryPool* reading_pool() {
  arrow::MemoryPool* pool = nullptr;
  return arrow::jemalloc_memory_pool(&pool).ok() ? pool : arrow::default_memory_pool();
}

std::shared_ptr<arrow::io::RandomAccessFile> open_bytes(const NeardupBytes& bytes) {
  return std::make_shared<ProgramFile>(bytes);
}

std::shared_ptr<arrow::io::OutputStream> open_sink(const NeardupSink& sink) {
  return std::make_shared<ProgramSink>(sink);
}

}  // namespace neardup::arrow_plugin
