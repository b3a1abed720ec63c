// How are documents, matches and changes of an index written as lines?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/index.h"

namespace neardup::cli {

// Tab-separated: ids are escaped as in all our lists.
std::string match_line(std::string_view key, const std::optional<IndexMatch>&, Measure);  // id, match, score, cluster
std::string result_line(std::string_view key, const AddResult&, Measure);  // id, status, match, score, cluster
std::string member_line(ClusterId, const ClusterMember&);                  // cluster, id, kept
std::string change_line(const IndexChange&);  // token, time, change, cluster, other, id, reason
// One JSON object.
std::string json_line(const StoredDocument&, const std::vector<std::string>& field_names);

// An id as it was before it was escaped.
std::string unescaped(std::string_view id);

}  // namespace neardup::cli
