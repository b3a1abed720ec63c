#include "compare_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "columns.h"
#include "words.h"

namespace neardup::cli {
namespace {

constexpr std::size_t kBitColumns = 26;  // of one differing bit

class View {
 public:
  View(const Comparison& comparison, const CompareLook& look) : c_(comparison), look_(look) {}

  std::string text() {
    write_names();
    write_verdict();
    write_sizes();
    write_scores();
    write_simhash();
    write_features("shared", c_.shared_features, c_.shared, {});
    write_features("only in A", c_.only_a, c_.a.features - c_.shared, Ink::red);
    write_features("only in B", c_.only_b, c_.b.features - c_.shared, Ink::green);
    write_diff();
    return std::move(out_);
  }

  std::string words() {
    write_diff();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool colour() const { return look_.diff.colour; }
  [[nodiscard]] std::size_t width() const { return look_.diff.width; }
  void heading(std::string_view text) { out_ += "\n" + inked(Ink::bold, text, colour()) + "\n"; }

  void write_names() {
    for (const auto& [letter, name] : {std::pair{"A", &look_.a}, std::pair{"B", &look_.b}})
      out_ += fmt::format("{}  {}\n", inked(Ink::bold, letter, colour()), shown_text(*name, width() - 4));
  }

  // "A", "B" or "both" for a document that has nothing to compare.
  [[nodiscard]] std::string_view without_features() const {
    if (c_.a.features == 0) return c_.b.features == 0 ? "A and B have" : "A has";
    return c_.b.features == 0 ? "B has" : "";
  }

  [[nodiscard]] std::string definition() const {
    const Definition& d = c_.definition;
    if (d.measure == Measure::edit) return d.as_is ? "unchanged texts" : "folded texts";
    return to_string(d.features) + (d.features.bag ? " (bag)" : "");
  }

  [[nodiscard]] std::string reason() const {
    const Definition& d = c_.definition;
    const auto score =
        std::find_if(c_.scores.begin(), c_.scores.end(), [&](const MeasureScore& s) { return s.measure == d.measure; });
    const bool is_near = c_.verdict->answer == Verdict::Answer::near_duplicates;
    if (!without_features().empty()) return "";
    if (!score->score) {
      return fmt::format("{} is more than {}, the threshold is {}", to_string(d.measure),
                         with_commas(score->more_than.value_or(0)), to_string(d.threshold));
    }
    const bool reached = is_near || !c_.verdict->lengths_agree;
    const char* relation = is_distance(d.measure) ? (reached ? "<=" : ">") : (reached ? ">=" : "<");
    std::string out = fmt::format("{} {} {} {} ({})", to_string(d.measure), format_score(d.measure, *score->score),
                                  relation, to_string(d.threshold), definition());
    if (compares_sets(d.measure))
      out += fmt::format("\n  {} shared where {} are needed", counted(c_.shared, "feature", "features"),
                         with_commas(c_.verdict->shared_needed));
    if (!c_.verdict->lengths_agree)
      out += fmt::format("\n  but their lengths are further apart than --length-ratio {} allows",
                         to_string(d.length_ratio));
    return out;
  }

  void write_verdict() {
    out_ += "\n";
    if (!without_features().empty()) {
      out_ += fmt::format("{} no {}: such a document is in no pair under any measure\n", without_features(),
                          c_.definition.features.kind == FeatureKind::tokens ? "tokens" : "words");
      return;
    }
    if (!c_.verdict) {
      out_ += fmt::format("no verdict: --measure {} needs a --threshold\n", to_string(c_.definition.measure));
      return;
    }
    switch (c_.verdict->answer) {
      case Verdict::Answer::near_duplicates:
        out_ += inked(Ink::bold, "near-duplicates", colour());
        break;
      case Verdict::Answer::different:
        out_ += inked(Ink::bold, "not near-duplicates", colour());
        break;
      case Verdict::Answer::unknown:
        out_ += inked(Ink::bold, "undecided", colour());
        break;
    }
    out_ += ": " + reason() + "\n";
  }

  void write_sizes() {
    const bool tokens = c_.definition.features.kind == FeatureKind::tokens;
    struct Row {
      const char* name;
      std::uint64_t a, b;
    };
    std::vector<Row> rows;
    if (!tokens) {
      rows.push_back({"bytes", c_.a.text.size(), c_.b.text.size()});
      rows.push_back({"characters", c_.a.code_points, c_.b.code_points});
    }
    rows.push_back({tokens ? "tokens" : "words", c_.a.words, c_.b.words});
    rows.push_back({"features", c_.a.features, c_.b.features});
    std::size_t wide = 1;
    for (const Row& row : rows) wide = std::max({wide, with_commas(row.a).size(), with_commas(row.b).size()});
    out_ += fmt::format("\n{:<10}  {:>{}}  {:>{}}\n", "", "A", wide, "B", wide);
    for (const Row& row : rows)
      out_ += fmt::format("{:<10}  {:>{}}  {:>{}}\n", row.name, with_commas(row.a), wide, with_commas(row.b), wide);
    out_ += fmt::format("{:<10}  {:>{}}\n", "shared", with_commas(c_.shared), wide);
  }

  void write_scores() {
    if (!without_features().empty()) return;
    std::size_t wide = 5;
    for (const MeasureScore& score : c_.scores) wide = std::max(wide, exact(score).size() + 10);
    out_ +=
        "\n" +
        inked(Ink::bold, fmt::format("{:<11}  {:<{}}  {}", "measure", "score", wide, "meets --threshold"), colour()) +
        "\n";
    for (const MeasureScore& score : c_.scores) {
      std::string value, meets;
      if (score.score) {
        value = format_score(score.measure, *score.score);
        if (!has_integer_scores(score.measure)) value += "  " + exact(score);
        meets = !score.passes
                    ? "none"
                    : fmt::format("{} {}", is_distance(score.measure) ? "from" : "up to", to_string(*score.passes));
      } else {
        value = score.more_than.value_or(0) > 0 ? fmt::format("> {}", *score.more_than) : "-";
        meets = "not computed: " + score.why_not;
      }
      out_ += fmt::format("{:<11}  {:<{}}  {}\n", to_string(score.measure), value, wide, meets);
    }
    write_containment();
  }

  // How much of each is in the other, and where the one inside lies.
  void write_containment() {
    const MutualContainment& mutual = c_.containment;
    if (mutual.a_in_b + mutual.b_in_a == 0) return;
    out_ +=
        fmt::format("\nA in B  {:.6f}  {}/{}\nB in A  {:.6f}  {}/{}\n", share(mutual.a_in_b, c_.a.features),
                    mutual.a_in_b, c_.a.features, share(mutual.b_in_a, c_.b.features), mutual.b_in_a, c_.b.features);
    const std::string& outer = mutual.a_is_inner ? c_.b.text : c_.a.text;
    for (const SharedPassage& passage : mutual.passages) {
      out_ += fmt::format("  {} of {} in {}, bytes {} to {} of {}\n", counted(passage.words, "word", "words"),
                          mutual.a_is_inner ? "A" : "B", mutual.a_is_inner ? "B" : "A", with_commas(passage.begin),
                          with_commas(passage.end), with_commas(outer.size()));
    }
  }
  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }

