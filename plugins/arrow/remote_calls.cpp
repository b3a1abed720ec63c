#include "remote_calls.h"

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "failures.h"
#include "remote.h"

struct NeardupRemoteFile {
  std::shared_ptr<arrow::io::RandomAccessFile> file;
};
struct NeardupRemoteSink {
  std::shared_ptr<arrow::io::OutputStream> stream;
  bool is_finished = false;
};

namespace neardup::arrow_plugin {
namespace {

template <class Call>
int remotely(NeardupError* error, Call&& call) noexcept {
  return guarded(error, [&] { return remote_failure(call()); });
}

}  // namespace

int remote_info(const char* uri, NeardupRemoteInfo* out, NeardupError* error) {
  return remotely(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const RemotePlace place, remote_place(uri));
    ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, place.files->GetFileInfo(place.path));
    out->kind = info.type() == arrow::fs::FileType::File ? 1 : info.type() == arrow::fs::FileType::Directory ? 2 : 0;
    out->size = std::max<int64_t>(info.size(), 0);
    out->changed_ns = info.mtime().time_since_epoch().count();
    return arrow::Status::OK();
  });
}

int remote_list(const char* uri, int (*each)(void* self, const char* name), void* self, NeardupError* error) {
  return remotely(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const RemotePlace place, remote_place(uri));
    arrow::fs::FileSelector selector;
    selector.base_dir = place.path;
    ARROW_ASSIGN_OR_RAISE(const auto found, place.files->GetFileInfo(selector));
    for (const arrow::fs::FileInfo& info : found) {
      if (each(self, info.base_name().c_str()) != 0) return refuse(NEARDUP_BUG, "stopped");
    }
    return arrow::Status::OK();
  });
}

int remote_open(const char* uri, NeardupRemoteFile** out, int64_t* size, NeardupError* error) {
  return remotely(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const RemotePlace place, remote_place(uri));
    auto opened = std::make_unique<NeardupRemoteFile>();
    ARROW_ASSIGN_OR_RAISE(opened->file, place.files->OpenInputFile(place.path));
    ARROW_ASSIGN_OR_RAISE(*size, opened->file->GetSize());
    *out = opened.release();
    return arrow::Status::OK();
  });
}

int remote_read_at(NeardupRemoteFile* file, int64_t offset, void* buffer, int64_t bytes, NeardupError* error) {
  return remotely(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, file->file->ReadAt(offset, bytes, buffer));
    return got == bytes ? arrow::Status::OK() : arrow::Status::IOError("the file ended early");
  });
}

void remote_close(NeardupRemoteFile* file) { delete file; }

int remote_create(const char* uri, NeardupRemoteSink** out, NeardupError* error) {
  return remotely(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const RemotePlace place, remote_place(uri));
    auto opened = std::make_unique<NeardupRemoteSink>();
    ARROW_ASSIGN_OR_RAISE(opened->stream, place.files->OpenOutputStream(place.path));
    *out = opened.release();
    return arrow::Status::OK();
  });
}

int remote_write(NeardupRemoteSink* sink, const void* bytes, int64_t size, NeardupError* error) {
  return remotely(error, [&] { return sink->stream->Write(bytes, size); });
}

int remote_finish(NeardupRemoteSink* sink, NeardupError* error) {
  return remotely(error, [&] {
    sink->is_finished = true;
    return sink->stream->Close();
  });
}

void remote_discard(NeardupRemoteSink* sink) {
  NeardupError ignored{};
  if (!sink->is_finished) remotely(&ignored, [&] { return sink->stream->Abort(); });
  delete sink;
}

int remote_remove(const char* uri, NeardupError* error) {
  return remotely(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const RemotePlace place, remote_place(uri));
    ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, place.files->GetFileInfo(place.path));
    if (info.type() == arrow::fs::FileType::Directory) return place.files->DeleteDir(place.path);
    return place.files->DeleteFile(place.path);
  });
}

}  // namespace neardup::arrow_plugin
