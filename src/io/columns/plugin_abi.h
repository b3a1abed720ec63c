/* What do the program and libneardup-arrow.so say to each other?
 *
 * Plain C: no C++ type and no exception crosses this border, so that the two may be built by different compilers. Both
 * sides compare NEARDUP_ARROW_ABI; whoever changes anything below adds one to it.
 *
 * Functions that return int return 0, or a NeardupCode and fill `error`. A callback that returns anything but 0 has
 * failed: the plugin gives up with any code, and the program knows why.
 */
#pragma once

#ifdef __cplusplus
#include <cstdint>
extern "C" {
#else
#include <stdint.h>
#endif

#define NEARDUP_ARROW_ABI 1u
#define NEARDUP_ARROW_ENTRY "neardup_arrow_plugin"

struct ArrowArray;
struct ArrowArrayStream;
struct ArrowSchema;

enum NeardupCode {
  NEARDUP_OK = 0,
  NEARDUP_DAMAGED,    /* the bytes are not what they should be */
  NEARDUP_ENCRYPTED,  /* there is no key */
  NEARDUP_MISSING,    /* there is no such file */
  NEARDUP_REFUSED,    /* by a server or disk: no permission, no connection, no space */
  NEARDUP_UNSUITABLE, /* what was asked for cannot be done with this file: its types, its columns */
  NEARDUP_MEMORY,
  NEARDUP_BUG
};

struct NeardupError {
  int32_t code;
  char text[2040]; /* UTF-8, ended by NUL; says what and where within a file, but does not name the file */
};

enum NeardupKind { NEARDUP_PARQUET, NEARDUP_ARROW_FILE, NEARDUP_ARROW_STREAM };

/* A file that the program reads for the plugin. Calls come from one thread at a time. */
struct NeardupBytes {
  void* self;
  int64_t size;
  int (*read_at)(void* self, int64_t offset, void* buffer, int64_t bytes); /* all of them or an error */
};

/* Where the plugin writes to. */
struct NeardupSink {
  void* self;
  int (*write)(void* self, const void* bytes, int64_t size);
};

/* A file of columns. Its rows come in groups: row groups of Parquet, record batches of Arrow. */
struct NeardupColumnFile;
/* Rows on their way into a new file. */
struct NeardupRowWriter;
/* A file of a remote file system that is being read, and one that is being written. */
struct NeardupRemoteFile;
struct NeardupRemoteSink;

struct NeardupRemoteInfo {
  int32_t kind; /* 0: nothing, 1: a file, 2: a folder */
  int64_t size, changed_ns;
};

struct NeardupArrowPlugin {
  uint32_t abi;              /* NEARDUP_ARROW_ABI */
  const char* arrow_version; /* "26.0.1" */

  /* Reads the footer. `bytes` must live until close_file. Threads: a file is used by one at a time. */
  int (*open_file)(int32_t kind, const struct NeardupBytes* bytes, struct NeardupColumnFile** out,
                   struct NeardupError* error);
  void (*close_file)(struct NeardupColumnFile*);
  int64_t (*groups)(const struct NeardupColumnFile*);
  int64_t (*group_rows)(const struct NeardupColumnFile*, int64_t group);
  int (*schema)(const struct NeardupColumnFile*, struct ArrowSchema* out, struct NeardupError* error);
  /* The rows from group `first_group` up to `end_group`, in batches of about `batch_bytes`. Only the top-level columns
   * that are named are decoded; names that are not there are left out. `columns` null: all. The stream must be released
   * before the file is closed. Where it fails, failed_group says in which group; the groups behind it can still be read
   * with another stream, but not those of NEARDUP_ARROW_STREAM. */
  int (*read)(struct NeardupColumnFile*, const char* const* columns, int64_t n_columns, int64_t first_group,
              int64_t end_group, int64_t batch_bytes, struct ArrowArrayStream* out, struct NeardupError* error);
  int64_t (*failed_group)(const struct NeardupColumnFile*);

  /* A new file like this one: schema, metadata, codecs, size of groups. `kind` is Parquet where the file is, else
   * either kind of Arrow. `added` null, or a schema (taken over) of columns that are added behind the others. */
  int (*open_writer)(const struct NeardupColumnFile* like, int32_t kind, const struct NeardupSink*,
                     struct ArrowSchema* added, struct NeardupRowWriter** out, struct NeardupError* error);
  /* Copies those rows of a group whose number in `chosen` is not 0; groups of a file come in order. `added`, a struct
   * array with a row for each row of the group, is taken over; null where no columns are added. The columns of `from`
   * must be those of the file the writer was opened with: NEARDUP_UNSUITABLE. */
  int (*write_group)(struct NeardupRowWriter*, struct NeardupColumnFile* from, int64_t group, const uint8_t* chosen,
                     struct ArrowArray* added, struct NeardupError* error);
  int (*finish_writer)(struct NeardupRowWriter*, struct NeardupError* error);
  void (*close_writer)(struct NeardupRowWriter*);

  /* Files by URI: s3://, gs://, hdfs://. Threads: all may run concurrently. */
  int (*remote_info)(const char* uri, struct NeardupRemoteInfo* out, struct NeardupError* error);
  int (*remote_list)(const char* uri, int (*each)(void* self, const char* name), void* self,
                     struct NeardupError* error);
  int (*remote_open)(const char* uri, struct NeardupRemoteFile** out, int64_t* size, struct NeardupError* error);
  int (*remote_read_at)(struct NeardupRemoteFile*, int64_t offset, void* buffer, int64_t bytes,
                        struct NeardupError* error);
  void (*remote_close)(struct NeardupRemoteFile*);
  /* Nothing is there under this name before remote_finish. remote_discard ends what was not finished, and frees. */
  int (*remote_create)(const char* uri, struct NeardupRemoteSink** out, struct NeardupError* error);
  int (*remote_write)(struct NeardupRemoteSink*, const void* bytes, int64_t size, struct NeardupError* error);
  int (*remote_finish)(struct NeardupRemoteSink*, struct NeardupError* error);
  void (*remote_discard)(struct NeardupRemoteSink*);
  int (*remote_remove)(const char* uri, struct NeardupError* error); /* a file, or a folder with all below it */
};

/* The only symbol that the plugin shows: NEARDUP_ARROW_ENTRY. */
typedef const struct NeardupArrowPlugin* (*NeardupArrowEntry)(void);

#ifdef __cplusplus
}
#endif