  static std::string exact(const MeasureScore& score) { return has_integer_scores(score.measure) ? "" : score.exact; }

  void write_simhash() {
    if (!c_.a.simhash || !c_.b.simhash) return;
    heading("simhash");
    out_ += fmt::format("A {}   B {}   {}\n", to_hex(c_.a.simhash), to_hex(c_.b.simhash),
                        c_.bits.empty() ? "no bit differs" : counted(c_.bits.size(), "bit differs", "bits differ"));
    if (c_.bits.empty()) return;
    std::size_t wide = 2;
    for (const DifferingBit& bit : c_.bits)
      wide = std::max({wide, fmt::format("{:+}", bit.a_sum).size(), fmt::format("{:+}", bit.b_sum).size()});
    const std::size_t cell = std::max(kBitColumns, 14 + 2 * wide);
    const std::size_t in_a_row = std::max<std::size_t>(1, (width() + 3) / cell);
    const std::size_t rows = (c_.bits.size() + in_a_row - 1) / in_a_row;
    for (std::size_t row = 0; row < rows; ++row) {
      std::string line;
      for (std::size_t i = row; i < c_.bits.size(); i += rows) {
        const DifferingBit& bit = c_.bits[i];
        const std::string text = fmt::format("bit {:>2}  A {:>{}}  B {:>{}}", bit.bit, fmt::format("{:+}", bit.a_sum),
                                             wide, fmt::format("{:+}", bit.b_sum), wide);
        line += i + rows < c_.bits.size() ? fmt::format("{:<{}}", text, cell) : text;
      }
      out_ += line + "\n";
    }
  }

  void write_features(const char* kind, const std::vector<ShownFeature>& features, std::uint64_t total,
                      std::optional<Ink> ink) {
    if (features.empty()) return;
    std::string title = fmt::format("{} {}", counted(total, "feature", "features"), kind);
    if (features.size() < total) title += fmt::format(", {} of them", with_commas(features.size()));
    heading(title);
    const auto weight = [](const ShownFeature& f) {
      return f.a_count != 0 && f.b_count != 0 && f.a_count != f.b_count
                 ? fmt::format("{}:{}×", with_commas(f.a_count), with_commas(f.b_count))
                 : fmt::format("{}×", with_commas(std::max(f.a_count, f.b_count)));
    };
    std::size_t wide = 0;
    for (const ShownFeature& feature : features) wide = std::max(wide, display_columns(weight(feature)));
    for (const ShownFeature& feature : features) {
      const std::string count = weight(feature);
      const std::string text = shown_text(feature.text, width() > wide + 12 ? width() - wide - 5 : 8);
      out_ += fmt::format("  {}{}  {}\n", std::string(wide - display_columns(count), ' '),
                          inked(Ink::dim, count, colour()), ink ? inked(*ink, text, colour()) : text);
    }
  }

  void write_diff() {
    if (!c_.diff) return;
    const WordDiff& diff = *c_.diff;
    const bool tokens = c_.definition.features.kind == FeatureKind::tokens;
    heading(fmt::format("{} equal, {} removed, {} added",
                        counted(diff.equal_words, tokens ? "token" : "word", tokens ? "tokens" : "words"),
                        with_commas(diff.removed_words), with_commas(diff.added_words)));
    if (!diff.shortest)
      out_ += "  the texts are long and far apart: aligned by passages that both have; a shorter diff may exist\n";
    if (diff.removed_words == 0 && diff.added_words == 0) {
      out_ += c_.a.text == c_.b.text ? "  the texts are the same to the byte\n"
                                     : "  only case, signs, blanks or compatible forms differ\n";
      return;
    }
    out_ += show_diff(c_, look_.diff);
  }

  const Comparison& c_;
  const CompareLook& look_;
  std::string out_;
};

}  // namespace

std::string show(const Comparison& comparison, const CompareLook& look) { return View(comparison, look).text(); }

std::string show_words(const Comparison& comparison, const DiffLook& look) {
  const CompareLook whole{.a = comparison.a.name, .b = comparison.b.name, .diff = look};
  return View(comparison, whole).words();
}

}  // namespace neardup::cli
