#include "index/store.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/utilities/write_batch_with_index.h>

#include <array>
#include <atomic>
#include <cstdarg>
#include <utility>
#include <vector>

#include "neardup/error.h"

namespace neardup::indexing {
namespace {

// Small tables share a column family; a letter before the key tells them apart.
struct TablePlace {
  std::uint8_t family;
  char letter;  // 0: none
};
constexpr std::array<TablePlace, kTables> kPlaces{{
    {1, 0},
    {2, 0},
    {3, 0},
    {4, 0},
    {5, 'p'},
    {5, 'm'},
    {5, 'a'},
    {5, 'g'},
    {5, 'u'},
    {5, 'n'},
    {6, 0},
    {0, 'd'},
    {0, 'm'},
}};
constexpr std::array kFamilies{"default", "documents", "texts", "keys", "units", "clusters", "events"};

constexpr std::size_t kWriteBuffer = std::size_t{32} << 20;
constexpr std::size_t kWriteBuffers = std::size_t{192} << 20;  // of all families together
constexpr std::size_t kLogs = std::size_t{192} << 20;          // bounds how much is read after a crash

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

[[noreturn]] void throw_store_error(const rocksdb::Status& status, const std::filesystem::path& path, ErrorCode code) {
  if (status.IsCorruption())
    throw Error(ErrorCode::corrupt, fmt::format("{}: damaged: {}", path.string(), status.ToString()));
  throw Error(code, fmt::format("{}: {}", path.string(), status.ToString()));
}

rocksdb::ColumnFamilyOptions family_options(std::string_view name, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = cache;
  blocks.checksum = rocksdb::kXXH3;
  blocks.format_version = 5;
  blocks.block_size = name == "texts" ? 64 << 10 : 8 << 10;
  blocks.cache_index_and_filter_blocks = false;
  // A new key, and a unit that is alone, are looked up in vain.
  if (name == "keys" || name == "clusters") blocks.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(10));
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  options.write_buffer_size = kWriteBuffer;
  options.level_compaction_dynamic_level_bytes = true;
  const bool is_large = name == "texts" || name == "events";
  // Feature sets are hashes, which do not compress.
  options.compression = name == "units" ? rocksdb::kNoCompression
                        : is_large      ? rocksdb::kZSTD
                                        : rocksdb::kLZ4Compression;
  options.bottommost_compression = name == "units" ? rocksdb::kNoCompression : rocksdb::kZSTD;
  return options;
}

// RocksDB's own log is of no use to users, and a reader must not write into the folder of a writer.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::DBOptions database_options(StoreAccess access) {
  rocksdb::DBOptions options;
  options.create_if_missing = options.create_missing_column_families = access == StoreAccess::create;
  options.error_if_exists = access == StoreAccess::create;
  options.paranoid_checks = true;
  options.max_background_jobs = 2;
  options.db_write_buffer_size = kWriteBuffers;
  options.max_total_wal_size = kLogs;
  options.max_open_files = -1;  // a reader beside a writer keeps the files it started with
  options.skip_stats_update_on_db_open = true;
  options.info_log = std::make_shared<NoLog>();
  options.max_manifest_file_size = std::size_t{4} << 20;
  // A log may end within a record; damage anywhere else is reported, never skipped.
  options.wal_recovery_mode = access == StoreAccess::recover ? rocksdb::WALRecoveryMode::kPointInTimeRecovery
                                                             : rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  return options;
}

// The families, opened; releases the handles before the database.
struct Database {
  std::filesystem::path path;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> families;

  ~Database() {
    for (rocksdb::ColumnFamilyHandle* family : families) db->DestroyColumnFamilyHandle(family);
  }

