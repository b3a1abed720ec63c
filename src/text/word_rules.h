// What is left of a text after the user's rules: expressions cut out, numbers folded, words left out, words stemmed?
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/definition.h"

namespace neardup::text {

// Applies TextRules to texts one after the other, in buffers of its own. Time is linear in the text as long as the
// expressions look ahead by a bounded amount behind each of their matches. Threads: one per thread.
class WordRules {
 public:
  // Throws Error{usage} for rules that are wrong.
  explicit WordRules(const TextRules&);
  ~WordRules();
  WordRules(const WordRules&) = delete;
  WordRules& operator=(const WordRules&) = delete;

  // The text as read, without what the expressions match. The view holds until the next call.
  std::string_view strip(std::string_view text);

  // Folded text (of either spacing) after the rules for words. Words that are adjacent in `folded` still do,
  // unless they are numbers that were folded; between others there is one space. The view holds until the next call; 64
  // spaces may be read past its end.
  std::string_view apply(std::string_view folded);

  // Gives back buffers larger than this.
  void shrink(std::size_t max_bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The one word that `text` folds to; empty when it folds to none or several.
std::string single_word(std::string_view text);

}  // namespace neardup::text
