// What is the text of a mail, and in which of its parts is it? (RFC 5322, 2045 to 2047)
//
// Tolerant: what is broken is used unchanged. Bounded: parts are entered a few levels deep, and every level is one
// scan, so that time is linear in the mail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup::io {

struct MailHeader {
  std::string name;   // in small letters
  std::string value;  // unfolded, unchanged
};

struct MailEntity {
  std::vector<MailHeader> headers;
  std::string_view body;
  // The first of that name; empty when there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};
// A message, or a part of one: headers, a blank line, the rest.
MailEntity parse_entity(std::string_view);

// A text to be read, with base64 and quoted-printable undone.
struct MailPart {
  std::string content_type;
  std::string bytes;
};
// All texts of a message that are not attachments, in order; of alternatives the plain one.
std::vector<MailPart> text_parts(std::string_view message);

// A header's value in UTF-8: encoded words (=?utf-8?Q?...?=) decoded, other bytes repaired.
std::string decode_words(std::string_view);

std::string decode_base64(std::string_view);
enum class Underscores { stand, are_spaces };
std::string decode_quoted_printable(std::string_view, Underscores = Underscores::stand);

}  // namespace neardup::io
