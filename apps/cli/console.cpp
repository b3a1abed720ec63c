#include "console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "neardup/error.h"
#include "words.h"

namespace neardup::cli {
namespace {

// 0, or errno. Unbuffered, so that lines of data, progress and errors keep their order.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put >= 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

bool colour_is_welcome() {
  const char* variable = std::getenv("NO_COLOR");
  return variable == nullptr || *variable == '\0';
}

void print_tagged(std::string_view tag, std::string_view colour_code, std::string_view message) {
  std::string line(tag);
  if (stderr_is_terminal() && colour_is_welcome()) line = std::string(colour_code) + line + "\x1b[0m";
  print_note(line + " " + printable(message) + "\n");
}

std::size_t columns_of(int descriptor) {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }
std::size_t stderr_columns() { return columns_of(STDERR_FILENO); }
std::size_t stdout_columns() { return columns_of(STDOUT_FILENO); }
bool stdout_has_colour() { return isatty(STDOUT_FILENO) == 1 && colour_is_welcome(); }

void print_error(std::string_view message) { print_tagged("neardup:", "\x1b[1;31m", message); }
void print_warning(std::string_view message) { print_tagged("neardup: warning:", "\x1b[33m", message); }

// If standard error is broken, nothing can be reported.
void print_note(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

void print_data(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ClosedPipe{};
  if (error != 0) throw Error(ErrorCode::output, std::string("cannot write standard output: ") + std::strerror(error));
}

}  // namespace neardup::cli