  void check(const rocksdb::Status& status, ErrorCode code) const {
    if (!status.ok()) throw_store_error(status, path, code);
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(Table table) const {
    return families[kPlaces[static_cast<std::size_t>(table)].family];
  }
  // The key of a row inside its family.
  static std::string_view full_key(Table table, std::string_view key, std::string& buffer) {
    const char letter = kPlaces[static_cast<std::size_t>(table)].letter;
    if (letter == 0) return key;
    buffer.assign(1, letter);
    buffer += key;
    return buffer;
  }

  bool found(const rocksdb::Status& status) const {
    if (status.IsNotFound()) return false;
    check(status, ErrorCode::input);
    return true;
  }

  void walk(rocksdb::Iterator& rows, Table table, std::string_view prefix, std::string_view from,
            const StoreView::Visit& visit) const {
    std::string prefix_buffer, from_buffer;
    const std::string_view begin = full_key(table, prefix, prefix_buffer);
    const std::string_view start = full_key(table, from < prefix ? prefix : from, from_buffer);
    const std::size_t letters = begin.size() - prefix.size();
    for (rows.Seek(slice(start)); rows.Valid() && view(rows.key()).starts_with(begin); rows.Next()) {
      if (!visit(view(rows.key()).substr(letters), view(rows.value()))) return;
    }
    check(rows.status(), ErrorCode::input);
  }
};

class RocksBatch final : public StoreBatch {
 public:
  explicit RocksBatch(const Database& database)
      : database_(database), batch_(rocksdb::BytewiseComparator(), 0, /*overwrite_key=*/true) {}

  bool get(Table table, std::string_view key, std::string& value) const override {
    std::string buffer;
    return database_.found(batch_.GetFromBatchAndDB(database_.db.get(), rocksdb::ReadOptions(), database_.family(table),
                                                    slice(Database::full_key(table, key, buffer)), &value));
  }
  void scan(Table table, std::string_view prefix, std::string_view from, const Visit& visit) const override {
    rocksdb::ColumnFamilyHandle* family = database_.family(table);
    const std::unique_ptr<rocksdb::Iterator> rows(
        batch_.NewIteratorWithBase(family, database_.db->NewIterator(rocksdb::ReadOptions(), family)));
    database_.walk(*rows, table, prefix, from, visit);
  }
  void put(Table table, std::string_view key, std::string_view value) override {
    std::string buffer;
    database_.check(batch_.Put(database_.family(table), slice(Database::full_key(table, key, buffer)), slice(value)),
                    ErrorCode::output);
  }
  void erase(Table table, std::string_view key) override {
    std::string buffer;
    database_.check(batch_.Delete(database_.family(table), slice(Database::full_key(table, key, buffer))),
                    ErrorCode::output);
  }
  void mark() override { batch_.SetSavePoint(); }
  void take_back() override { database_.check(batch_.RollbackToSavePoint(), ErrorCode::internal); }
  [[nodiscard]] bool empty() const override {
    return const_cast<rocksdb::WriteBatchWithIndex&>(batch_).GetWriteBatch()->Count() == 0;
  }
  [[nodiscard]] rocksdb::WriteBatch* changes() { return batch_.GetWriteBatch(); }

 private:
  const Database& database_;
  mutable rocksdb::WriteBatchWithIndex batch_;
};

class RocksView final : public StoreView {
 public:
  explicit RocksView(const Database& database) : database_(database), snapshot_(database.db->GetSnapshot()) {
    reading_.snapshot = snapshot_;
  }
  ~RocksView() override { database_.db->ReleaseSnapshot(snapshot_); }
  RocksView(const RocksView&) = delete;
  RocksView& operator=(const RocksView&) = delete;

  bool get(Table table, std::string_view key, std::string& value) const override {
    std::string buffer;
    return database_.found(
        database_.db->Get(reading_, database_.family(table), slice(Database::full_key(table, key, buffer)), &value));
  }
  void scan(Table table, std::string_view prefix, std::string_view from, const Visit& visit) const override {
    const std::unique_ptr<rocksdb::Iterator> rows(database_.db->NewIterator(reading_, database_.family(table)));
    database_.walk(*rows, table, prefix, from, visit);
  }

 private:
  const Database& database_;
  const rocksdb::Snapshot* snapshot_;
  rocksdb::ReadOptions reading_;
};

class RocksStore final : public Store {
 public:
  explicit RocksStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  bool get(Table table, std::string_view key, std::string& value) const override {
    std::string buffer;
    return database_->found(database_->db->Get(rocksdb::ReadOptions(), database_->family(table),
                                               slice(Database::full_key(table, key, buffer)), &value));
  }
  void scan(Table table, std::string_view prefix, std::string_view from, const Visit& visit) const override {
    rocksdb::ReadOptions reading;
    reading.fill_cache = false;
    const std::unique_ptr<rocksdb::Iterator> rows(database_->db->NewIterator(reading, database_->family(table)));
    database_->walk(*rows, table, prefix, from, visit);
  }
  [[nodiscard]] std::unique_ptr<StoreView> snapshot() const override { return std::make_unique<RocksView>(*database_); }
  [[nodiscard]] std::unique_ptr<StoreBatch> begin() override { return std::make_unique<RocksBatch>(*database_); }

