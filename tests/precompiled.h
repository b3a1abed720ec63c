// What nearly every test includes, read once for all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "../cmake/precompiled.h"
