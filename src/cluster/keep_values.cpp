#include <bit>
#include <chrono>

#include "base/tsv.h"
#include "cluster/keep_rules.h"

namespace neardup::cluster {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the parts of a date off the front of a text; the first one that does not fit spoils the rest.
class DateCursor {
 public:
  explicit DateCursor(std::string_view text) : rest_(text) {}

  // Exactly `digits` digits with a value of at most `most`.
  int number(std::size_t digits, int most) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (i >= rest_.size() || !is_digit(rest_[i])) return fail();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value <= most ? value : fail();
  }

  // One character out of `choices`, or 0.
  char one_of(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == choices.npos) return static_cast<char>(fail());
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }

  // ".123" in units of 100 ns, further digits cut off; 0 when there is no point.
  std::int64_t fraction() {
    if (rest_.empty() || rest_.front() != '.') return 0;
    rest_.remove_prefix(1);
    if (rest_.empty() || !is_digit(rest_.front())) return fail();
    std::int64_t ticks = 0;
    std::int64_t unit = 1'000'000;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      ticks += unit * (rest_.front() - '0');
      unit /= 10;
    }
    return ticks;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool good() const { return good_; }

 private:
  int fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool good_ = true;
};

constexpr std::int64_t kTicksPerSecond = 10'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

// Minutes east of UTC: "Z" or "+05:30".
int zone(DateCursor& cursor) {
  const char sign = cursor.one_of("Zz+-");
  if (sign != '+' && sign != '-') return 0;
  const int hours = cursor.number(2, 23);
  cursor.one_of(":");
  const int minutes = hours * 60 + cursor.number(2, 59);
  return sign == '-' ? -minutes : minutes;
}

}  // namespace

// The bits of a double are ordered like the number itself once negative ones are mirrored. Infinities and NaN, whose
// images would include 0 and the largest value, are not numbers here.
std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return base::parse_number(text);
}

std::uint64_t encode_number(double value) {
  if (value == 0) value = 0;  // -0 equals 0
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits & kSign ? ~bits : bits | kSign;
}

std::optional<std::uint64_t> encode_number(std::string_view text) {
  const std::optional<double> value = parse_number(text);
  return value ? std::optional(encode_number(*value)) : std::nullopt;
}

// Units of 100 ns since two days before the year 0, so that no offset leads below 1; 3.2e18 at the most.
std::optional<std::uint64_t> encode_date(std::string_view text) {
  DateCursor cursor{trimmed(text)};
  const int year = cursor.number(4, 9999);
  cursor.one_of("-");
  const auto month = static_cast<unsigned>(cursor.number(2, 12));
  cursor.one_of("-");
  const auto day = static_cast<unsigned>(cursor.number(2, 31));
  std::int64_t seconds = 0;
  std::int64_t ticks = 0;
  if (cursor.good() && !cursor.at_end()) {
    cursor.one_of("Tt ");
    seconds = std::int64_t{cursor.number(2, 23)} * 3600;
    cursor.one_of(":");
    seconds += std::int64_t{cursor.number(2, 59)} * 60;
    cursor.one_of(":");
    seconds += cursor.number(2, 60);  // 60: a leap second, which equals the next minute's 0
    ticks = cursor.fraction();
    seconds -= std::int64_t{zone(cursor)} * 60;
  }
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  if (!cursor.good() || !cursor.at_end() || !date.ok()) return std::nullopt;
  constexpr std::chrono::sys_days kOrigin{
      std::chrono::year_month_day{std::chrono::year{-1}, std::chrono::December, std::chrono::day{30}}};
  seconds += (std::chrono::sys_days{date} - kOrigin).count() * kSecondsPerDay;
  return static_cast<std::uint64_t>(seconds * kTicksPerSecond + ticks);
}

}  // namespace neardup::cluster
