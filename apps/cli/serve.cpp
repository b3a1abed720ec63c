// neardup serve: an index as an HTTP service with a web page.
#include "server/serve.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>

#include "console.h"
#include "flags.h"
#include "neardup/error.h"
#include "neardup/files.h"
#include "session.h"
#include "verbs.h"
#include "words.h"

namespace neardup::cli {
namespace {

const VerbText kText{
    .name = "serve",
    .summary = "answer requests about an index over HTTP, with a web page",
    .examples =
        {
            "neardup serve --demo                              a small index of this machine's copyright files",
            "neardup index create seen && neardup serve seen   http://127.0.0.1:8765/ has the page",
            "curl -d 'some text' -H 'Content-Type: text/plain' 'localhost:8765/v1/check-or-add?id=a'",
            "neardup serve seen --durability batch --access-log access.jsonl",
            "neardup serve seen --listen 0.0.0.0:8765 --tokens tokens.txt --cert cert.pem --key key.pem",
        },
    .arguments = "DIR",
    .needs = "DIR: the folder of an index (neardup index create), or --demo",
};

struct ServeFlags {
  std::vector<std::string> folders;
  server::ServeOptions options;
  RunFlags run;
  std::string access_log = "-";
  bool demo = false;
};

void add_server_flags(CLI::App& app, ServeFlags& flags) {
  server::ServeOptions& options = flags.options;
  add_value(app, kServiceGroup,
            {"--listen", "ADDRESS:PORT", "Where to listen; port 0 takes a free one", options.listen},
            [&](const std::string& value) { options.listen = value; });
  add_value(app, kServiceGroup,
            {"--durability", "WHEN",
             "When a change is acknowledged: sync (it survives a loss of power) or batch (it survives the end of the "
             "process, and a loss of power after at most a second)",
             to_string(options.durability), names_of(durability_choices())},
            [&](const std::string& value) { options.durability = parse_durability(value); });
  add_value(app, kServiceGroup,
            {"--tokens", "FILE",
             "Require a token: a line each with read, write or admin, and the SHA-256 of the token in hexadecimal"},
            [&](const std::string& value) { options.tokens_file = value; });
  add_value(app, kServiceGroup, {"--cert", "FILE", "Certificate chain for TLS (PEM)"},
            [&](const std::string& value) { options.certificate_file = value; });
  add_value(app, kServiceGroup, {"--key", "FILE", "Private key for TLS (PEM)"},
            [&](const std::string& value) { options.key_file = value; });
  add_switch(
      app, kServiceGroup, "--insecure-listen",
      "Listen on other addresses than loopback without TLS: anybody on the network can read tokens and documents",
      options.allow_plain);
  add_list(app, kServiceGroup,
           {"--allow-host", "NAME", "Accept requests for this host name, besides IP addresses and localhost"},
           [&](const Words& names) { options.hosts = names; });
  add_value(app, kServiceGroup,
            {"--access-log", "FILE", "Append a JSON line per request to FILE; - is standard error, off is none", "-"},
            [&](const std::string& value) { flags.access_log = value; });
  add_value(app, kServiceGroup,
            {"--max-body", "SIZE", "Largest body of a request, decompressed",
             fmt::format("{}M", options.max_body_bytes >> 20)},
            [&](const std::string& value) { options.max_body_bytes = parse_bytes("--max-body", value); });
  add_value(app, kServiceGroup,
            {"--max-connections", "N", "Connections at the same time; further ones get status 503",
             fmt::format("{}", options.max_connections)},
            [&](const std::string& value) { options.max_connections = parse_positive("--max-connections", value); });
  add_value(app, kServiceGroup,
            {"--max-waiting", "N", "Requests that may wait for a thread; further ones get status 503",
             fmt::format("{}", options.max_waiting)},
            [&](const std::string& value) { options.max_waiting = parse_positive("--max-waiting", value); });
  add_switch(app, kServiceGroup, "--demo",
             "Serve a small index of this machine's copyright files, in a temporary folder", flags.demo);
}

App command_line(ServeFlags& flags) {
  auto app = make_app(kText);
  add_arguments(*app, "DIR", flags.folders);
  add_server_flags(*app, flags);
  add_run_flags(*app, flags.run);
  return app;
}

VerbDescription describe() {
  ServeFlags flags;
  return cli::describe(*command_line(flags), kText);
}

// A folder that is removed at the end.
class DemoFolder {
 public:
  explicit DemoFolder(const Context& context)
      : files_(context.files != nullptr ? *context.files : system_files()),
        path_(files_.make_temp_folder(context.temp_folder.empty() ? "/tmp" : context.temp_folder, "neardup-demo-")) {}
  ~DemoFolder() { files_.remove_all(path_); }
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;
  [[nodiscard]] std::filesystem::path index() const { return path_ / "index"; }

 private:
  FileSystem& files_;
  std::filesystem::path path_;
};

server::ServeOutput output_of(const ServeFlags& flags) {
  server::ServeOutput output;
  const std::string where = flags.demo ? "this machine's copyright files" : flags.options.folder.string();
  output.ready = [where](std::string_view url) {
    print_note(fmt::format("serving {} at {} (Ctrl-C ends it)\n", where, url));
  };
  output.failure = [](std::string_view text) { print_error(text); };
  if (flags.access_log == "-") {
    if (!flags.run.quiet) output.log = [](std::string_view lines) { print_note(lines); };
  } else if (flags.access_log != "off") {
    const std::shared_ptr<OutputFile> file = system_files().append(flags.access_log);
    output.log = [file](std::string_view lines) { file->write({lines.data(), lines.size()}); };
  }
  return output;
}

int run(const Arguments& arguments) {
  ServeFlags flags;
  const auto app = command_line(flags);
  if (!parse(*app, kText, arguments)) return kDone;
  if (flags.folders.size() != (flags.demo ? 0 : 1))
    usage(fmt::format("serve needs {}; {}", kText.needs, flags.demo ? "--demo needs no folder" : "more are given"));
  flags.run.check();
  if (!flags.demo) flags.options.folder = flags.folders.front();
  flags.options.validate();

  Session session(flags.run);
  std::optional<DemoFolder> demo;
  if (flags.demo) {
    demo.emplace(session.context());
    flags.options.folder = demo->index();
    server::make_demo_index(flags.options.folder, session.context());
    session.end_progress();
  }
  server::serve(flags.options, output_of(flags), session.context());
  return kDone;
}

}  // namespace

const Verb kServe{kText, describe, run};

}  // namespace neardup::cli
