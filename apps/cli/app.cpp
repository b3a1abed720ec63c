#include "app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "console.h"
#include "description.h"
#include "help.h"
#include "neardup/choice.h"
#include "neardup/error.h"
#include "neardup/files.h"
#include "toml.h"
#include "words.h"

namespace neardup::cli {
namespace {

bool is_flag_of_file(const CLI::Option* option) { return option->get_configurable(); }
bool is_any_flag(const CLI::Option*) { return true; }
bool is_switch(const CLI::Option& option) { return option.get_items_expected_max() == 0; }
bool is_boolean(const std::string& value) { return value == "true" || value == "false"; }
bool takes_several(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

// What other programs call flags of ours.
constexpr std::array<std::pair<std::string_view, const char*>, 24> kSynonyms{{
    {"column", "--text"},
    {"field", "--text"},
    {"text-field", "--text"},
    {"text-column", "--text"},
    {"ngram", "--features"},
    {"ngrams", "--features"},
    {"shingle", "--features"},
    {"shingles", "--features"},
    {"jobs", "--threads"},
    {"workers", "--threads"},
    {"num-workers", "--threads"},
    {"num-proc", "--threads"},
    {"similarity", "--threshold"},
    {"min-similarity", "--threshold"},
    {"cutoff", "--threshold"},
    {"overwrite", "--force"},
    {"sep", "--delimiter"},
    {"separator", "--delimiter"},
    {"glob", "--include"},
    {"ext", "--include"},
    {"num-perm", "--target-recall"},
    {"bands", "--target-recall"},
    {"permutations", "--target-recall"},
    {"silent", "--quiet"},
}};

// What to add to a message about a flag that does not exist.
std::string suggestion(const CLI::App& app, const std::string& word, bool (*eligible)(const CLI::Option*)) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options(eligible)) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  std::string plain = word;
  std::ranges::replace(plain, '_', '-');
  for (const auto& [synonym, name] : kSynonyms)
    if (synonym == plain && std::ranges::find(names, name) != names.end())
      return fmt::format("; did you mean {}?", name);
  return did_you_mean("--" + word, names);
}

// Hands a file's entries to CLI11, which lets flags typed on the command line win.
class FlagFile final : public CLI::ConfigBase {
 public:
  explicit FlagFile(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const std::string text{std::istreambuf_iterator<char>(input), {}};
    const auto file = app_.get_config_ptr()->as<std::string>();
    std::vector<CLI::ConfigItem> out;
    for (ConfigEntry& entry : parse_toml(text, file)) {
      const CLI::Option* option = app_.get_option_no_throw("--" + entry.key);
      if (option == nullptr || !option->get_configurable()) {
        usage(fmt::format("{}:{}: there is no flag \"{}\"{}", file, entry.line, entry.key,
                          suggestion(app_, entry.key, is_flag_of_file)));
      }
      check_values(*option, entry, file);
      CLI::ConfigItem item;
      item.name = std::move(entry.key);
      item.inputs = std::move(entry.values);
      out.push_back(std::move(item));
    }
    return out;
  }

 private:
  static void check_values(const CLI::Option& option, const ConfigEntry& entry, const std::string& file) {
    const char* expected = nullptr;
    if (is_switch(option)) {
      if (entry.values.size() != 1 || !is_boolean(entry.values.front())) expected = "true or false";
    } else if (entry.values.empty()) {
      expected = "a value";
    } else if (!takes_several(option) && entry.values.size() > 1) {
      expected = "one value";
    }
    if (expected != nullptr) usage(fmt::format("{}:{}: \"{}\" needs {}", file, entry.line, entry.key, expected));
  }

  const CLI::App& app_;
};

[[noreturn]] void explain_extras(const CLI::App& app, const VerbText& text) {
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with('-')) continue;
    const std::string flag = word.substr(0, word.find('='));
    const std::string name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
    const std::string file = system_files().exists(word) ? fmt::format("; the file of that name is ./{}", word) : "";
    usage(fmt::format("{} has no flag {}{} (neardup {} --help lists them)", text.name, file.empty() ? flag : word,
                      file.empty() ? suggestion(app, name, is_any_flag) : file, text.name));
  }
  usage(fmt::format("unexpected: {}", fmt::join(app.remaining(), " ")));
}

// A flag has more or fewer values than it takes. CLI11's own sentence starts with the flag's name and a colon.
[[noreturn]] void explain_mismatch(const CLI::App& app, const std::string& said) {
  for (const CLI::Option* option : app.get_options(is_any_flag)) {
    if (!is_switch(*option) && !takes_several(*option) && option->count() > 1)
      usage(fmt::format("{} is given twice", option->get_name()));
  }
  usage(fmt::format("{} needs a value", said.substr(0, said.find(':'))));
}

