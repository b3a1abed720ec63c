#include "clean/protection.h"

#include "authority/urls.h"
#include "base/ascii.h"
#include "base/system.h"
#include "cluster/keep_rules.h"
#include "io/line_file.h"
#include "neardup/error.h"

namespace neardup::clean {

Protection::Protection(const std::vector<std::string>& words, const Context& context) : words_(words) {
  for (std::uint32_t word = 0; word < words.size(); ++word) {
    const std::string& text = words[word];
    if (const std::size_t equals = text.find('='); equals != std::string::npos) {
      if (equals == 0) throw Error(ErrorCode::usage, "`protect` " + text + " names no field: FIELD=VALUE", "protect");
      fields_.push_back({text.substr(0, equals), text.substr(equals + 1), word});
    } else if (base::files(context).exists(text)) {
      using Ids = std::vector<std::string>;
      io::read_lines<Ids>(
          {.path = text, .option = "protect", .stage = "reading what is protected"}, context,
          [](Ids& ids, std::string_view line, std::uint64_t) {
            ids.emplace_back(line);
            return std::string();
          },
          [&](Ids& ids) {
            for (std::string& id : ids) listed_.push_back({std::move(id), word});
          });
    } else {
      std::string suffix = base::lowered(text);
      if (suffix.starts_with('.')) suffix.erase(0, 1);
      const bool is_host = !suffix.empty() && suffix.find_first_of("/\\ \t:") == std::string::npos;
      if (!is_host) {
        throw Error(ErrorCode::usage,
                    "`protect` " + text +
                        ": this is neither a file nor a host; use FIELD=VALUE, a file of ids, or a "
                        "host such as example.org",
                    "protect");
      }
      hosts_.push_back({std::move(suffix), word});
    }
  }
}

std::vector<std::string> Protection::fields() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) names.push_back(field.name);
  if (!hosts_.empty()) names.emplace_back("url");
  return names;
}

void Protection::protect(const DocumentView& document, std::string_view name, std::vector<std::uint32_t>& words,
                         const std::vector<std::string>& field_names) const {
  for (const Field& field : fields_)
    if (cluster::field_value(document, field_names, field.name) == field.value) words.push_back(field.word);
  if (hosts_.empty()) return;
  const std::string host = authority::host_of(cluster::field_value(document, field_names, "url").value_or(name));
  for (const auto& [suffix, word] : hosts_)
    if (host.ends_with(suffix) && (host.size() == suffix.size() || host[host.size() - suffix.size() - 1] == '.'))
      words.push_back(word);
}

}  // namespace neardup::clean
