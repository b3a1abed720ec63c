// How is a stream of documents answered line by line?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "actions.h"
#include "body_decoder.h"
#include "documents.h"
#include "http.h"
#include "problem.h"
#include "service.h"

namespace neardup::server {

// One request of /v1/bulk. Memory: the input passed to feed(), a line, and the results of both.
// Threads: one at a time.
class BulkStream {
 public:
  // Throws Problem when the request is not one.
  BulkStream(Service&, const Request&);

  // Answers all lines that are complete; `is_last`: nothing follows. Returns results, one line each. Problems with a
  // line are results. After a problem with the stream itself, which is the last result, is_broken() is true.
  std::string feed(std::string_view bytes, bool is_last) noexcept;
  // A last line that says why the stream ends.
  std::string refuse_rest(const Problem&);
  [[nodiscard]] bool is_broken() const { return is_broken_; }

 private:
  struct Line;
  void answer_lines(std::string_view lines, std::string& out);
  void perform_all(std::span<Line> lines, std::string& out);

  Service& service_;
  Action action_ = Action::check_or_add;
  std::unique_ptr<BodyDecoder> decoder_;
  DocumentParser parser_;
  std::string pending_;  // decoded; its complete lines were answered
  std::uint64_t line_ = 0;
  bool is_broken_ = false;
};

}  // namespace neardup::server
