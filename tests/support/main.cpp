// The tests ask for more threads than a small machine has cores, and mean it. The library changes nothing of its
// process, so the test programs raise the limit themselves.
#include <gmock/gmock.h>
#include <tbb/global_control.h>

int main(int count, char** arguments) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 16);
  testing::InitGoogleMock(&count, arguments);
  return RUN_ALL_TESTS();
}
