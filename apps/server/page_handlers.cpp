// Handlers of files that are built into the program.
#include <algorithm>

#include "assets.h"
#include "body_decoder.h"
#include "handlers.h"
#include "problem.h"

namespace neardup::server {
namespace {

struct ContentType {
  std::string_view ending, type;
};
constexpr ContentType kTypes[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
};

std::string type_of(std::string_view path) {
  for (const ContentType& type : kTypes)
    if (path.ends_with(type.ending)) return std::string(type.type);
  return "application/octet-stream";
}

// Scripts come from the program only, and cannot turn a text into markup.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

Response serve_asset(const Asset& asset, const Request& request) {
  Response response{.content_type = type_of(asset.path)};
  // Names below /assets/ contain a hash of the contents.
  const bool is_immutable = asset.path.starts_with("/assets/");
  response.headers.emplace_back("ETag", asset.etag);
  response.headers.emplace_back("Cache-Control", is_immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.headers.emplace_back("Vary", "Accept-Encoding");
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  if (request.if_none_match.find(asset.etag) != std::string::npos) {
    response.status = 304;
    response.content_type.clear();
  } else if (lists_word(request.accept_encoding, "gzip")) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = asset.gzip;
  } else {
    constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
    response.body = decoded_body(std::string(asset.gzip), "gzip", kMost);
  }
  return response;
}

const Asset* find_asset(std::span<const Asset> assets, std::string_view path) {
  const auto found = std::ranges::find(assets, path, &Asset::path);
  return found == assets.end() ? nullptr : &*found;
}

}  // namespace

Response show_openapi(Service&, const Call& call) {
  const Asset* document = find_asset(service_assets(), "/openapi.json");
  if (document == nullptr) throw Problem(ProblemCode::internal, "the program was built without openapi.json");
  return serve_asset(*document, call.request);
}

Response show_page(Service&, const Call& call) {
  const std::string_view path = call.request.path();
  if (const Asset* asset = find_asset(page_assets(), path)) return serve_asset(*asset, call.request);
  // Other paths are views of the page, which reads the path itself. Names of files that are not there are errors.
  const bool names_file =
      path.starts_with("/assets/") ||
      (path.find('.') != path.npos && call.request.accept.find("text/html") == call.request.accept.npos);
  const Asset* index = find_asset(page_assets(), "/index.html");
  if (index != nullptr && !names_file) return serve_asset(*index, call.request);
  if (index == nullptr && path == "/")
    return {.content_type = "text/plain; charset=utf-8",
            .body = "neardup: the web page was not built into this program. /openapi.json describes the service.\n"};
  throw Problem(ProblemCode::not_found, "no such path; /openapi.json lists them");
}

}  // namespace neardup::server
