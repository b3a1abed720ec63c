// Documents that a test holds, as a source that can misbehave, and the same documents as JSON lines.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/document.h"

namespace neardup::test {

struct HeldDocument {
  std::string key{};
  std::vector<std::string> texts{};
  std::map<std::string, std::string> fields{};
  std::vector<std::uint64_t> tokens{};
  std::string problem{};  // not empty: a bad document
};
using HeldList = std::vector<HeldDocument>;

// Without quotes and backslashes this is JSON. Fields are text0, text1, ...
inline std::string as_json_lines(const HeldList& documents) {
  std::string lines;
  for (const HeldDocument& document : documents) {
    if (!document.problem.empty()) {
      lines += "bad\n";
      continue;
    }
    lines += "{\"id\":\"" + document.key + "\"";
    for (std::size_t i = 0; i < document.texts.size(); ++i)
      lines += ",\"text" + std::to_string(i) + "\":\"" + document.texts[i] + "\"";
    for (const auto& [name, value] : document.fields) lines += ",\"" + name + "\":\"" + value + "\"";
    lines += "}\n";
  }
  return lines;
}

class HeldDocuments final : public DocumentSource {
 public:
  explicit HeldDocuments(HeldList documents, std::size_t batch = 7)
      : documents_(std::make_shared<const HeldList>(std::move(documents))), batch_(batch) {}

  // What a reading gets instead; it is told how many came before it.
  std::function<HeldList(std::size_t reading)> other{};
  // Called before every batch with the number of the first document.
  std::function<void(std::size_t first)> before_batch{};
  bool tokens = false;
  std::uint64_t total = 0;               // bytes()
  std::vector<std::string> no_fields{};  // may_have_field() denies these

  [[nodiscard]] std::unique_ptr<DocumentReader> open(std::span<const std::string> fields) const override {
    const std::lock_guard lock(mutex_);
    asked_.emplace_back(fields.begin(), fields.end());
    const auto held = other ? std::make_shared<const HeldList>(other(asked_.size() - 1)) : documents_;
    return std::make_unique<Reading>(*this, held, asked_.back());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return total; }
  [[nodiscard]] bool has_tokens() const override { return tokens; }
  [[nodiscard]] bool may_have_field(std::string_view name) const override {
    return std::find(no_fields.begin(), no_fields.end(), name) == no_fields.end();
  }

  // The fields that each reading asked for.
  [[nodiscard]] std::vector<std::vector<std::string>> asked() const { return asked_; }
  // Batches that somebody still holds.
  [[nodiscard]] int alive() const { return alive_; }
  [[nodiscard]] int most_alive() const { return most_alive_; }
  [[nodiscard]] const HeldList& documents() const { return *documents_; }
  // Whether a view leads into a text that is held here.
  [[nodiscard]] bool holds(std::string_view view) const {
    for (const HeldDocument& document : *documents_) {
      for (const std::string& text : document.texts)
        if (view.data() >= text.data() && view.data() + view.size() <= text.data() + text.size()) return true;
    }
    return false;
  }

 private:
  class Batch final : public DocumentBatch {
   public:
    Batch(const HeldDocuments& source, std::shared_ptr<const HeldList> held, std::size_t first, std::size_t size,
          const std::vector<std::string>& names)
        : source_(source), held_(std::move(held)), first_(first), views_(size) {
      for (std::size_t i = 0; i < size; ++i) {
        const HeldDocument& document = (*held_)[first + i];
        views_[i].texts.assign(document.texts.begin(), document.texts.end());
        for (const std::string& name : names) {
          const auto found = document.fields.find(name);
          views_[i].fields.push_back(found == document.fields.end() ? std::nullopt
                                                                    : std::optional<std::string_view>(found->second));
        }
      }
      const int alive = ++source.alive_;
      for (int most = source.most_alive_; alive > most && !source.most_alive_.compare_exchange_weak(most, alive);) {
      }
    }
    ~Batch() override { --source_.alive_; }
    [[nodiscard]] std::size_t size() const override { return views_.size(); }
    [[nodiscard]] std::uint64_t bytes() const override {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < size(); ++i)
        for (const std::string& text : (*held_)[first_ + i].texts) sum += text.size();
      return sum;
    }
    const char* get(std::size_t place, DocumentView& out) const override {
      const HeldDocument& document = (*held_)[first_ + place];
      if (!document.problem.empty()) return document.problem.c_str();
      out.key = document.key;
      out.texts = views_[place].texts;
      out.fields = views_[place].fields;
      out.tokens = document.tokens;
      return nullptr;
    }

   private:
    struct Views {
      std::vector<std::string_view> texts;
      std::vector<std::optional<std::string_view>> fields;
    };
    const HeldDocuments& source_;
    std::shared_ptr<const HeldList> held_;
    std::size_t first_;
    std::vector<Views> views_;
  };

  class Reading final : public DocumentReader {
   public:
    Reading(const HeldDocuments& source, std::shared_ptr<const HeldList> held, std::vector<std::string> fields)
        : source_(source), held_(std::move(held)), fields_(std::move(fields)) {}
    std::shared_ptr<const DocumentBatch> next() override {
      if (source_.before_batch) source_.before_batch(at_);
      if (at_ == held_->size()) return nullptr;
      const std::size_t first = std::exchange(at_, std::min(held_->size(), at_ + source_.batch_));
      return std::make_shared<Batch>(source_, held_, first, at_ - first, fields_);
    }

   private:
    const HeldDocuments& source_;
    std::shared_ptr<const HeldList> held_;
    std::vector<std::string> fields_;
    std::size_t at_ = 0;
  };

  std::shared_ptr<const HeldList> documents_;
  std::size_t batch_;
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::string>> asked_;
  mutable std::atomic<int> alive_ = 0, most_alive_ = 0;
};

}  // namespace neardup::test
