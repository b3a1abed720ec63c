#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/guard.h"
#include "io/codecs/codecs.h"
#include "io/output.h"
#include "neardup/evaluate.h"

namespace neardup {
namespace {

constexpr double kLeft = 60, kTop = 20, kWidth = 560, kHeight = 300;

// Colours of the lines; light and dark backgrounds need others.
constexpr const char* kStyle =
    "<style>svg{background:#fff}text{font:12px sans-serif;fill:#222}.grid{stroke:#ddd}.axis{stroke:#222}"
    ".line{fill:none;stroke-width:2}.p{stroke:#0b62a4}.r{stroke:#b5400b}.f{stroke:#1b7a33}.best{stroke:#222;"
    "stroke-dasharray:4 3}.key{stroke-width:3}@media(prefers-color-scheme:dark){svg{background:#161616}text{fill:#eee}"
    ".grid{stroke:#444}.axis,.best{stroke:#eee}.p{stroke:#7ab8f0}.r{stroke:#f0a07a}.f{stroke:#7fd694}}</style>\n";

struct Curve {
  const char* name;
  const char* style;
  double (SweepPoint::*value)() const;
};
constexpr std::array<Curve, 3> kCurves{
    {{"precision", "p", &SweepPoint::precision}, {"recall", "r", &SweepPoint::recall}, {"F1", "f", &SweepPoint::f1}}};

class SweepDrawing {
 public:
  explicit SweepDrawing(const Sweep& sweep) : sweep_(sweep) {
    const auto [low, high] =
        std::ranges::minmax(sweep.points, {}, [](const SweepPoint& point) { return point.threshold; });
    low_ = low.threshold;
    high_ = high.threshold > low_ ? high.threshold : low_ + 1;
  }

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"precision, recall "
        "and F1 over the threshold; best F1 {:.3f} at {:g}\">\n",
        kLeft + kWidth + 20, kTop + kHeight + 60, sweep_.best.f1(), sweep_.best.threshold);
    out_ += kStyle;
    draw_axes();
    for (const Curve& curve : kCurves) draw_curve(curve);
    const double best = x(sweep_.best.threshold);
    line("best", best, kTop, best, kTop + kHeight);
    draw_key();
    return out_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double x(double threshold) const { return kLeft + (threshold - low_) / (high_ - low_) * kWidth; }
  [[nodiscard]] static double y(double share) { return kTop + (1 - share) * kHeight; }

  void line(const char* style, double x1, double y1, double x2, double y2) {
    out_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1, y1,
                        x2, y2);
  }
  void text(double at_x, double at_y, const char* anchor, const std::string& words) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x, at_y, anchor, words);
  }

  void draw_axes() {
    constexpr int kSteps = 5;
    for (int i = 0; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps, threshold = low_ + (high_ - low_) * share;
      line("grid", kLeft, y(share), kLeft + kWidth, y(share));
      text(kLeft - 8, y(share) + 4, "end", fmt::format("{:.1f}", share));
      text(x(threshold), kTop + kHeight + 18, "middle", fmt::format("{:.4g}", threshold));
    }
    line("axis", kLeft, kTop + kHeight, kLeft + kWidth, kTop + kHeight);
    line("axis", kLeft, kTop, kLeft, kTop + kHeight);
    text(kLeft + kWidth / 2, kTop + kHeight + 36, "middle",
         sweep_.scores_are_distances ? "threshold (largest distance)" : "threshold");
  }

  void draw_curve(const Curve& curve) {
    out_ += fmt::format("<polyline class=\"line {}\" points=\"", curve.style);
    for (const SweepPoint& point : sweep_.points)
      out_ += fmt::format("{:.1f},{:.1f} ", x(point.threshold), y((point.*curve.value)()));
    out_ += "\"/>\n";
  }

  void draw_key() {
    double at = kLeft;
    for (const Curve& curve : kCurves) {
      line(fmt::format("key {}", curve.style).c_str(), at, kTop + kHeight + 50, at + 20, kTop + kHeight + 50);
      text(at + 26, kTop + kHeight + 54, "start",
           fmt::format("{} ({:.3f} at best F1)", curve.name, (sweep_.best.*curve.value)()));
      at += kWidth / 3 + 10;
    }
  }

  const Sweep& sweep_;
  double low_ = 0, high_ = 1;
  std::string out_;
};

}  // namespace

std::string sweep_svg(const Sweep& sweep) { return sweep.points.empty() ? "" : SweepDrawing(sweep).draw(); }

void write_sweep_svg(const Sweep& sweep, const std::string& path, Overwrite overwrite, const Context& given) {
  base::guarded(given, [&](const Context& context) {
    io::OutputTransaction transaction(path, overwrite, context);
    const auto sink = io::open_sink(base::files(context), transaction.working_path(), io::plain_codec());
    sink->write(sweep_svg(sweep));
    sink->close();
    transaction.commit();
  });
}

}  // namespace neardup
