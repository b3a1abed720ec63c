#include "manual.h"

#include <fmt/format.h>

#include <string_view>

#include "neardup/version.h"

namespace neardup::cli {
namespace {

// Text as roff shows it: dashes that can be copied, nothing taken for a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string flag_label(const FlagText& flag) {
  std::string out = flag.short_name.empty() ? "" : bold(flag.short_name) + ", ";
  out += bold(flag.name);
  return flag.value.empty() ? out : out + " " + italic(flag.value);
}

std::string definition(const std::string& label, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", label, text);
}

std::string verb_section(const VerbDescription& verb) {
  const VerbText& text = verb.text;
  std::string out = fmt::format(".SS neardup {}\n", escaped(text.name));
  out += escaped(fmt::format("{}{}.", static_cast<char>(text.summary[0] - 'a' + 'A'), text.summary + 1)) + "\n";
  out += ".PP\n" + bold(fmt::format("neardup {}", text.name));
  if (*text.arguments != '\0') out += " " + italic(text.arguments);
  if (!verb.groups.empty()) out += " [" + italic("flags") + "]";
  out += "\n.PP\n.nf\n";
  for (const char* example : text.examples) out += escaped(example) + "\n";
  out += ".fi\n";
  for (const FlagGroup& group : verb.groups) {
    out += fmt::format(".PP\n{}:\n", italic(group.heading));
    for (const FlagText& flag : group.flags) {
      std::string help = escaped(flag.help) + ".";
      if (!flag.fallback.empty()) help += " Default: " + escaped(flag.fallback) + ".";
      out += definition(flag_label(flag), help);
    }
  }
  return out;
}

std::string topic_section(const Topic& topic) {
  std::string out = fmt::format(".SH {}\n", escaped(topic.heading));
  bool first = true;
  for (const Passage& passage : topic.passages) {
    if (!first) out += ".PP\n";
    first = false;
    out += escaped(passage.paragraph) + "\n";
    for (const TopicRow& row : passage.rows) out += definition(bold(row.term), escaped(row.text));
  }
  return out;
}

}  // namespace

std::string manual(const std::vector<VerbDescription>& verbs, const std::vector<Topic>& topics) {
  std::string out = fmt::format(".TH NEARDUP 1 \"\" \"neardup {}\" \"User Commands\"\n.nh\n.ad l\n", version());
  out += ".SH NAME\nneardup \\- find near\\-duplicate documents and keep one of each\n.SH SYNOPSIS\n";
  for (const VerbDescription& verb : verbs) {
    out += bold(fmt::format("neardup {}", verb.text.name));
    if (*verb.text.arguments != '\0') out += " " + italic(verb.text.arguments);
    if (!verb.groups.empty()) out += " [" + italic("flags") + "]";
    out += "\n.br\n";
  }
  out += bold("neardup --version") + " [" + bold("--verbose") + "]\n.SH DESCRIPTION\n";
  out +=
      escaped(
          "neardup reads collections of documents, finds those that are nearly the same, and keeps one of each. What "
          "counts as a near-duplicate (features, measure, threshold) and how it is found (finder) are separate "
          "choices; every reported pair was compared exactly and carries its score. The same input always keeps the "
          "same documents, whatever the number of threads.") +
      "\n.PP\n" +
      escaped(
          "Data goes to standard output, all else to standard error; - is standard input or output. Every verb "
          "shows its flags with --help.") +
      "\n.SH VERBS\n";
  for (const VerbDescription& verb : verbs) out += verb_section(verb);
  for (const Topic& topic : topics) out += topic_section(topic);
  return out;
}

}  // namespace neardup::cli
