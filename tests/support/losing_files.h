// A disk in memory that can lose power at any moment.
//
// The model: names change by operations (a file or folder made, a rename, an exchange, a removal), each of which is
// atomic. One survives for certain once one of its folders was synced. Of the others any may survive, but none without
// the earlier ones that changed the same names. Of the bytes of a file that were not synced nothing survives, or all,
// or a beginning that is followed by nothing or by zeros.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "neardup/error.h"
#include "neardup/files.h"
#include "support/bytes_file.h"

namespace neardup::test {

class LosingFiles final : public FileSystem {
 public:
  bool can_exchange = true;

  LosingFiles() { nodes_[kRoot].is_folder = true; }

  // A file, with its folders, that is on disk already.
  void put(const Path& path, std::string bytes) {
    create_folders(path.parent_path());
    const auto file = create(path);
    file->write(bytes);
    sync_all(path);
  }

  // Every file below a folder with its bytes; folders end in a slash and have none.
  [[nodiscard]] std::map<std::string, std::string> contents(const Path& folder) {
    const std::scoped_lock lock(mutex_);
    std::map<std::string, std::string> found;
    if (const Number number = look_up(folder); number != kNone) collect(number, "", found);
    return found;
  }

  struct Crash {
    std::string when{};
    std::unique_ptr<LosingFiles> disk;  // as it is when the power is back
  };
  // From now on collects what a loss of power could leave before every change: nothing that was not synced, everything,
  // and some mixtures. States that look alike are collected once.
  void collect_crashes(unsigned mixtures) {
    mixtures_ = mixtures;
    seen_.clear();
  }
  // What was collected, and what could be left now. Precondition: nobody else uses the disk.
  std::vector<Crash> crashes() {
    before_change("the end", {});
    mixtures_ = 0;
    return std::exchange(crashes_, {});
  }

  std::unique_ptr<InputFile> open(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    return std::make_unique<BytesFile>(node_at(path, Kind::file, ErrorCode::input).bytes);
  }
  std::unique_ptr<OutputFile> create(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    if (look_up(path) != kNone) fail(ErrorCode::output, "create", path, "File exists");
    return std::make_unique<Output>(*this, make(path, false));
  }
  std::unique_ptr<OutputFile> append(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    return std::make_unique<Output>(*this, look_up_or_make(path));
  }
  void truncate(const Path& path, std::uint64_t size) override {
    const std::scoped_lock lock(mutex_);
    before_change("truncate", path);
    Node& file = node_at(path, Kind::file, ErrorCode::output);
    if (file.bytes.size() < size) fail(ErrorCode::output, "shorten", path, "Invalid argument");
    file.bytes.resize(size);
    file.changed = ++clock_;
  }

