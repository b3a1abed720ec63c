// The part of the plugin's table that is about files of other machines; plugin_abi.h says what each one does.
#pragma once

#include "plugin_abi.h"

namespace neardup::arrow_plugin {

int remote_info(const char* uri, NeardupRemoteInfo* out, NeardupError*);
int remote_list(const char* uri, int (*each)(void* self, const char* name), void* self, NeardupError*);
int remote_open(const char* uri, NeardupRemoteFile** out, int64_t* size, NeardupError*);
int remote_read_at(NeardupRemoteFile*, int64_t offset, void* buffer, int64_t bytes, NeardupError*);
void remote_close(NeardupRemoteFile*);
int remote_create(const char* uri, NeardupRemoteSink** out, NeardupError*);
int remote_write(NeardupRemoteSink*, const void* bytes, int64_t size, NeardupError*);
int remote_finish(NeardupRemoteSink*, NeardupError*);
void remote_discard(NeardupRemoteSink*);
int remote_remove(const char* uri, NeardupError*);

}  // namespace neardup::arrow_plugin
