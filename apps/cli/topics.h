// What is there to know besides verbs and flags? Passages for `neardup help TOPIC` and for the manual.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup::cli {

struct TopicRow {
  std::string term, text;
};

// A paragraph, then perhaps a list.
struct Passage {
  std::string paragraph;
  std::vector<TopicRow> rows{};
};

struct Topic {
  std::string name;     // "exit-codes"
  std::string summary;  // a line for lists of topics
  std::string heading;  // in the manual: "EXIT STATUS"
  std::vector<Passage> passages;
};

std::vector<Topic> topics();
// At most 80 columns wide.
std::string topic_help(const Topic&);

}  // namespace neardup::cli