  FileInfo info(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    const Number number = look_up(path);
    if (number == kNone) return {};
    const Node& node = nodes_.at(number);
    return {.kind = node.is_folder ? FileKind::folder : FileKind::file,
            .size = node.bytes.size(),
            .changed_ns = node.changed,
            .id = {.device = 1, .number = number},
            .owner = ::geteuid()};
  }
  FileInfo link_info(const Path& path) override { return info(path); }
  bool exists(const Path& path) noexcept override { return info(path).kind != FileKind::none; }
  std::vector<std::string> list(const Path& folder) override {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, node] : node_at(folder, Kind::folder, ErrorCode::input).names) names.push_back(name);
    return names;
  }
  Path resolve(const Path& path) override { return ("/" / path).lexically_normal(); }

  void rename(const Path& from, const Path& to) override {
    const std::scoped_lock lock(mutex_);
    before_change("rename", to);
    const Number moved = look_up(from), replaced = look_up(to);
    if (moved == kNone) fail(ErrorCode::output, "write", to, "No such file or directory");
    if (replaced != kNone) {
      const Node &old = nodes_.at(replaced), &fresh = nodes_.at(moved);
      const bool may_be = old.is_folder == fresh.is_folder && old.names.empty();
      if (!may_be) fail(ErrorCode::output, "write", to, "Not of the same kind, or not empty");
    }
    change({entry(from, kNone), entry(to, moved)});
  }
  bool exchange(const Path& a, const Path& b) override {
    if (!can_exchange) return false;
    const std::scoped_lock lock(mutex_);
    before_change("exchange", b);
    const Number first = look_up(a), second = look_up(b);
    if (first == kNone || second == kNone) fail(ErrorCode::output, "write", b, "No such file or directory");
    change({entry(a, second), entry(b, first)});
    return true;
  }
  void create_folders(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    Path done = "/";
    for (const std::string& part : parts(path)) {
      done /= part;
      const Number number = look_up(done);
      if (number == kNone)
        make(done, true);
      else if (!nodes_.at(number).is_folder)
        fail(ErrorCode::output, "create the folder", path, "Not a directory");
    }
  }
  Path make_temp_folder(const Path& parent, std::string_view prefix) override {
    const std::scoped_lock lock(mutex_);
    for (unsigned i = 0;; ++i) {
      const Path path = parent / (std::string(prefix) + std::to_string(i));
      if (look_up(path) != kNone) continue;
      make(path, true);
      return path;
    }
  }
  void remove(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    const Number number = look_up(path);
    const bool may_be = number != kNone && nodes_.at(number).names.empty();
    if (!may_be) fail(ErrorCode::output, "remove", path, "No such file or directory, or not empty");
    remove_tree(path);
  }
  void remove_all(const Path& path) noexcept override {
    const std::scoped_lock lock(mutex_);
    if (look_up(path) != kNone) remove_tree(path);
  }

  void sync(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    before_change("sync", path);
    const Number number = look_up(path);
    if (number == kNone) fail(ErrorCode::output, "write", path, "No such file or directory");
    settle([&](const Entry& entry) { return entry.folder == number; });
    nodes_.at(number).synced = nodes_.at(number).bytes;
  }
  void sync_all(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    before_change("sync all", path);
    settle([](const Entry&) { return true; });
    for (auto& [number, node] : nodes_) node.synced = node.bytes;
  }

  std::unique_ptr<FileLock> lock(const Path& path) override {
    const std::scoped_lock lock(mutex_);
    return std::make_unique<Lock>(locked_, look_up_or_make(path), path);
  }

 private:
  using Number = std::uint64_t;
  static constexpr Number kNone = 0, kRoot = 1;
  using Names = std::map<std::string, Number>;

  struct Node {
    bool is_folder = false;
    std::string bytes, synced;  // of a file: now, and on disk for certain
    Names names, settled;       // of a folder: the same
    std::int64_t changed = 0;
  };
  struct Entry {
    Number folder = kNone;
    std::string name;
    Number node = kNone;  // none: the name goes away
  };
  using Change = std::vector<Entry>;  // all of it or nothing

  class Output final : public OutputFile {
   public:
    Output(LosingFiles& disk, Number number) : disk_(disk), number_(number) {}
    void write(std::span<const char> bytes) override {
      const std::scoped_lock lock(disk_.mutex_);
      disk_.before_change("write", {});
      Node& node = disk_.nodes_.at(number_);
      node.bytes.append(bytes.data(), bytes.size());
      node.changed = ++disk_.clock_;
    }
    void sync() override {
      const std::scoped_lock lock(disk_.mutex_);
      disk_.before_change("sync of an open file", {});
      disk_.nodes_.at(number_).synced = disk_.nodes_.at(number_).bytes;
    }
    void close() override {}

   private:
    LosingFiles& disk_;
    Number number_;
  };

  using Locked = std::shared_ptr<std::set<Number>>;
  class Lock final : public FileLock {
   public:
    Lock(Locked locked, Number number, const Path& path) : locked_(std::move(locked)), number_(number) {
      if (!locked_->insert(number).second) throw Error(ErrorCode::locked, path.string() + " is in use");
    }
    ~Lock() override { locked_->erase(number_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    Locked locked_;
    Number number_;
  };

  [[noreturn]] static void fail(ErrorCode code, const char* what, const Path& path, const char* why) {
    throw Error(code, std::string("cannot ") + what + " " + path.string() + ": " + why);
  }

  static std::vector<std::string> parts(const Path& path) {
    std::vector<std::string> parts;
    for (const Path& part : ("/" / path).lexically_normal().relative_path()) {
      if (!part.empty() && part != ".") parts.push_back(part.string());
    }
    return parts;
  }
  [[nodiscard]] Number look_up(const Path& path) const {
    Number number = kRoot;
    for (const std::string& part : parts(path)) {
      const Names& names = nodes_.at(number).names;
      const auto found = names.find(part);
      if (found == names.end()) return kNone;
      number = found->second;
    }
    return number;
  }
  enum class Kind { file, folder };
  Node& node_at(const Path& path, Kind kind, ErrorCode code) {
    const Number number = look_up(path);
    if (number == kNone) fail(code, "use", path, "No such file or directory");
    if (nodes_.at(number).is_folder != (kind == Kind::folder)) fail(code, "use", path, "Is a directory, or is none");
    return nodes_.at(number);
  }
  Entry entry(const Path& path, Number node) {
    const Path folder = ("/" / path / "..").lexically_normal();
    node_at(folder, Kind::folder, ErrorCode::output);
    return {.folder = look_up(folder), .name = parts(path).back(), .node = node};
  }

  Number make(const Path& path, bool is_folder) {
    before_change(is_folder ? "create the folder" : "create", path);
    Entry made = entry(path, ++last_number_);
    nodes_[last_number_].is_folder = is_folder;
    nodes_[last_number_].changed = ++clock_;
    change({std::move(made)});
    return last_number_;
  }
  Number look_up_or_make(const Path& path) {
    const Number number = look_up(path);
    return number != kNone ? number : make(path, false);
  }
  void remove_tree(const Path& path) {
    const Names below = nodes_.at(look_up(path)).names;
    for (const auto& [name, node] : below) remove_tree(path / name);
    before_change("remove", path);
    change({entry(path, kNone)});
  }

  static void apply(const Change& change, std::map<Number, Node>& nodes, Names Node::*names) {
    for (const Entry& entry : change) {
      Names& in = nodes.at(entry.folder).*names;
      if (entry.node == kNone)
        in.erase(entry.name);
      else
        in[entry.name] = entry.node;
    }
  }
  void change(Change change) {
    apply(change, nodes_, &Node::names);
    pending_.push_back(std::move(change));
  }
  static bool share_a_name(const Change& a, const Change& b) {
    return std::any_of(a.begin(), a.end(), [&](const Entry& x) {
      return std::any_of(b.begin(), b.end(), [&](const Entry& y) { return x.folder == y.folder && x.name == y.name; });
    });
  }

  // Brings to disk what `is_meant`, and what it builds on.
  void settle(const std::function<bool(const Entry&)>& is_meant) {
    std::vector<bool> settles(pending_.size());
    for (std::size_t i = pending_.size(); i-- > 0;) {
      settles[i] = std::any_of(pending_[i].begin(), pending_[i].end(), is_meant);
      for (std::size_t later = i + 1; later < pending_.size(); ++later)
        settles[i] = settles[i] || (settles[later] && share_a_name(pending_[i], pending_[later]));
    }
    std::vector<Change> left;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (settles[i])
        apply(pending_[i], nodes_, &Node::settled);
      else
        left.push_back(std::move(pending_[i]));
    }
    pending_ = std::move(left);
  }

  // `draw(n)` decides: 0 is the worst, n - 1 the best of n outcomes.
  [[nodiscard]] std::unique_ptr<LosingFiles> after_power_loss(
      const std::function<std::uint64_t(std::uint64_t)>& draw) const {
    auto disk = std::make_unique<LosingFiles>();
    disk->nodes_ = nodes_;
    std::tie(disk->last_number_, disk->clock_, disk->can_exchange) = std::tie(last_number_, clock_, can_exchange);
    std::vector<const Change*> lost;
    for (const Change& change : pending_) {
      const bool holds =
          std::none_of(lost.begin(), lost.end(), [&](auto* other) { return share_a_name(*other, change); });
      if (holds && draw(2) == 1)
        apply(change, disk->nodes_, &Node::settled);
      else
        lost.push_back(&change);
    }
    for (auto& [number, node] : disk->nodes_) {
      node.names = node.settled;
      if (node.bytes != node.synced) tear(node, draw);
      node.synced = node.bytes;
    }
    return disk;
  }
  static void tear(Node& node, const std::function<std::uint64_t(std::uint64_t)>& draw) {
    const std::uint64_t outcome = draw(4);
    if (outcome == 0) node.bytes = node.synced;
    if (outcome == 0 || outcome == 3) return;
    const std::size_t safe = node.bytes.starts_with(node.synced) ? node.synced.size() : 0;
    const std::size_t whole = node.bytes.size();
    node.bytes.resize(safe + draw(whole - safe + 1));
    if (outcome == 2) node.bytes.resize(whole, '\0');
  }

  void before_change(const char* what, const Path& path) {
    ++changes_;
    if (mixtures_ == 0) return;
    base::Random random(changes_);
    for (unsigned i = 0; i < mixtures_ + 2; ++i) {
      auto disk = after_power_loss([&](std::uint64_t n) { return i == 0 ? 0 : i == 1 ? n - 1 : random.below(n); });
      if (!seen_.insert(disk->contents("/")).second) continue;
      const std::string kept = i == 0 ? "nothing" : i == 1 ? "everything" : "mixture " + std::to_string(i - 1);
      crashes_.push_back({"before change " + std::to_string(changes_) + ", " + what + " " + path.string() +
                              ", unsynced survives: " + kept,
                          std::move(disk)});
    }
  }

  void collect(Number number, const std::string& name, std::map<std::string, std::string>& found) const {
    const Node& node = nodes_.at(number);
    if (!node.is_folder) {
      found[name] = node.bytes;
      return;
    }
    if (!name.empty()) found[name + "/"];
    for (const auto& [below, child] : node.names) collect(child, name.empty() ? below : name + "/" + below, found);
  }

  std::mutex mutex_;
  std::map<Number, Node> nodes_;
  Number last_number_ = kRoot;
  std::vector<Change> pending_;
  Locked locked_ = std::make_shared<std::set<Number>>();
  std::int64_t clock_ = 0;
  std::uint64_t changes_ = 0;
  unsigned mixtures_ = 0;
  std::set<std::map<std::string, std::string>> seen_;
  std::vector<Crash> crashes_;
};

}  // namespace neardup::test
