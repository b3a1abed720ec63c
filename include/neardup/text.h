// What is the text of a page, and of every document of a collection?
//
//   auto page = neardup::read_page(bytes);
//   std::cout << page.title << '\n' << page.text << '\n';
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "neardup/choice.h"
#include "neardup/collection.h"
#include "neardup/context.h"
#include "neardup/report.h"

namespace neardup {

// A page as neardup reads it. A fact that the page does not state is empty.
struct ReadPage {
  std::string text;  // valid UTF-8
  std::string title;
  std::string date;  // of publication, as written
  std::string author;
  std::string language;
  std::string url;            // the canonical URL
  bool has_main_text = true;  // false: nothing qualified, and `text` is all of the text
};

// Reads one page. `html` says which text is wanted (`main` or `all`; others mean `all`); `encoding` forces one,
// otherwise it is taken from the page. Threads: may run concurrently.
ReadPage read_page(std::string_view bytes, Html html = Html::main, const std::string& encoding = {});

enum class TextForm {
  text,   // the texts; if there can be several, each after a line ==> ID <==
  jsonl,  // an object per line: id, text, title, date, author, language, url, main_text
};
TextForm parse_text_form(std::string_view);  // "text", "jsonl"; throws Error{usage}
std::string to_string(TextForm);
std::span<const Choice<TextForm>> text_form_choices();

struct TextOptions {
  std::string output = "-";        // a .txt or .jsonl file, also compressed; "-": standard output
  std::optional<TextForm> form{};  // absent: as the name of the output says, otherwise text
  OnBadRecord on_bad_record = OnBadRecord::skip;
  Overwrite overwrite = Overwrite::refuse;
};

struct TextReport : ReadFacts, RunFacts {};

// Writes the text of every document, in input order. The options of the collection say how pages are read
// (ReadOptions::html). Reads the collection once.
TextReport write_texts(const Collection&, const TextOptions&, const Context&);

// The report as one JSON object.
std::string to_json(const TextReport&);

}  // namespace neardup
