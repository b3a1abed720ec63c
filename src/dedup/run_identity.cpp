#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/system.h"
#include "corpus/units.h"
#include "dedup/checkpoint.h"
#include "io/codecs/codecs.h"
#include "io/collection.h"
#include "io/formats/formats.h"
#include "io/read_options.h"
#include "neardup/error.h"
#include "neardup/text_rules.h"
#include "neardup/version.h"

namespace neardup::dedup {
namespace {

class Identity {
 public:
  explicit Identity(FileSystem& files) : files_(files) {}

  template <class Value>
  void add(std::string_view name, const Value& value) {
    text_ += fmt::format("{}: {}\n", name, value);
  }

  void add(const Definition& definition) {
    add("`features`", fmt::format("{} {}", to_string(definition.features), definition.features.bag));
    add("what becomes of words", describe(definition.text));
    add("`measure`", to_string(definition.measure));
    add("`threshold`", to_string(definition.threshold));
    add("`weights`", to_string(definition.weights));
    add("`field_weights`", fmt::format("{}", fmt::join(definition.field_weights, ",")));
    add("`length_ratio`", to_string(definition.length_ratio));
    add("`as_is`", definition.as_is);
    add("the seed of features", definition.hash_seed);
  }

  void add(const DedupOptions& options) {
    add("`finder`", options.finder.name);
    add("`target_recall`", options.finder.target_recall);
    add("`distance`", options.finder.distance);
    add("`measure_recall`", options.finder.measure_recall);
    add("`against_only`", options.against_only);
    std::vector<std::string> keys, conditions;
    for (const SameKey& key : options.same) keys.push_back(to_string(key));
    for (const FieldCondition& condition : options.require) conditions.push_back(to_string(condition));
    add("`same`", fmt::format("{} {}", fmt::join(keys, ","), options.same_only));
    add("`url_rules`", options.url_rules.empty() ? "" : options.url_rules + " " + state_of(options.url_rules));
    add("`require`", fmt::format("{}", fmt::join(conditions, ",")));
    add("`by`", options.by);
    add("`pairs`", options.pairs.empty() ? "" : options.pairs + " " + state_of(options.pairs));
    add("the threshold of `pairs`", options.pairs_threshold ? to_string(*options.pairs_threshold) : "");
    add("`decisions`", options.decisions.empty() ? "" : options.decisions + " " + state_of(options.decisions));
    add("`drop_empty`", options.drop_empty);
    add("`clusters`", to_string(options.cluster_kind()));
    std::vector<std::string> rules;
    for (const KeepRule& rule : options.keep) rules.push_back(to_string(rule));
    add("`keep`", fmt::format("{}", fmt::join(rules, ",")));
    const AuthorityOptions& authority = options.authority;
    add("`links`", authority.links.empty() ? "" : authority.links + " " + state_of(authority.links));
    add("whether links of pages count", authority.page_links);
    add("`authority`",
        authority.scores.empty() ? authority.field : authority.scores + " " + state_of(authority.scores));
    add("`damping`", authority.damping);
    add("`tolerance`", authority.tolerance);
    add("`seed`", options.finder.seed);
    add("whether evidence is kept",
        options.keep_evidence);  // without it pairs between connected documents are not saved
    add("`on_bad_record`", static_cast<int>(options.on_bad_record));
    add("`annotate`", options.output.annotate);
    add("`copies`", options.copies);
    add("`count`", options.output.count);
    add("`collect`", fmt::format("{} {}", fmt::join(options.output.collect, ","), options.output.collect_limit));
  }

  // The list of files may be long: it is told by its hash.
  void add(const std::string& name, const Collection& collection) {
    const io::CollectionImpl& impl = io::impl_of(collection);
    const ReadOptions& reading = impl.options;
    std::string files;
    for (const io::Source& source : impl.sources) {
      if (source.documents != nullptr || source.path == "-") {
        throw Error(ErrorCode::usage,
                    fmt::format("`resume` needs inputs that can be read again: {} (give a file)",
                                source.path == "-" ? "standard input is not" : "documents in memory are not"),
                    "resume");
      }
      files += fmt::format("{} {} {} {}\n", source.path, source.format->name, source.codec->name,
                           source.problem.empty() ? state_of(source.file()) : source.problem);
    }
    const corpus::SetHash hash = corpus::hash_bytes({files.data(), files.size()});
    add("the list of " + name + " files, their sizes or times",
        fmt::format("{} {:016x}{:016x}", impl.sources.size(), hash.high, hash.low));
    add("the reading of " + name,
        fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", reading.format,
                    static_cast<int>(reading.rows.delimiter.value_or('\0')), to_string(reading.rows.quote),
                    reading.rows.has_header, fmt::join(io::text_fields(reading), ","), io::id_field(reading),
                    reading.id_field.has_value(), to_string(reading.html), reading.encoding, reading.max_record_bytes,
                    reading.limit, reading.sample, reading.seed));
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  // Size, and the last change in the file system's finest unit.
  std::string state_of(const std::filesystem::path& file) {
    const FileInfo info = files_.info(file);
    if (info.kind == FileKind::none)
      throw Error(ErrorCode::input, fmt::format("cannot read {}: No such file or directory", file.string()));
    return fmt::format("{} {}", info.size, info.changed_ns);
  }

  FileSystem& files_;
  std::string text_;
};

}  // namespace

std::string run_identity(const Collection& collection, const Collection* against, const DedupOptions& options,
                         const Context& context, const KnownDocuments* known) {
  Identity identity(base::files(context));
  identity.add("the version of neardup", version());
  identity.add(options.definition);
  identity.add(options);
  identity.add("`memory`", base::memory_bytes(context));  // a small one draws fewer documents for measuring recall
  identity.add("input", collection);
  if (against != nullptr) identity.add("`against`", *against);
  if (options.ignore.common) identity.add("`ignore_common`", to_string(*options.ignore.common));
  if (options.ignore.texts) identity.add("`ignore`", *options.ignore.texts);
  if (!options.ignore.within.empty()) identity.add("`within`", options.ignore.within);
  if (known != nullptr) identity.add("`index`", known->name() + " " + known->state());
  return identity.text();
}

std::string input_identity(const Collection& collection, const Context& context) {
  Identity identity(base::files(context));
  try {
    identity.add("input", collection);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    return {};
  }
  return identity.text();
}

}  // namespace neardup::dedup
