#include "against_flags.h"

#include <CLI/CLI.hpp>

#include "neardup/error.h"

namespace neardup::cli {

ReadOptions AgainstFlags::reading(ReadOptions as_first) const {
  if (!text_fields.empty()) {
    as_first.text_fields = text_fields;
    as_first.text_named = true;
  }
  if (!id_field.empty()) {
    as_first.id_field = id_field;
    as_first.id_required = true;
  }
  return as_first;
}

void AgainstFlags::check() const {
  if (inputs.empty() && (!text_fields.empty() || !id_field.empty())) {
    throw Error(ErrorCode::usage, "--against-text and --against-id describe --against INPUT, which is missing");
  }
}

void add_against_flags(CLI::App& app, AgainstFlags& against, const char* help) {
  app.add_option("--against", against.inputs, help)->allow_extra_args(false)->group(kInputGroup)->option_text("INPUT");
  app.add_option("--against-text", against.text_fields, "The same as --text for the other side")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kInputGroup)
      ->option_text("FIELD")
      ->default_str("as --text");
  add_value(app, kInputGroup, {"--against-id", "FIELD", "The same as --id for the other side", "as --id"},
            [&](const std::string& value) { against.id_field = value; });
}

}  // namespace neardup::cli
