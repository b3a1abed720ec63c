// How are files of other machines read and written?
#pragma once

#include <filesystem>

#include "neardup/files.h"

namespace neardup {

// Whether a path is a URI that remote_files() leads to: s3://BUCKET/KEY, gs://BUCKET/KEY, hdfs://HOST/PATH.
bool is_remote(const std::filesystem::path&);

// The operating system's files, and those that URIs name. Set Context::files to it. Remote files are reached by the
// Arrow plugin, which takes credentials and end points where the usual tools do (AWS_ACCESS_KEY_ID, AWS_PROFILE,
// AWS_ENDPOINT_URL, GOOGLE_APPLICATION_CREDENTIALS, HADOOP_HOME); Error{input} says how to get it where it is missing.
//
// There is no renaming there: an output is written under its own name, where it appears whole once it is complete; of a
// folder one file after the other, run.json last. Files are replaced, folders never.
FileSystem& remote_files();

}  // namespace neardup
