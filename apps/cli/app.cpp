#include "app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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
#include "synonyms.h"
#include "toml.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

bool is_flag_of_file(const CLI::Option* option) { return option->get_configurable(); }
bool is_any_flag(const CLI::Option*) { return true; }
bool is_switch(const CLI::Option& option) { return option.get_items_expected_max() == 0; }
bool is_boolean(const std::string& value) { return value == "true" || value == "false"; }
bool takes_several(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

// The name of a flag without its dashes, as this verb knows it: synonyms are replaced. Other words stay as they are.
std::string canonical_name(const CLI::App& app, const std::string& name) {
  const auto is_flag = [&](std::string_view word) {
    return app.get_option_no_throw("--" + std::string(word)) != nullptr;
  };
  const std::string plain = with_hyphens(name);
  if (is_flag(plain)) return plain;
  for (const Synonym& synonym : synonyms()) {
    if (synonym.kind == Synonymy::same && synonym.word == plain && is_flag(synonym.flag))
      return std::string(synonym.flag);
  }
  return name;
}

// The same for a whole command line. The value of a flag is never taken for a flag.
Arguments canonical(const CLI::App& app, const Arguments& arguments) {
  Arguments out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string word = arguments[i];
    if (word == "--") {
      out.insert(out.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    const std::size_t equals = word.find('=');
    if (word.starts_with("--"))
      word = "--" + canonical_name(app, word.substr(2, equals - 2)) + word.substr(std::min(equals, word.size()));
    out.push_back(word);
    const CLI::Option* option =
        word.starts_with('-') && word.size() > 1 && equals == word.npos ? app.get_option_no_throw(word) : nullptr;
    if (option != nullptr && !is_switch(*option) && i + 1 < arguments.size()) out.push_back(arguments[++i]);
  }
  return out;
}

// What to add to a message about a flag that does not exist.
std::string suggestion(const CLI::App& app, const std::string& word, bool (*eligible)(const CLI::Option*)) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options(eligible)) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string plain = with_hyphens(word);
  for (const Synonym& synonym : synonyms()) {
    const std::string flag = "--" + std::string(synonym.flag);
    if (synonym.word == plain && std::ranges::find(names, flag) != names.end())
      return fmt::format("; did you mean {}?", flag);
  }
  return did_you_mean("--" + word, names);
}

// The flags that a file can set for a verb, without dashes.
Words configurable_flags(const Verb& verb) {
  Words out;
  for (const FlagGroup& group : verb.describe().groups)
    for (const FlagText& flag : group.flags)
      if (flag.name != "--help" && flag.name != "--config") out.push_back(flag.name.substr(2));
  return out;
}

bool has_flag(const Verb& verb, const std::string& name) {
  const Words flags = configurable_flags(verb);
  const auto is_flag = [&](std::string_view word) { return std::ranges::find(flags, word) != flags.end(); };
  const std::string plain = with_hyphens(name);
  return is_flag(plain) || std::ranges::any_of(synonyms(), [&](const Synonym& synonym) {
           return synonym.kind == Synonymy::same && synonym.word == plain && is_flag(synonym.flag);
         });
}

// Hands a file's entries to CLI11, which lets flags typed on the command line win. Keys at the top apply to every verb
// that has such a flag, and those of a verb's own table win over them.
class FlagFile final : public CLI::ConfigBase {
 public:
  explicit FlagFile(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const std::string text{std::istreambuf_iterator<char>(input), {}};
    const auto file = app_.get_config_ptr()->as<std::string>();
    std::vector<CLI::ConfigItem> shared, own;
    for (ConfigEntry& entry : parse_toml(text, file)) {
      const bool is_own = entry.table == app_.get_name();
      if (!is_own && !entry.table.empty()) {
        check_foreign(entry, file);
        continue;
      }
      const std::string name = canonical_name(app_, entry.key);
      const CLI::Option* option = app_.get_option_no_throw("--" + name);
      if (option == nullptr || !option->get_configurable()) {
        if (!is_own && is_flag_of_any_verb(entry.key)) continue;
        refuse(entry, file, is_own ? app_.get_name() : "", suggestion(app_, entry.key, is_flag_of_file));
      }
      check_values(*option, entry, file);
      add(is_own ? own : shared, name, entry, file);
    }
    std::erase_if(shared, [&](const CLI::ConfigItem& item) { return has(own, item.name); });
    shared.insert(shared.end(), own.begin(), own.end());
    return shared;
  }

 private:
  [[noreturn]] static void refuse(const ConfigEntry& entry, const std::string& file, const std::string& verb,
                                  const std::string& suggestion) {
    const std::string who = verb.empty() ? "there is" : verb + " has";
    usage(fmt::format("{}:{}: {} no flag \"{}\"{}", file, entry.line, who, entry.key, suggestion));
  }

  static bool is_flag_of_any_verb(const std::string& key) {
    return std::ranges::any_of(working_verbs(), [&](const Verb* verb) { return has_flag(*verb, key); });
  }

  // Tables of other verbs do not matter to this run, but mistakes in them are not left for later.
  static void check_foreign(const ConfigEntry& entry, const std::string& file) {
    const Verb* verb = verb_named(entry.table);
    if (verb == nullptr) {
      Words tables;
      for (const Verb* one : working_verbs()) tables.push_back(fmt::format("[{}]", one->text.name));
      usage(fmt::format("{}:{}: unknown table [{}]; tables are named after verbs{}", file, entry.line, entry.table,
                        did_you_mean(fmt::format("[{}]", entry.table), tables)));
    }
    if (!has_flag(*verb, entry.key))
      refuse(entry, file, entry.table, did_you_mean(entry.key, configurable_flags(*verb)));
  }

  static bool has(const std::vector<CLI::ConfigItem>& items, const std::string& name) {
    return std::ranges::find(items, name, &CLI::ConfigItem::name) != items.end();
  }

  static void add(std::vector<CLI::ConfigItem>& items, const std::string& name, const ConfigEntry& entry,
                  const std::string& file) {
    if (has(items, name)) usage(fmt::format("{}:{}: \"{}\" is given twice", file, entry.line, name));
    CLI::ConfigItem item;
    item.name = name;
    item.inputs = entry.values;
    items.push_back(std::move(item));
  }

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
  for (const char* other : {"--files-from", "--demo", "--undo"}) {
    const CLI::Option* option = app.get_option_no_throw(other);
    if (option != nullptr && option->count() > 0) return false;
  }
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
  if (all_but_last.empty()) return choices.back();
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
    Arguments words = canonical(app, arguments);
    std::ranges::reverse(words);  // as CLI11 wants them
    app.parse(std::move(words));
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
