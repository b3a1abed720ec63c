#include "evaluate/shapes.h"

#include <algorithm>
#include <array>

namespace neardup {
namespace evaluation {
namespace {

using Form = FileShape::Form;

constexpr std::string_view kOurClusters = "clusters of neardup", kOurPairs = "pairs of neardup";
constexpr std::string_view kTextDedup = "a data set of text-dedup with its cluster column";
constexpr std::string_view kDatatrove = "documents of datatrove with minhash_cluster_id";
constexpr std::string_view kDatasketch = "lists of similar ids, as scripts around datasketch write them";
constexpr std::string_view kLabels = "ids with labels", kPairs = "pairs of ids";

constexpr auto kShapes = std::to_array<FileShape>({
    {"neardup", "removed documents of neardup", Form::removed, "id", "kept", "rule"},
    {"neardup", kOurClusters, Form::labels, "id", "cluster", "kept"},
    {"neardup", "documents annotated by neardup", Form::labels, "id", "neardup_cluster", "neardup_kept"},
    {"neardup", kOurPairs, Form::pairs, "left", "right", "score", "score"},
    {"text-dedup", kTextDedup, Form::labels, "id", "__CLUSTER__"},
    {"text-dedup", kTextDedup, Form::labels, "id", "__cluster__"},
    {"text-dedup", kTextDedup, Form::labels, "__INDEX__", "__CLUSTER__"},
    {"text-dedup", kTextDedup, Form::labels, "__index__", "__cluster__"},
    {"datatrove", kDatatrove, Form::labels, "id", "metadata.minhash_cluster_id", "", "", "-1"},
    {"datatrove", kDatatrove, Form::labels, "id", "minhash_cluster_id", "", "", "-1"},
    {"splink", "pairwise predictions of Splink", Form::pairs, "unique_id_l", "unique_id_r", "", "match_probability"},
    {"splink", "clusters of Splink", Form::labels, "unique_id", "cluster_id"},
    {"datasketch", kDatasketch, Form::partners, "id", "duplicates"},
    {"datasketch", kDatasketch, Form::partners, "id", "neighbors"},
    {"datasketch", kDatasketch, Form::partners, "id", "neighbours"},
    {"datasketch", kDatasketch, Form::partners, "id", "matches"},
    {"datasketch", kDatasketch, Form::partners, "id", "similar"},
    {"datasketch", kDatasketch, Form::partners, "", ""},  // a line is a list
    {"pairs", kPairs, Form::pairs, "left", "right", "", "score"},
    {"pairs", kPairs, Form::pairs, "id1", "id2", "", "score"},
    {"pairs", kPairs, Form::pairs, "id_1", "id_2", "", "score"},
    {"pairs", kPairs, Form::pairs, "id_l", "id_r", "", "score"},
    {"pairs", kPairs, Form::pairs, "left_id", "right_id", "", "score"},
    {"pairs", kPairs, Form::pairs, "ltable_id", "rtable_id", "", "score"},
    {"pairs", kPairs, Form::pairs, "idA", "idB", "", "score"},
    {"labels", kLabels, Form::labels, "id", "label"},
    {"labels", kLabels, Form::labels, "id", "cluster"},
    {"labels", kLabels, Form::labels, "id", "cluster_id"},
    {"labels", kLabels, Form::labels, "id", "group"},
    {"labels", kLabels, Form::labels, "id", "class"},
    {"labels", kLabels, Form::labels, "id", "entity"},
    // Without a header, only when asked for.
    {"pairs", "pairs of ids in the first two columns", Form::pairs, "1", "2", "", "3"},
    {"labels", "ids with labels in the first two columns", Form::labels, "1", "2"},
});

constexpr std::array<std::string_view, 5> kVerdicts{"label", "match", "is_match", "is_duplicate", "duplicate"};

}  // namespace

std::span<const FileShape> file_shapes() { return kShapes; }
std::span<const std::string_view> verdict_columns() { return kVerdicts; }

}  // namespace evaluation

std::vector<std::string> grouping_formats() {
  std::vector<std::string> names{"auto"};
  for (const evaluation::FileShape& shape : evaluation::file_shapes())
    if (std::ranges::find(names, shape.format) == names.end()) names.emplace_back(shape.format);
  return names;
}

}  // namespace neardup
