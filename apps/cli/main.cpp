// The program: picks the verb, and turns what it throws into messages and exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>
#include <new>

#include "console.h"
#include "help.h"
#include "neardup/error.h"
#include "neardup/version.h"
#include "option_names.h"
#include "verbs.h"

namespace {

using namespace neardup;
using cli::Arguments;

std::string version_text() { return fmt::format("neardup {}\n", version()); }

std::string verbose_version_text() {
  std::string out = version_text() + "libraries:\n";
  for (const std::string& library : library_versions()) out += fmt::format("  {}\n", library);
  const std::vector<std::string> plugins = plugin_versions();
  out += plugins.empty() ? "plugins: none\n" : "plugins:\n";
  for (const std::string& plugin : plugins) out += fmt::format("  {}\n", plugin);
  out += "kernels (NEARDUP_SIMD=portable|avx2|avx512|neon forces one):\n";
  for (const KernelChoice& kernel : active_kernels()) out += fmt::format("  {:<19} {}\n", kernel.name, kernel.active);
  return out;
}

// Names and versions have no characters that JSON would escape.
std::string json_list(const std::vector<std::string>& words) {
  return words.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(words, "\", \""));
}

std::string version_json() {
  std::string kernels;
  for (const KernelChoice& kernel : active_kernels())
    kernels += fmt::format("{}\"{}\": \"{}\"", kernels.empty() ? "" : ", ", kernel.name, kernel.active);
  return fmt::format(
      "{{\n  \"version\": \"{}\",\n  \"libraries\": {},\n  \"plugins\": {},\n  \"kernels\": {{{}}}\n}}\n", version(),
      json_list(library_versions()), json_list(plugin_versions()), kernels);
}

[[noreturn]] void unknown_verb(const std::string& word) {
  throw Error(ErrorCode::usage,
              fmt::format("there is no {} {}{} (neardup --help lists the verbs)",
                          word.starts_with('-') ? "flag" : "verb", word, cli::did_you_mean(word, cli::verb_names())));
}

bool is_version(const std::string& word) { return word == "--version" || word == "-V"; }

int run(const Arguments& arguments) {
  const auto has = [&](std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
    cli::print_data(cli::program_help());
    return cli::kDone;
  }
  if (const cli::Verb* verb = cli::verb_named(arguments.front()))
    return verb->run({arguments.begin() + 1, arguments.end()});
  const bool about_version = std::all_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return is_version(word) || word == "--verbose" || word == "--json";
  });
  if (!about_version || std::ranges::none_of(arguments, is_version)) unknown_verb(arguments.front());
  cli::print_data(has("--json") ? version_json() : has("--verbose") ? verbose_version_text() : version_text());
  return cli::kDone;
}

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::corrupt:
      return 3;
    case ErrorCode::locked:
      return 4;
    case ErrorCode::interrupted:
      return 130;
    case ErrorCode::usage:
    case ErrorCode::input:
    case ErrorCode::output:
    case ErrorCode::limit:
    case ErrorCode::internal:
      break;
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of the write that met it
  try {
    return run(Arguments(argv + std::min(argc, 1), argv + argc));
  } catch (const cli::ClosedPipe&) {
    return cli::kDone;
  } catch (const Error& error) {
    cli::print_error(cli::explain(error));
    return exit_code(error.code());
  } catch (const std::bad_alloc&) {
    cli::print_error("out of memory (--memory SIZE states how much may be used; fewer --threads need less)");
  } catch (const std::exception& error) {
    cli::print_error(fmt::format("unexpected failure: {}", error.what()));
  } catch (...) {
    cli::print_error("unexpected failure");
  }
  return 2;
}
