#include "/work/trees/build/src/pairs/definition.cpp"
#include "/work/trees/build/src/pairs/list_pairs.cpp"
#include "/work/trees/build/src/pairs/record.cpp"
#include "/work/trees/build/src/pairs/search.cpp"
