// Where do words for people go, and in which dress?
//
// Data goes to standard output; everything else to standard error, in colour only on a terminal and without NO_COLOR.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::cli {

bool stderr_is_terminal();
// Columns of the terminal; 80 where there is none.
std::size_t stderr_columns();
std::size_t stdout_columns();
// Standard output is a terminal, and NO_COLOR is not set.
bool stdout_has_colour();

// `neardup: MESSAGE`, in red where colour is wanted.
void print_error(std::string_view message);
// `neardup: warning: MESSAGE`
void print_warning(std::string_view message);
// Text for standard error as it is.
void print_note(std::string_view text);
// Text for standard output. Throws ClosedPipe when the reader has gone, Error{output} when it cannot be written.
void print_data(std::string_view text);

// The program reading our standard output has closed it: a quiet success.
struct ClosedPipe {};

}  // namespace neardup::cli
