#include "base/guard.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace neardup::base {
namespace {

Error error_of(const std::function<void()>& body) {
  try {
    guarded(body);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::usage, "no error"};
}

TEST(Guarded, ReturnsWhatTheBodyReturns) {
  EXPECT_EQ(guarded([] { return 7; }), 7);
}

TEST(Guarded, LetsAnErrorThroughAsItIs) {
  const Error error = error_of([] { throw Error(ErrorCode::corrupt, "cut short", "format"); });
  EXPECT_EQ(error.code(), ErrorCode::corrupt);
  EXPECT_STREQ(error.what(), "cut short");
  EXPECT_EQ(error.option(), "format");
}

TEST(Guarded, CallsLackOfMemoryALimit) {
  const Error error = error_of([] { throw std::bad_alloc(); });
  EXPECT_EQ(error.code(), ErrorCode::limit);
  EXPECT_EQ(error.option(), "memory");
}

TEST(Guarded, CallsABugInternalAndNeverBadInput) {
  const Error error = error_of([] { throw std::out_of_range("vector::at"); });
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_STREQ(error.what(), "internal error: vector::at; please report it");
}

}  // namespace
}  // namespace neardup::base
