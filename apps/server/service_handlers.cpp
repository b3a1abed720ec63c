// Handlers about the service itself.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "handlers.h"
#include "json_parts.h"
#include "neardup/files.h"
#include "neardup/version.h"
#include "problem.h"
#include "service.h"

namespace neardup::server {
namespace {

FileSystem& files_of(const Service& service) {
  return service.context.files != nullptr ? *service.context.files : system_files();
}

void write_definition(Json& json, const IndexOptions& options) {
  const Definition& definition = options.definition;
  json.key("definition").begin_object();
  json.member("features", to_string(definition.features)).member("measure", to_string(definition.measure));
  json.member("threshold", to_string(definition.threshold)).member("finder", options.finder);
  json.member("clusters", to_string(options.clusters)).key("keep").begin_array();
  for (const KeepRule& rule : options.keep) json.value(to_string(rule));
  json.end_array().member("store_texts", options.store_texts).end_object();
}

bool is_snapshot_name(std::string_view name) {
  constexpr std::size_t kLeast = 16;  // 20260131T235959Z
  return name.size() >= kLeast && name[8] == 'T' && name[15] == 'Z' && !name.ends_with(".neardup-new");
}

}  // namespace

Response show_stats(Service& service, const Call& call) {
  call.query.finish();
  const IndexStats stats = service.index.stats();
  Json json;
  json.begin_object().member("documents", stats.documents).member("without_features", stats.without_features);
  json.member("units", stats.units).member("clusters", stats.clusters).member("clustered", stats.clustered);
  json.member("kept", stats.kept).member("segments", stats.segments).member("recent", stats.recent);
  json.member("truth_bytes", stats.truth_bytes).member("segment_bytes", stats.segment_bytes);
  json.member("memory_bytes", stats.memory_bytes).member("last_change", stats.last_change);
  json.member("recall", stats.recall);
  write_definition(json, service.index.options());
  json.key("fields").begin_array();
  for (const std::string& field : service.index.fields()) json.value(field);
  json.end_array().member("writable", service.index.writable());
  json.member("durability", to_string(service.durability)).member("version", version());
  const std::chrono::duration<double> uptime = std::chrono::steady_clock::now() - service.started;
  json.key("uptime_seconds").raw(fmt::format("{:.3f}", uptime.count())).end_object();
  return {.body = json.take()};
}

Response list_snapshots(Service& service, const Call& call) {
  call.query.finish();
  FileSystem& files = files_of(service);
  const std::filesystem::path folder = service.folder / "snapshots";
  Json json;
  json.begin_object().key("snapshots").begin_array();
  if (files.exists(folder))
    for (const std::string& name : files.list(folder))
      if (is_snapshot_name(name)) json.value(name);
  return {.body = json.end_array().end_object().take()};
}

Response make_snapshot(Service& service, const Call& call) {
  call.query.finish();
  if (!call.request.body.empty()) throw Problem(ProblemCode::bad_request, "a snapshot takes no body");
  const std::lock_guard lock(service.snapshots);
  FileSystem& files = files_of(service);
  const std::filesystem::path folder = service.folder / "snapshots";
  files.create_folders(folder);
  const std::string time = fmt::format(
      "{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  std::string name = time;
  for (int copy = 2; files.exists(folder / name); ++copy) name = fmt::format("{}-{}", time, copy);
  service.index.snapshot(folder / name, service.context);
  Json json;
  json.begin_object().member("name", name).end_object();
  return {.status = 201, .body = json.take()};
}

Response show_live(Service&, const Call& call) {
  call.query.finish();
  return {.content_type = "text/plain; charset=utf-8", .body = "ok\n"};
}

Response show_ready(Service& service, const Call& call) {
  call.query.finish();
  if (service.is_draining) throw Problem(ProblemCode::draining, "the server is shutting down");
  if (!service.index.writable())
    throw Problem(ProblemCode::read_only, "a write to the disk failed: searches work, changes do not");
  return {.content_type = "text/plain; charset=utf-8", .body = "ok\n"};
}

Response show_metrics(Service& service, const Call& call) {
  call.query.finish();
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
          .body = service.metrics.text(service.index.stats(), service.index.writable())};
}

}  // namespace neardup::server