  void commit(StoreBatch& batch, bool sync) override {
    // Space that ran out may be there again; RocksDB waits to be told.
    if (is_broken_)
      throw Error(ErrorCode::output, fmt::format("{}: an earlier write failed", database_->path.string()));
    if (is_full_.exchange(false)) check_write(database_->db->Resume());
    rocksdb::WriteOptions writing;
    writing.sync = sync;
    const rocksdb::Status status = database_->db->Write(writing, static_cast<RocksBatch&>(batch).changes());
    is_full_ = status.IsNoSpace();
    check_write(status);
  }
  void sync() override { check_write(database_->db->SyncWAL()); }
  [[nodiscard]] bool is_broken() const override { return is_broken_; }

  void compact() override {
    database_->check(database_->db->Flush(rocksdb::FlushOptions(), database_->families), ErrorCode::output);
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    for (rocksdb::ColumnFamilyHandle* family : database_->families)
      database_->check(database_->db->CompactRange(options, family, nullptr, nullptr), ErrorCode::output);
    // RocksDB deletes what is no longer needed in the background, perhaps later; this deletes it now.
    database_->check(database_->db->DisableFileDeletions(), ErrorCode::output);
    database_->check(database_->db->EnableFileDeletions(/*force=*/false), ErrorCode::output);
  }

  void checkpoint(const std::filesystem::path& path) const override {
    rocksdb::Checkpoint* made = nullptr;
    database_->check(rocksdb::Checkpoint::Create(database_->db.get(), &made), ErrorCode::output);
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    const rocksdb::Status status = checkpoint->CreateCheckpoint(path.string());
    if (!status.ok()) throw_store_error(status, path, ErrorCode::output);
  }

  [[nodiscard]] std::uint64_t bytes() const override {
    std::uint64_t sum = 0;
    for (rocksdb::ColumnFamilyHandle* family : database_->families) {
      std::uint64_t size = 0;
      database_->db->GetIntProperty(family, rocksdb::DB::Properties::kLiveSstFilesSize, &size);
      sum += size;
    }
    std::uint64_t unwritten = 0;
    database_->db->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &unwritten);
    return sum + unwritten;
  }

  void verify() const override { database_->check(database_->db->VerifyChecksum(), ErrorCode::input); }

 private:
  void check_write(const rocksdb::Status& status) {
    if (!status.ok() && !status.IsNoSpace()) is_broken_ = true;
    if (status.IsNoSpace()) is_full_ = true;
    database_->check(status, ErrorCode::output);
  }

  std::unique_ptr<Database> database_;
  std::atomic<bool> is_full_ = false, is_broken_ = false;
};

}  // namespace

std::unique_ptr<Store> open_store(const std::filesystem::path& path, StoreAccess access, std::size_t cache_bytes) {
  const auto cache = rocksdb::NewLRUCache(cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const char* name : kFamilies) families.emplace_back(name, family_options(name, cache));
  auto database = std::make_unique<Database>();
  database->path = path;
  const rocksdb::DBOptions options = database_options(access);
  rocksdb::Status status;
  // Beside a writer a file may go between the moments when it is listed and opened.
  constexpr int kAttempts = 20;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    rocksdb::DB* opened = nullptr;
    status = access == StoreAccess::read
                 ? rocksdb::DB::OpenForReadOnly(options, path.string(), families, &database->families, &opened)
                 : rocksdb::DB::Open(options, path.string(), families, &database->families, &opened);
    database->db.reset(opened);
    const bool lost_a_file = !status.ok() && status.ToString().find("No such file") != std::string::npos;
    if (access != StoreAccess::read || !lost_a_file) break;
  }
  if (!status.ok()) {
    // A file that is missing, or a family that does not exist, is damage of something that was whole.
    if (access != StoreAccess::create && (status.IsInvalidArgument() || status.IsNotFound() || status.IsPathNotFound()))
      throw_store_error(rocksdb::Status::Corruption(status.ToString()), path, ErrorCode::corrupt);
    throw_store_error(status, path, access == StoreAccess::read ? ErrorCode::input : ErrorCode::output);
  }
  return std::make_unique<RocksStore>(std::move(database));
}

}  // namespace neardup::indexing
