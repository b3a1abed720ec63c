// The program: picks the verb, and turns what it throws into messages and exit codes.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>

#include "console.h"
#include "help.h"
#include "neardup/error.h"
#include "neardup/version.h"
#include "verbs.h"
#include "words.h"

namespace {

using namespace neardup;
using cli::Arguments;

constexpr std::array kVerbs{&cli::kDedup, &cli::kPairs, &cli::kFingerprint, &cli::kMatch};

std::string short_help() {
  std::string out = "neardup finds near-duplicate documents and keeps one of each.\n\nExamples:\n";
  out += "  neardup dedup pages.jsonl                    report the near-duplicates of a file\n";
  out += "  neardup dedup pages.jsonl -o kept.jsonl      write one of each\n";
  out += "  neardup dedup notes/ -o out                  write also what was removed, and why\n";
  out += "  neardup pairs films.csv --text title         list every similar pair with its score\n\nVerbs:\n";
  for (const cli::Verb* verb : kVerbs) out += cli::help_line(verb->text.name, verb->text.summary);
  return out + "\nneardup VERB --help tells more. neardup --version --verbose shows what this program is made of.\n";
}

std::string version_text(bool verbose) {
  std::string out = fmt::format("neardup {}\n", version());
  if (!verbose) return out;
  out += "libraries:\n";
  for (const std::string& library : library_versions()) out += fmt::format("  {}\n", library);
  out += "kernels (NEARDUP_SIMD=portable|avx2|avx512 forces one):\n";
  for (const KernelChoice& kernel : active_kernels()) out += fmt::format("  {:<16}{}\n", kernel.name, kernel.active);
  return out;
}

[[noreturn]] void unknown_verb(const std::string& word) {
  std::vector<std::string> names;
  for (const cli::Verb* verb : kVerbs) names.emplace_back(verb->text.name);
  const std::string near = cli::nearest(word, names);
  throw Error(ErrorCode::usage, fmt::format("there is no {} {}{} (neardup --help lists the verbs)",
                                            word.starts_with('-') ? "flag" : "verb", word,
                                            near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

int run(const Arguments& arguments) {
  const auto has = [&](std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
    cli::print_data(short_help());
    return cli::kDone;
  }
  const auto verb =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const cli::Verb* v) { return arguments.front() == v->text.name; });
  if (verb != kVerbs.end()) return (*verb)->run({arguments.begin() + 1, arguments.end()});
  const bool about_version = std::all_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return word == "--version" || word == "--verbose";
  });
  if (!about_version || !has("--version")) unknown_verb(arguments.front());
  cli::print_data(version_text(has("--verbose")));
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
    cli::print_error(error.what());
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
