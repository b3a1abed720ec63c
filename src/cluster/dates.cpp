// Dates as people and programs write them: RFC 3339 and its relatives, RFC 5322 (mail) and its relatives, epochs.
#include <array>
#include <chrono>
#include <cmath>

#include "base/ascii.h"
#include "base/tsv.h"
#include "cluster/keep_rules.h"

namespace neardup::cluster {
namespace {

constexpr std::int64_t kTicksPerSecond = 10'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr std::chrono::sys_days kEpoch{};
// Two days before the year 0, so that no time zone leads below 1.
constexpr std::chrono::sys_days kOrigin{
    std::chrono::year_month_day{std::chrono::year{-1}, std::chrono::December, std::chrono::day{30}}};
constexpr std::chrono::sys_days kEnd{
    std::chrono::year_month_day{std::chrono::year{10000}, std::chrono::January, std::chrono::day{1}}};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return base::lower(c) >= 'a' && base::lower(c) <= 'z'; }

// Takes the parts of a date off the front of a text; the first one that does not fit spoils the rest.
class DateCursor {
 public:
  explicit DateCursor(std::string_view text) : rest_(text) {}

  // `least` to `most` digits, as many as there are.
  int digits(std::size_t least, std::size_t most, int largest) {
    int value = 0;
    std::size_t count = 0;
    for (; count < most && count < rest_.size() && is_digit(rest_[count]); ++count)
      value = value * 10 + (rest_[count] - '0');
    if (count < least || value > largest) return fail();
    last_digits_ = count;
    rest_.remove_prefix(count);
    return value;
  }
  int two_digits(int largest) { return digits(2, 2, largest); }
  [[nodiscard]] std::size_t last_digits() const { return last_digits_; }  // how many the last number had

  // One character out of `choices`; 0 when something else follows.
  char optional(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == choices.npos) return 0;
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }
  char one_of(std::string_view choices) {
    const char found = optional(choices);
    if (found == 0) fail();
    return found;
  }
  void blanks() {
    while (optional(" \t") != 0) continue;
  }
  std::string_view letters() {
    std::size_t count = 0;
    while (count < rest_.size() && is_letter(rest_[count])) ++count;
    const std::string_view word = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return word;
  }

  // "(PST)", which may be the last part.
  void comment() {
    if (rest_.starts_with('(') && rest_.ends_with(')')) rest_ = {};
  }

  // ".123" in units of 100 ns, further digits cut off; 0 when there is no point.
  std::int64_t fraction() {
    if (optional(".,") == 0) return 0;
    if (rest_.empty() || !is_digit(rest_.front())) return fail();
    std::int64_t ticks = 0;
    std::int64_t unit = kTicksPerSecond / 10;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      ticks += unit * (rest_.front() - '0');
      unit /= 10;
    }
    return ticks;
  }

  int fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool good() const { return good_; }

 private:
  std::string_view rest_;
  std::size_t last_digits_ = 0;
  bool good_ = true;
};

struct Moment {
  int year = 0, month = 0, day = 0;
  std::int64_t seconds = 0, ticks = 0;  // of the day; the seconds in UTC, so that they may be negative
};

// "10:00", "10:00:00", "10:00:00.25".
void read_time(DateCursor& cursor, Moment& out) {
  out.seconds = std::int64_t{cursor.two_digits(23)} * 3600;
  cursor.one_of(":");
  out.seconds += std::int64_t{cursor.two_digits(59)} * 60;
  if (cursor.optional(":") == 0) return;
  out.seconds += cursor.two_digits(60);  // 60: a leap second, which equals the next minute's 0
  out.ticks = cursor.fraction();
}

// Hours east of UTC of the names that RFC 5322 knows. Any other letters mean, as it says, an unknown zone: UTC.
int hours_of_zone(std::string_view name) {
  struct Zone {
    std::string_view name;
    int hours;
  };
  static constexpr std::array<Zone, 8> kZones{
      {{"est", -5}, {"edt", -4}, {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}}};
  for (const Zone& zone : kZones)
    if (base::equals_any_case(name, zone.name)) return zone.hours;
  return 0;
}

// Seconds east of UTC: "Z", "+05:30", "+0530", "+05", "GMT"; without a zone 0.
std::int64_t read_zone(DateCursor& cursor) {
  const bool apart = cursor.optional(" ") != 0;
  cursor.blanks();
  if (cursor.at_end()) return 0;
  const char sign = cursor.optional("+-");
  if (sign == 0) {
    const std::string_view name = cursor.letters();
    const bool is_half_of_day = base::equals_any_case(name, "am") || base::equals_any_case(name, "pm");
    const bool is_zone = name.size() == 1 || (apart && name.size() <= 4 && !is_half_of_day);
    if (!is_zone) return cursor.fail();
    return std::int64_t{hours_of_zone(name)} * 3600;
  }
  std::int64_t minutes = std::int64_t{cursor.two_digits(23)} * 60;
  const bool has_colon = cursor.optional(":") != 0;
  if (has_colon || (!cursor.at_end() && is_digit(cursor.rest().front()))) minutes += cursor.two_digits(59);
  return (sign == '-' ? -minutes : minutes) * 60;
}

