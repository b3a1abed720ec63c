#include "io/formats/http_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "support.h"

namespace neardup::test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMost = 1u << 20;

struct Read {
  std::string status, type, body;
  bool readable = true;
};

Read read_http(const std::string& message) {
  io::HttpReader reader(kMost);
  io::HttpResponse response;
  EXPECT_EQ(reader.read(message, response), nullptr);
  return {std::string(response.status), std::string(response.content_type), std::string(response.body),
          response.readable};
}

std::string body(const std::string& headers, const std::string& bytes) {
  return read_http("HTTP/1.1 200 OK\r\n" + headers + "\r\n" + bytes).body;
}

std::string deflated(const std::string& bytes, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string kGzip = "Content-Encoding: gzip\r\n", kChunked = "Transfer-Encoding: chunked\r\n";

TEST(HttpBody, IsWhatFollowsTheHeaders) {
  const Read read = read_http("HTTP/1.0 404 Not Found\r\nCONTENT-type:  text/plain \r\n\r\nsorry\r\n");
  EXPECT_EQ(read.status, "404");
  EXPECT_EQ(read.type, "text/plain");
  EXPECT_EQ(read.body, "sorry\r\n");
}

TEST(HttpBody, IsEverythingWhereThereAreNoHeaders) { EXPECT_EQ(read_http("<html>").body, "<html>"); }

TEST(HttpBody, HeadersMayBeCutOffAndLineEndsBare) {
  EXPECT_EQ(read_http("HTTP/1.1 200 OK\r\nContent-Ty").body, "");
  EXPECT_EQ(read_http("HTTP/1.1 200 OK\nContent-Type: text/html\n\nx").body, "x");
  EXPECT_EQ(read_http("HTTP/").status, "");
}

TEST(HttpBody, ALengthThatLiesDoesNotMatter) {
  for (const char* length : {"0", "2", "99999999999999999999", "-1", "x"}) {
    EXPECT_EQ(body(std::string("Content-Length: ") + length + "\r\n", "words"), "words") << length;
  }
}

TEST(HttpBody, ChunksAreJoined) {
  EXPECT_EQ(body(kChunked, "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), "abcde");
  EXPECT_EQ(body(kChunked, "A\r\n0123456789\r\n"), "0123456789");
  EXPECT_EQ(body(kChunked, "5\r\nab"), "ab");
}

TEST(HttpBody, WrongChunksAreTakenAsTheyStand) {
  EXPECT_EQ(body(kChunked, "<p>not chunked\nat all"), "<p>not chunked\nat all");
  EXPECT_EQ(body(kChunked, "3\r\nabc\r\nrest of it"), "abcrest of it");
  EXPECT_EQ(body(kChunked, "ffffffffffffffffff\r\nabc"), "ffffffffffffffffff\r\nabc");
  EXPECT_EQ(body(kChunked, "fffffffffffffff0\r\nabc"), "abc");
  EXPECT_EQ(body(kChunked, ""), "");
}

TEST(HttpBody, ContentEncodingsAreUndone) {
  const std::string text = "some words, some words";
  EXPECT_EQ(body(kGzip, encode(".gz", text)), text);
  EXPECT_EQ(body("Content-Encoding: X-GZIP\r\n", encode(".gz", "some words, ") + encode(".gz", "some words")), text);
  EXPECT_EQ(body("Content-Encoding: deflate\r\n", deflated(text, 15)), text);
  EXPECT_EQ(body("Content-Encoding: deflate\r\n", deflated(text, -15)), text);
  EXPECT_EQ(body("Content-Encoding: br\r\n", std::string("\x0b\x02\x80words\x03", 9)), "words");
}

TEST(HttpBody, EncodingsAreUndoneFromTheLastToTheFirst) {
  const std::string twice = deflated(encode(".gz", "words"), 15);
  EXPECT_EQ(body("Content-Encoding: gzip, deflate\r\n", twice), "words");
  EXPECT_EQ(body("Content-Encoding: gzip\r\nContent-Encoding: deflate\r\n", twice), "words");
  EXPECT_EQ(body("Content-Encoding: identity\r\n", "words"), "words");
}

TEST(HttpBody, GzipMayComeInChunks) {
  const std::string packed = encode(".gz", "words");
  const std::string chunks = "5\r\n" + packed.substr(0, 5) + "\r\n14\r\n" + packed.substr(5) + "\r\n0\r\n\r\n";
  EXPECT_EQ(packed.size(), 25u);
  EXPECT_EQ(body(kGzip + kChunked, chunks), "words");
}

TEST(HttpBody, WhatWasUnpackedAlreadyIsTakenAsItStands) {
  EXPECT_EQ(body(kGzip, "<p>plain"), "<p>plain");
  EXPECT_EQ(body("Content-Encoding: br\r\n", "<p>plain"), "<p>plain");
  EXPECT_EQ(body(kGzip, ""), "");
}

TEST(HttpBody, OfDamagedDataThePartBeforeTheDamageIsRead) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i * 7919) + " ";
  const std::string packed = encode(".gz", text);
  const std::string part = body(kGzip, packed.substr(0, packed.size() / 2));
  EXPECT_GT(part.size(), 100u);
  EXPECT_TRUE(text.starts_with(part));
}

TEST(HttpBody, AnEncodingThatIsNotKnownIsSaid) {
  EXPECT_FALSE(read_http("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n....").readable);
  EXPECT_FALSE(read_http("HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip,gzip,gzip\r\n\r\n....").readable);
  EXPECT_TRUE(read_http("HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\n\r\n....").readable);
}

TEST(HttpBody, ABombIsCut) {
  io::HttpReader reader(1000);
  io::HttpResponse response;
  const std::string bomb = "HTTP/1.1 200 OK\r\n" + kGzip + "\r\n" + encode(".gz", std::string(100'000, 'x'));
  EXPECT_THAT(reader.read(bomb, response), HasSubstr("more than 1000 bytes"));
}

}  // namespace
}  // namespace neardup::test