// Values are taken as text, so that only those of switches can fail to convert.
[[noreturn]] void explain_conversion(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options(is_any_flag)) {
    if (is_switch(*option) && option->count() > 0 && !is_boolean(option->results().back()))
      usage(fmt::format("{} is a switch and takes no value", option->get_name()));
  }
  usage("a switch takes no value");
}

// No words but flags, and none that names inputs instead.
bool lacks_arguments(const CLI::App& app) {
  const CLI::Option* list = app.get_option_no_throw("--files-from");
  if (list != nullptr && list->count() > 0) return false;
  const auto positional = app.get_options([](const CLI::Option* option) { return option->get_positional(); });
  return std::ranges::any_of(positional, [](const CLI::Option* option) { return option->count() == 0; });
}

}  // namespace

std::string did_you_mean(std::string_view word, const Words& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? near : fmt::format("; did you mean {}?", near);
}

std::string either(const Words& choices) {
  const Words all_but_last(choices.begin(), choices.end() - 1);
  return fmt::format("{} or {}", fmt::join(all_but_last, ", "), choices.back());
}

void check_choice(std::string_view what, const std::string& value, const Words& choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  usage(fmt::format("{} {}: expected {}{}", what, value, either(choices), did_you_mean(value, choices)));
}

void DeleteApp::operator()(CLI::App* app) const { delete app; }

App make_app(const VerbText& text) {
  App app(new CLI::App(text.summary, text.name));
  app->set_help_flag();
  app->add_flag("-h,--help")->description("Show this help; -h is shorter")->group(kRunGroup)->configurable(false);
  app->set_config("--config", "", "Read flags from a TOML file; flags on the command line take precedence")
      ->group(kRunGroup)
      ->option_text("FILE.toml");
  app->config_formatter(std::make_shared<FlagFile>(*app));
  return app;
}

void add_value(CLI::App& app, const char* group, const ValueFlag& flag,
               const std::function<void(const std::string&)>& take) {
  const std::string names = flag.names;
  const auto checked = [take, choices = flag.choices, name = names.substr(names.find("--"))](const std::string& value) {
    if (!choices.empty()) check_choice(name, value, choices);
    take(value);
  };
  const Words& words = flag.choices.empty() ? flag.suggestions : flag.choices;
  app.add_option_function<std::string>(flag.names, checked, flag.help)
      ->group(group)
      ->option_text(flag.value)
      ->default_str(flag.default_text)
      ->type_name(fmt::format("{}", fmt::join(words, std::string(1, kWordSeparator))));
}

void add_list(CLI::App& app, const char* group, const ListFlag& flag, const std::function<void(const Words&)>& take) {
  CLI::Option* option = app.add_option_function<Words>(flag.name, take, flag.help);
  option->allow_extra_args(false)->group(group)->option_text(flag.value)->default_str(flag.default_text);
  if (flag.commas) option->delimiter(',');
}

void add_switch(CLI::App& app, const char* group, const char* name, const char* help, bool& on) {
  app.add_flag(name, on, help)->group(group);
}

void add_switch(CLI::App& app, const char* group, const char* name, const char* help,
                const std::function<void()>& take) {
  app.add_flag_callback(name, take, help)->group(group);
}

void add_arguments(CLI::App& app, const char* name, Words& out) {
  app.add_option(name, out)->configurable(false)->group(kInputGroup);
}

Arguments command_of(const VerbText& text, const Arguments& arguments) {
  Arguments command{"neardup", text.name};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

bool parse(CLI::App& app, const VerbText& text, const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const bool asks_for_all = std::find(arguments.begin(), end, "--help") != end;
  if (asks_for_all || std::find(arguments.begin(), end, "-h") != end) {
    const VerbDescription verb = describe(app, text);
    print_data(asks_for_all ? verb_help(verb) : short_verb_help(verb));
    return false;
  }
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ExtrasError&) {
    explain_extras(app, text);
  } catch (const CLI::FileError&) {
    usage(fmt::format("cannot read the --config file {}", app.get_config_ptr()->as<std::string>()));
  } catch (const CLI::ArgumentMismatch& error) {
    explain_mismatch(app, error.what());
  } catch (const CLI::ConversionError&) {
    explain_conversion(app);
  } catch (const CLI::ParseError& error) {
    usage(error.what());
  }
  if (lacks_arguments(app)) usage(fmt::format("{} needs {} (neardup {} --help)", text.name, text.needs, text.name));
  return true;
}

}  // namespace neardup::cli