// "2025-01-31", "2025-01-31T10:00:00Z", "2025/01/31 10:00".
Moment read_iso(DateCursor& cursor) {
  Moment out;
  out.year = cursor.digits(4, 4, 9999);
  const char separator = cursor.one_of("-/");
  out.month = cursor.two_digits(12);
  cursor.one_of(std::string_view(&separator, 1));
  out.day = cursor.two_digits(31);
  if (!cursor.good() || cursor.at_end()) return out;
  cursor.one_of("Tt ");
  read_time(cursor, out);
  out.seconds -= read_zone(cursor);
  return out;
}

// 1 to 12 for the English name of a month or its first three letters; else 0.
int month_of(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                            "may",       "june",     "july",     "august",
                                                            "september", "october",  "november", "december"};
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (base::equals_any_case(word, kMonths[i].substr(0, 3)) || base::equals_any_case(word, kMonths[i]))
      return static_cast<int>(i) + 1;
  }
  return 0;
}

// RFC 5322 reads years of two digits as those from 1950 to 2049, and of three as years since 1900.
int whole_year(int year, std::size_t digits) {
  if (digits == 2) return year + (year < 50 ? 2000 : 1900);
  return digits == 3 ? year + 1900 : year;
}

// "Thu, 26 Feb 1987 15:01:01 -0800 (PST)", "26 Feb 87", "26-FEB-1987 15:01:01.79".
Moment read_mail_date(DateCursor& cursor) {
  Moment out;
  if (const std::string_view day_name = cursor.letters(); !day_name.empty()) {
    cursor.optional(",");
    cursor.blanks();
  }
  out.day = cursor.digits(1, 2, 31);
  const bool has_dashes = cursor.optional("-") != 0;
  if (!has_dashes) cursor.blanks();
  out.month = month_of(cursor.letters());
  if (has_dashes) cursor.one_of("-");
  cursor.blanks();
  const int year = cursor.digits(2, 4, 9999);
  out.year = whole_year(year, cursor.last_digits());
  cursor.blanks();
  if (!cursor.good() || cursor.at_end()) return out;
  read_time(cursor, out);
  out.seconds -= read_zone(cursor);
  cursor.blanks();
  cursor.comment();
  return out;
}

std::optional<std::uint64_t> encode(const Moment& moment) {
  const std::chrono::year_month_day date{std::chrono::year{moment.year},
                                         std::chrono::month{static_cast<unsigned>(moment.month)},
                                         std::chrono::day{static_cast<unsigned>(moment.day)}};
  if (!date.ok()) return std::nullopt;
  const std::int64_t seconds = (std::chrono::sys_days{date} - kOrigin).count() * kSecondsPerDay + moment.seconds;
  return static_cast<std::uint64_t>(seconds * kTicksPerSecond + moment.ticks);
}

// A time since 1970. Whatever would be after the year 5138 in a unit is in the next smaller one: seconds, milliseconds,
// microseconds, nanoseconds.
std::optional<std::uint64_t> encode_epoch(double value, std::optional<std::int64_t> whole) {
  constexpr double kMostSeconds = 1e11, kStep = 1e3;
  constexpr std::array<std::int64_t, 3> kTicksPerUnit{kTicksPerSecond, kTicksPerSecond / 1'000,
                                                      kTicksPerSecond / 1'000'000};
  const double size = std::abs(value);
  double ticks = value / 100;  // nanoseconds
  std::int64_t exact = whole.value_or(0) / 100;
  double limit = kMostSeconds;
  for (const std::int64_t ticks_per_unit : kTicksPerUnit) {
    if (size < limit) {
      ticks = value * static_cast<double>(ticks_per_unit);
      exact = whole.value_or(0) * ticks_per_unit;
      break;
    }
    limit *= kStep;
  }
  constexpr std::int64_t kBefore = (kEpoch - kOrigin).count() * kSecondsPerDay * kTicksPerSecond;
  constexpr std::int64_t kAfter = (kEnd - kEpoch).count() * kSecondsPerDay * kTicksPerSecond;
  if (!(ticks > -static_cast<double>(kBefore) && ticks < static_cast<double>(kAfter))) return std::nullopt;
  return static_cast<std::uint64_t>(kBefore + (whole ? exact : static_cast<std::int64_t>(std::floor(ticks))));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::optional<std::uint64_t> digits = base::parse_whole(text);
  if (!digits || *digits > std::uint64_t{INT64_MAX}) return std::nullopt;
  return negative ? -static_cast<std::int64_t>(*digits) : static_cast<std::int64_t>(*digits);
}

}  // namespace

std::optional<std::uint64_t> encode_date(std::string_view text) {
  text = base::trimmed(text);
  if (const std::optional<double> number = parse_number(text)) return encode_epoch(*number, whole_number(text));
  const bool is_iso = text.size() > 4 && is_digit(text[3]);
  DateCursor cursor{text};
  const Moment moment = is_iso ? read_iso(cursor) : read_mail_date(cursor);
  return cursor.good() && cursor.at_end() ? encode(moment) : std::nullopt;
}

}  // namespace neardup::cluster
