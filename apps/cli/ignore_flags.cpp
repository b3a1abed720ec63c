#include "ignore_flags.h"

#include <utility>

namespace neardup::cli {

void IgnoreFlags::open(ReadOptions as_input, const Context& context) {
  if (files.empty()) return;
  as_input.limit = 0;
  as_input.sample = 1;
  as_input.format = "auto";
  as_input.text_fields.reset();
  options.texts = Collection::open(InputFiles{.inputs = files, .named_by = "ignore"}, as_input, context);
}

void add_ignore_flags(CLI::App& app, IgnoreFlags& flags, Counted counted) {
  if (counted == Counted::offered) {
    add_value(app, kDefinitionGroup,
              {"--ignore-common", "SHARE|COUNT",
               "Ignore features that more distinct documents than this have: 100 is a number, 0.05 and 5% are shares"},
              [&](const std::string& value) { flags.options.common = parse_common_limit(value); });
    add_value(app, kDefinitionGroup,
              {"--within", "FIELD", "--ignore-common: count documents per value of this field, for example per site"},
              [&](const std::string& value) { flags.options.within = value; });
  }
  add_list(app, kDefinitionGroup,
           {.name = "--ignore",
            .value = "FILE",
            .help = "Ignore the features of these texts: licence headers, a site's template, the given part of an "
                    "exercise; may be repeated",
            .commas = false},
           [&](const Words& files) { flags.files = files; });
}

}  // namespace neardup::cli
