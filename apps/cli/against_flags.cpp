#include "against_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/error.h"

namespace neardup::cli {

InputFiles AgainstFlags::files(InputFiles as_first) const {
  as_first.inputs = inputs;
  as_first.files_from.clear();
  as_first.named_by = "against";
  return as_first;
}

ReadOptions AgainstFields::applied(ReadOptions as_first) const {
  if (!text_fields.empty()) as_first.text_fields = text_fields;
  if (!id_field.empty()) as_first.id_field = id_field;
  if (delimiter) as_first.rows.delimiter = delimiter;
  if (quote) as_first.rows.quote = *quote;
  return as_first;
}

ReadOptions AgainstFlags::reading(ReadOptions as_first) const {
  as_first.limit = 0;
  as_first.sample = 1;
  return fields.applied(std::move(as_first));
}

void AgainstFlags::check(const InputFiles& first) const {
  if (first.files_from == "-" && std::ranges::find(inputs, "-") != inputs.end()) {
    throw Error(ErrorCode::usage, "standard input can be --files-from or --against, not both");
  }
  if (inputs.empty() && fields.given()) {
    throw Error(ErrorCode::usage,
                "--against-text, --against-id, --against-delimiter and --against-quote describe --against INPUT, which "
                "is missing");
  }
}

void add_against_flags(CLI::App& app, AgainstFlags& against, const char* help) {
  add_list(app, kInputGroup, {.name = "--against", .value = "INPUT", .help = help, .commas = false},
           [&](const Words& inputs) { against.inputs = inputs; });
  add_against_field_flags(app, against.fields);
}

void add_against_field_flags(CLI::App& app, AgainstFields& fields, const char* side) {
  add_list(app, kInputGroup,
           {"--against-text", "FIELD", fmt::format("The same as --text for {}", side).c_str(), "as --text"},
           [&](const Words& names) { fields.text_fields = names; });
  add_value(app, kInputGroup, {"--against-id", "FIELD", fmt::format("The same as --id for {}", side), "as --id"},
            [&](const std::string& value) { fields.id_field = value; });
  add_value(app, kInputGroup,
            {"--against-delimiter", "C", fmt::format("The same as --delimiter for {}", side), "as --delimiter"},
            [&](const std::string& value) { fields.delimiter = parse_delimiter(value); });
  add_value(app, kInputGroup,
            {"--against-quote", "Q", fmt::format("The same as --quote for {}", side), "as --quote", {}, {"none"}},
            [&](const std::string& value) { fields.quote = parse_quote(value); });
}

}  // namespace neardup::cli
