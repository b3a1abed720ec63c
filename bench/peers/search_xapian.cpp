// Xapian's BM25 on the words that our folding gives. Built by bench/search.py where libxapian-dev is installed; nothing
// of the product links with it.
//
//   search_xapian speed WORDS QUERIES FOLDER [depth=1000, repeat=3, k1=, b=]
//   search_xapian rank WORDS QUERIES FOLDER OUT [depth=10, k1=, b=]    query, document, score a line; both count from 0
//
// WORDS and QUERIES hold a document or a query a line, words apart by a space; both are in memory before time is taken.
// No stems, no positions, no values, no document data; a database on disk that is never synced: all that could make
// Xapian slower than it must be is left out.
#include <time.h>
#include <xapian.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

template <class Use>
void for_each_word(const std::string& line, Use&& use) {
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end - begin <= 200) use(line.substr(begin, end - begin));  // terms have at most 245 bytes
    begin = end + 1;
  }
}

void build(const std::vector<std::string>& documents, const std::string& folder) {
  Xapian::WritableDatabase database(
      folder, Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS | Xapian::DB_BACKEND_GLASS);
  for (const std::string& line : documents) {
    Xapian::Document document;
    for_each_word(line, [&](const std::string& word) { document.add_term(word); });
    database.add_document(document);
  }
  database.commit();
}

struct Search {
  Xapian::Database database;
  Xapian::Enquire enquire;
  Search(const std::string& folder, double k1, double b) : database(folder), enquire(database) {
    // k2 and min_normlen 0, k3 so large that a word counts as often as the query has it: as near to ours as it goes.
    enquire.set_weighting_scheme(Xapian::BM25Weight(k1, 0, 1e6, b, 0));
    enquire.set_docid_order(Xapian::Enquire::ASCENDING);
  }
  Xapian::MSet ask(const std::string& line, unsigned depth) {
    std::map<std::string, unsigned> times;
    for_each_word(line, [&](const std::string& word) { ++times[word]; });
    std::vector<Xapian::Query> terms;
    for (const auto& [word, count] : times) terms.emplace_back(word, count);
    enquire.set_query(Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end()));
    return enquire.get_mset(0, depth);
  }
};

}  // namespace

int main(int count, char** arguments) {
  try {
    std::vector<std::string> paths;
    std::map<std::string, double> flags;
    for (int i = 2; i < count; ++i) {
      const std::string argument = arguments[i];
      const auto equals = argument.find('=');
      if (equals == argument.npos) {
        paths.push_back(argument);
      } else {
        flags[argument.substr(0, equals)] = std::stod(argument.substr(equals + 1));
      }
    }
    const auto flag = [&](const std::string& name, double otherwise) {
      return flags.count(name) != 0 ? flags[name] : otherwise;
    };
    const auto documents = lines_of(paths.at(0)), queries = lines_of(paths.at(1));
    const double started = cpu_seconds();
    build(documents, paths.at(2));
    const double index = cpu_seconds() - started;
    Search search(paths.at(2), flag("k1", 1.2), flag("b", 0.75));
    if (std::string_view(arguments[1]) == "rank") {
      std::FILE* out = std::fopen(paths.at(3).c_str(), "w");
      for (std::size_t query = 0; query < queries.size(); ++query) {
        const Xapian::MSet found = search.ask(queries[query], static_cast<unsigned>(flag("depth", 10)));
        for (auto hit = found.begin(); hit != found.end(); ++hit) {
          std::fprintf(out, "%zu\t%u\t%.9f\n", query, *hit - 1, hit.get_weight());
        }
      }
      std::fclose(out);
      return 0;
    }
    double asking = 1e9;
    std::uint64_t hits = 0, sum = 0;
    for (double repeat = 0; repeat < flag("repeat", 3); ++repeat) {
      hits = 0;
      const double begin = cpu_seconds();
      for (const std::string& query : queries) {
        const Xapian::MSet found = search.ask(query, static_cast<unsigned>(flag("depth", 1000)));
        for (auto hit = found.begin(); hit != found.end(); ++hit) sum += *hit;
        hits += found.size();
      }
      asking = std::min(asking, cpu_seconds() - begin);
    }
    std::printf(
        "{\"version\":\"%s\",\"documents\":%zu,\"index_cpu\":%.4f,\"queries_cpu\":%.4f,\"hits\":%llu,\"sum\":%llu}\n",
        Xapian::version_string(), documents.size(), index, asking, static_cast<unsigned long long>(hits),
        static_cast<unsigned long long>(sum));
  } catch (const Xapian::Error& error) {
    std::fprintf(stderr, "search_xapian: %s\n", error.get_description().c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "search_xapian: %s\n", error.what());
    return 2;
  }
}
