#include "serve.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>

#include "neardup/error.h"
#include "neardup/files.h"
#include "neardup/threads.h"
#include "query.h"
#include "server.h"

namespace neardup::server {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

struct Endpoint {
  std::string address;
  std::uint16_t port = 0;
  bool is_loopback = false;
  [[nodiscard]] std::string url(bool is_tls, std::uint16_t actual_port) const {
    const bool is_six = address.find(':') != address.npos;
    return fmt::format("{}://{}{}{}:{}/", is_tls ? "https" : "http", is_six ? "[" : "", address, is_six ? "]" : "",
                       actual_port);
  }
};

Endpoint parse_endpoint(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  const auto port = colon == listen.npos ? std::nullopt : parse_decimal(std::string_view(listen).substr(colon + 1));
  constexpr std::uint64_t kMostPort = 65535;
  if (!port || *port > kMostPort) refuse(fmt::format("--listen {}: expected ADDRESS:PORT", listen));
  Endpoint endpoint{.address = listen.substr(0, colon), .port = static_cast<std::uint16_t>(*port)};
  std::string& address = endpoint.address;
  if (address == "localhost") address = "127.0.0.1";
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) {
    endpoint.is_loopback = (ntohl(four.s_addr) >> 24) == 127;
  } else if (inet_pton(AF_INET6, address.c_str(), &six) == 1) {
    endpoint.is_loopback = IN6_IS_ADDR_LOOPBACK(&six) != 0;
  } else {
    refuse(fmt::format("--listen {}: expected an IP address or localhost before the port", listen));
  }
  return endpoint;
}

std::string read_small_file(FileSystem& files, const std::string& path) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  const std::unique_ptr<InputFile> file = files.open(path);
  std::string text;
  std::vector<char> piece(std::size_t{16} << 10);
  for (std::size_t size = file->read(piece); size != 0; size = file->read(piece)) {
    text.append(piece.data(), size);
    if (text.size() > kMost) refuse(fmt::format("{}: too large for a file of this kind", path));
  }
  return text;
}

// Every connection is an open file; so are those of the index.
void allow_open_files(std::size_t connections) {
  constexpr rlim_t kOthers = 4096;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, connections + kOthers);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

ServerOptions server_options(const ServeOptions& options, const Endpoint& endpoint, FileSystem& files) {
  const unsigned cores = default_threads();
  ServerOptions out{.address = endpoint.address, .port = endpoint.port};
  if (!options.certificate_file.empty()) {
    out.certificate = read_small_file(files, options.certificate_file);
    out.key = read_small_file(files, options.key_file);
  }
  out.connections = options.max_connections;
  out.io_threads = std::max(1u, cores / 4);
  out.pool.document_threads = std::max(2u, cores);
  out.pool.slow_threads = std::max(2u, cores);
  out.pool.queue = options.max_waiting;
  return out;
}

}  // namespace

void ServeOptions::validate() const {
  const Endpoint endpoint = parse_endpoint(listen);
  if (certificate_file.empty() != key_file.empty()) refuse("--cert and --key are needed together");
  if (endpoint.is_loopback) return;
  if (tokens_file.empty())
    refuse(fmt::format("--listen {}: other machines can reach this address, so --tokens FILE is needed", listen));
  if (certificate_file.empty() && !allow_plain)
    refuse(
        fmt::format("--listen {}: --cert and --key are needed (or --insecure-listen: then anybody on the network can "
                    "read tokens and documents)",
                    listen));
}

void serve(const ServeOptions& options, const ServeOutput& output, const Context& context) {
  options.validate();
  FileSystem& files = context.files != nullptr ? *context.files : system_files();
  const Endpoint endpoint = parse_endpoint(options.listen);
  Tokens tokens;
  if (!options.tokens_file.empty()) tokens = Tokens(read_small_file(files, options.tokens_file), options.tokens_file);
  const ServerOptions server = server_options(options, endpoint, files);
  const bool is_tls = !server.certificate.empty();
  const Guard guard(std::move(tokens), options.hosts, is_tls ? "https" : "http");
  allow_open_files(options.max_connections);

  // A stop request ends the service, not the calls that it waits for.
  Context calls = context;
  calls.stop = {};
  calls.observer = nullptr;
  constexpr unsigned kSpare = 8;
  calls.arena =
      std::make_shared<ThreadArena>(context.threads, server.pool.document_threads + server.pool.slow_threads + kSpare);
  Index index = Index::open(options.folder, {.durability = options.durability}, calls);
  AccessLog log(output.log);
  Service service(index, options.folder, options.durability, {.body_bytes = options.max_body_bytes}, calls,
                  output.failure);
  Server listener(service, guard, log, server);
  output.ready(endpoint.url(is_tls, listener.port()));
  listener.run(context.stop);
}

}  // namespace neardup::server
