#include "completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>
#include <map>

namespace neardup::cli {
namespace {

using Verbs = std::vector<VerbDescription>;

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// Inside single quotes of bash and zsh.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// What a list of candidates has room for.
std::string short_help(const FlagText& flag) {
  constexpr std::size_t kMost = 70;
  if (flag.help.size() <= kMost) return flag.help;
  const std::string text = flag.help.substr(0, flag.help.rfind(' ', kMost));
  return text.substr(0, text.find_last_not_of(" ,;:(") + 1) + "…";
}

void for_each_flag(const VerbDescription& verb, const std::function<void(const FlagText&)>& use) {
  for (const FlagGroup& group : verb.groups) {
    for (const FlagText& flag : group.flags) use(flag);
  }
}

// Values that are offered for FIELD or VALUE of the user's own end before it.
std::string offered(const std::string& word) {
  const std::size_t own = word.find("FIELD");
  return word.substr(0, own);
}

Words offered_words(const FlagText& flag) {
  Words out;
  for (const std::string& word : flag.words) out.push_back(offered(word));
  return out;
}

Words names_of_verbs(const Verbs& verbs) {
  Words out;
  for (const VerbDescription& verb : verbs) out.emplace_back(verb.text.name);
  return out;
}

// ---- bash ----

constexpr const char* kBashEnd = R"(
_neardup() {
  # Bash cuts words at `=` and `:`; here they are whole again.
  local -a words=()
  local i glue=
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    if ((${#words[@]} > 0)) && [[ $glue || ${COMP_WORDS[i]} == [=:]* ]]; then
      words[-1]+=${COMP_WORDS[i]}
    else
      words+=("${COMP_WORDS[i]}")
    fi
    [[ ${COMP_WORDS[i]} == *[=:] ]] && glue=1 || glue=
  done
  local verb=${words[0]} value=${words[-1]} flag= offered= files=
  COMPREPLY=()
  if ((${#words[@]} == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$_neardup_verbs -h --help -V --version" -- "$value")
    return
  fi
  if [[ $value == --*=* ]]; then
    flag=${value%%=*} value=${value#*=}
  else
    flag=${words[-2]}
  fi
  if _neardup_values "$verb" "$flag"; then
    mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$value")
  elif [[ $value == -* && $value != - ]]; then
    _neardup_flags "$verb"
    mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$value")
    return
  else
    _neardup_arguments "$verb"
    mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$value")
  fi
  if [[ $files ]]; then
    compopt -o filenames 2> /dev/null
    local -a found=()
    mapfile -t found < <(compgen -f -- "$value")
    COMPREPLY+=("${found[@]}")
  fi
  # What stands before a colon is not replaced by bash.
  if [[ $value == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${value%"${value##*:}"}"}")
  fi
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2> /dev/null; fi
}
complete -F _neardup neardup
)";

std::string bash(const Verbs& verbs) {
  std::string out = "# Completions of neardup for bash, written by `neardup completions bash`.\n";
  out += fmt::format("_neardup_verbs={}\n", quoted(fmt::format("{}", fmt::join(names_of_verbs(verbs), " "))));

  out += "\n# Sets `offered` to the flags of a verb.\n_neardup_flags() {\n  case $1 in\n";
  for (const VerbDescription& verb : verbs) {
    Words names;
    for_each_flag(verb, [&](const FlagText& flag) {
      if (!flag.short_name.empty()) names.push_back(flag.short_name);
      names.push_back(flag.name);
    });
    if (names.empty()) names.emplace_back("--help");
    out += fmt::format("    {}) offered={} ;;\n", verb.text.name, quoted(fmt::format("{}", fmt::join(names, " "))));
  }
  out += "  esac\n}\n";

  out +=
      "\n# Sets `offered` and `files` for the arguments of a verb.\n_neardup_arguments() {\n  files=\n  case $1 in\n";
  for (const VerbDescription& verb : verbs) {
    if (!verb.argument_words.empty())
      out += fmt::format("    {}) offered={} ;;\n", verb.text.name,
                         quoted(fmt::format("{}", fmt::join(verb.argument_words, " "))));
  }
  out += "    *) files=1 ;;\n  esac\n}\n";

  // Flags of different verbs that take the same values share a line.
  std::map<std::string, Words> places;
  for (const VerbDescription& verb : verbs) {
    for_each_flag(verb, [&](const FlagText& flag) {
      if (flag.value.empty()) return;
      const Words words = offered_words(flag);
      const std::string values = fmt::format("offered={} files={}", quoted(fmt::format("{}", fmt::join(words, " "))),
                                             flag.takes_path() ? "1" : "");
      places[values].push_back(fmt::format("{}:{}", verb.text.name, flag.name));
      if (!flag.short_name.empty()) places[values].push_back(fmt::format("{}:{}", verb.text.name, flag.short_name));
    });
  }
  out += "\n# Sets `offered` and `files` for the value of a flag; false when the flag takes none.\n";
  out += "_neardup_values() {\n  case $1:$2 in\n";
  for (const auto& [values, where] : places)
    out += fmt::format("    {})\n      {} ;;\n", fmt::join(where, " | "), values);
  return out + "    *) return 1 ;;\n  esac\n}\n" + kBashEnd;
}

// ---- zsh ----

std::string zsh_escaped(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"}) text = replaced(text, special, std::string("\\") + special);
  return text;
}

// A part of an _arguments specification: ":PATH:_files".
std::string zsh_value(const FlagText& flag) {
  if (flag.value.empty()) return "";
  Words words;
  for (const std::string& word : offered_words(flag)) words.push_back(replaced(word, ":", "\\:"));
  const std::string list = fmt::format("{}", fmt::join(words, " "));
  std::string action = " ";
  if (flag.takes_path() && !words.empty()) {
    action = fmt::format("{{compadd -- {}; _files}}", list);
  } else if (flag.takes_path()) {
    action = "_files";
  } else if (!words.empty()) {
    action = fmt::format("({})", list);
  }
  return fmt::format(":{}:{}", zsh_escaped(flag.value), action);
}

std::string zsh_flag(const FlagText& flag) {
  const std::string help = quoted(fmt::format("[{}]{}", zsh_escaped(short_help(flag)), zsh_value(flag)));
  const char* equals = flag.value.empty() ? "" : "=";
  const char* repeats = flag.repeats ? "*" : "";
  if (flag.short_name.empty()) return fmt::format("'{}{}{}'{}", repeats, flag.name, equals, help);
  return fmt::format("'({} {})'{{{}{},{}{}}}{}", flag.short_name, flag.name, flag.short_name,
                     flag.value.empty() ? "" : "+", flag.name, equals, help);
}

std::string zsh(const Verbs& verbs) {
  std::string out = "#compdef neardup\n# Completions of neardup for zsh, written by `neardup completions zsh`.\n\n";
  out += "_neardup() {\n  local context state state_descr line\n  typeset -A opt_args\n";
  out += "  local -a verbs=(\n";
  for (const VerbDescription& verb : verbs)
    out += fmt::format("    {}\n", quoted(fmt::format("{}:{}", verb.text.name, zsh_escaped(verb.text.summary))));
  out += "  )\n  _arguments -C '(- *)'{-h,--help}'[Show help]' '(- *)'{-V,--version}'[Show the version]' \\\n";
  out += "    '1:verb:->verb' '*::argument:->argument' && return\n";
  out += "  if [[ $state == verb ]]; then\n    _describe verb verbs\n    return\n  fi\n";
  out += "  case $words[1] in\n";
  for (const VerbDescription& verb : verbs) {
    out += fmt::format("    {})\n      _arguments \\\n", verb.text.name);
    for_each_flag(verb, [&](const FlagText& flag) { out += fmt::format("        {} \\\n", zsh_flag(flag)); });
    if (verb.groups.empty()) out += "        '(- *)'{-h,--help}'[Show help]' \\\n";
    if (verb.argument_words.empty()) {
      out += "        '*:file:_files' ;;\n";
    } else {
      out += fmt::format("        '1:word:({})' ;;\n", fmt::join(verb.argument_words, " "));
    }
  }
  return out +
         "  esac\n}\n\nif [[ $funcstack[1] == _neardup ]]; then\n  _neardup \"$@\"\nelse\n  compdef _neardup "
         "neardup\nfi\n";
}

// ---- fish ----

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_flag(const char* verb, const FlagText& flag) {
  std::string out = fmt::format("complete -c neardup -n '__neardup_verb {}'", verb);
  if (!flag.short_name.empty()) out += fmt::format(" -s {}", flag.short_name.substr(1));
  out += fmt::format(" -l {}", flag.name.substr(2));
  if (!flag.value.empty()) out += flag.takes_path() ? " -r -F" : " -x";
  if (const Words words = offered_words(flag); !words.empty())
    out += fmt::format(" -a {}", fish_quoted(fmt::format("{}", fmt::join(words, " "))));
  return out + fmt::format(" -d {}\n", fish_quoted(short_help(flag)));
}

std::string fish(const Verbs& verbs) {
  std::string out =
      "# Completions of neardup for fish, written by `neardup completions fish`.\n\n"
      "function __neardup_verb\n  set -l words (commandline -opc)\n"
      "  test (count $words) -gt 1; and contains -- $words[2] $argv\nend\n\n"
      "function __neardup_no_verb\n  test (count (commandline -opc)) -eq 1\nend\n\n"
      "complete -c neardup -n __neardup_no_verb -f -s h -l help -d 'Show help'\n"
      "complete -c neardup -n __neardup_no_verb -f -s V -l version -d 'Show the version'\n";
  for (const VerbDescription& verb : verbs) {
    out += fmt::format("complete -c neardup -n __neardup_no_verb -f -a {} -d {}\n", verb.text.name,
                       fish_quoted(verb.text.summary));
  }
  for (const VerbDescription& verb : verbs) {
    out += "\n";
    for_each_flag(verb, [&](const FlagText& flag) { out += fish_flag(verb.text.name, flag); });
    if (verb.groups.empty())
      out += fmt::format("complete -c neardup -n '__neardup_verb {}' -f -s h -l help -d 'Show help'\n", verb.text.name);
    if (!verb.argument_words.empty())
      out += fmt::format("complete -c neardup -n '__neardup_verb {}' -f -a {}\n", verb.text.name,
                         fish_quoted(fmt::format("{}", fmt::join(verb.argument_words, " "))));
  }
  return out;
}

// To add a shell, write its script's maker and add it here.
struct Shell {
  const char* name;
  std::string (*script)(const Verbs&);
};
constexpr std::array kShells{Shell{"bash", bash}, Shell{"zsh", zsh}, Shell{"fish", fish}};

}  // namespace

Words completion_shells() {
  Words out;
  for (const Shell& shell : kShells) out.emplace_back(shell.name);
  return out;
}

std::string completions(std::string_view shell, const std::vector<VerbDescription>& verbs) {
  for (const Shell& known : kShells) {
    if (shell == known.name) return known.script(verbs);
  }
  return {};
}

}  // namespace neardup::cli
