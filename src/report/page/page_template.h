// The page without its data. cmake/report_page.cmake puts it together from assets/ when the program is built.
#pragma once

#include <string_view>

namespace neardup::report {

std::string_view page_before_data();
std::string_view page_after_data();

}  // namespace neardup::report
