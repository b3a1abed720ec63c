#include "advise_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "option_names.h"
#include "words.h"

namespace neardup::cli {
namespace {

class AdviceScreen {
 public:
  AdviceScreen(const Advice& advice, const AdviceLook& look) : advice_(advice), look_(look) {}

  std::string show(const std::string& command) {
    documents();
    if (advice_.documents() > 0) {
      similarity();
      threshold();
      outcomes();
      simhash();
      finders();
    }
    passages();
    warnings();
    heading("Next");
    out_ += "  " + command + "\n";
    return std::move(out_);
  }

 private:
  void heading(const char* text) {
    out_ += look_.colour ? fmt::format("\x1b[1m{}\x1b[0m\n", text) : fmt::format("{}\n", text);
  }
  void line(const std::string& label, const std::string& text) { out_ += fmt::format("  {:<12} {}\n", label, text); }

  // A bar of at most `width` columns; anything above zero shows.
  [[nodiscard]] std::string bar(double share, std::size_t width) const {
    if (share <= 0) return "";
    const double full = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
    if (!look_.unicode) return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(full))), '#');
    static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = std::max<long>(1, std::lround(full * 8));
    std::string out;
    for (long i = 0; i < eighths / 8; ++i) out += "█";
    return out + kEighths[eighths % 8];
  }

  static std::string number(double value) {
    return with_commas(static_cast<std::uint64_t>(std::llround(std::max(0.0, value))));
  }
  static std::string estimate(const Estimate& e) {
    if (std::llround(e.low) == std::llround(e.high)) return number(e.value);
    return fmt::format("{} ({} to {})", number(e.value), number(e.low), number(e.high));
  }
  static std::string percent(double share) {
    return share > 0 && share < 0.001 ? "<0.1%" : fmt::format("{:.{}f}%", 100 * share, share < 0.0995 ? 1 : 0);
  }
  [[nodiscard]] static std::string list(const std::vector<NamedShare>& shares) {
    constexpr std::size_t kMost = 5;
    std::string out;
    for (std::size_t i = 0; i < std::min(kMost, shares.size()); ++i)
      out += fmt::format("{}{} {}", i == 0 ? "" : ", ", printable(shares[i].name), percent(shares[i].share));
    return out + (shares.size() > kMost ? ", ..." : "");
  }

  void documents() {
    heading("Documents");
    const std::string share =
        advice_.examined_share < 1 ? fmt::format("; {} examined", percent(advice_.examined_share)) : "";
    line("documents",
         fmt::format("{}, {} of text{}", estimate(advice_.all_documents), human_bytes(advice_.all_text_bytes), share));
    if (advice_.words.longest > 0) {
      line("words", fmt::format("median {}; 10% have at most {}, 10% at least {}", with_commas(advice_.words.median),
                                with_commas(advice_.words.p10), with_commas(advice_.words.p90)));
      line("scripts", list(advice_.scripts));
      line("languages", list(advice_.languages));
    }
    if (advice_.documents() == 0) return;
    line("copies", fmt::format("{} with the same text as an earlier document, {} with the same features",
                               estimate(advice_.exact_copies), estimate(advice_.feature_copies)));
  }

  // Counts span many orders of magnitude, so bars are logarithmic.
  void similarity() {
    double most = 0;
    for (const ScoreBin& bin : advice_.scores) most = std::max(most, bin.pairs);
    heading(advice_.matching ? "Similarity of pairs between the inputs (logarithmic bars)"
                             : "Similarity of pairs of distinct documents (logarithmic bars)");
    if (most <= 0) {
      out_ += fmt::format("  no pair has a similarity of {} or more\n",
                          advice_.scores.empty() ? 0.2 : advice_.scores[0].from);
      return;
    }
    const std::size_t width = look_.width > 40 ? look_.width - 34 : 8;
    const double suggested =
        static_cast<double>(advice_.threshold.suggested.num) / static_cast<double>(advice_.threshold.suggested.den);
    for (const ScoreBin& bin : advice_.scores) {
      const double to = bin.from + kScoreBinWidth;
      const char* const mark = suggested >= bin.from - 1e-9 && suggested < to - 1e-9 ? ">" : " ";
      out_ += fmt::format("{} {:.2f}-{:.2f} {:>14}  {}\n", mark, bin.from, to, number(bin.pairs),
                          bar(bin.pairs >= 0.5 ? std::log1p(bin.pairs) / std::log1p(most) : 0, width));
    }
  }

  void threshold() {
    const ThresholdAdvice& threshold = advice_.threshold;
    heading("Definition");
    line("features",
         fmt::format("{} ({})", to_string(advice_.definition.features), printable(advice_.features_reason)));
    line("threshold", threshold.given ? fmt::format("{} (as given)", to_string(threshold.suggested))
                                      : fmt::format("{}, confidence {}: {}", to_string(threshold.suggested),
                                                    to_string(threshold.confidence), threshold.reason));
    if (threshold.valley) {
      line("valley",
           fmt::format("{:.2f} ({:.2f} to {:.2f})", *threshold.valley, threshold.valley_low, threshold.valley_high));
    }
    if (advice_.matching) {
      line("matches", fmt::format("about {} one to one, expected precision {:.2f}, expected F1 {:.2f}",
                                  number(advice_.matching->matches), advice_.matching->expected_precision,
                                  advice_.matching->expected_f1));
    }
  }

  void outcomes() {
    heading(advice_.matching ? "Expected matches" : "Expected results");
    for (const ThresholdOutcome& outcome : advice_.outcomes) {
      const std::string at = fmt::format("at {}", to_string(outcome.threshold));
      if (advice_.matching) {
        line(at, fmt::format("{} pairs one to one; {} records have a partner", estimate(outcome.clusters),
                             estimate(outcome.removed)));
      } else {
        const std::string clusters = estimate(outcome.clusters);
        line(at, fmt::format("{} {}, {} documents removed ({})", clusters, clusters == "1" ? "cluster" : "clusters",
                             estimate(outcome.removed),
                             percent(outcome.removed.value / std::max(1.0, advice_.all_documents.value))));
      }
    }
  }

  void simhash() {
    const SimhashAdvice& simhash = advice_.simhash;
    if (advice_.matching) return;
    heading("Simhash");
    if (!simhash.distance) {
      out_ += simhash.pairs == 0 ? "  no pairs to measure it on\n" : "  no distance up to 24 finds 95% of the pairs\n";
    } else {
      const SimhashPoint& point = simhash.points[*simhash.distance];
      out_ += fmt::format("  distance {} finds {} of the pairs; {} of its candidates are near-duplicates (from {})\n",
                          point.distance, percent(point.recall), percent(point.precision),
                          counted(simhash.pairs, "pair", "pairs"));
    }
  }

  void finders() {
    if (advice_.finders.empty()) return;
    heading("Finders (CPU time, time, memory)");
    for (const FinderCost& cost : advice_.finders) {
      out_ += fmt::format(
          "{} {:<12} {:>10} {:>10} {:>9}  {}\n", cost.suits ? ">" : " ", cost.finder, human_seconds(cost.cpu_seconds),
          human_seconds(cost.seconds), human_bytes(cost.memory_bytes),
          cost.recall && *cost.recall < 1 ? fmt::format("recall {:.2f}; {}", *cost.recall, cost.remark) : cost.remark);
    }
  }

  void passages() {
    if (advice_.templates.empty()) return;
    heading("Passages that many documents contain");
    for (const TemplateText& passage : advice_.templates)
      line(percent(passage.share), excerpt(printable(passage.text), look_.width > 40 ? look_.width - 16 : 24));
  }

  void warnings() {
    if (advice_.warnings.empty()) return;
    heading("Warnings");
    for (const std::string& warning : advice_.warnings) out_ += "  " + printable(with_flags(warning)) + "\n";
  }

  const Advice& advice_;
  const AdviceLook& look_;
  std::string out_;
};

}  // namespace

std::string show_advice(const Advice& advice, const std::string& command, const AdviceLook& look) {
  return AdviceScreen(advice, look).show(command);
}

}  // namespace neardup::cli
