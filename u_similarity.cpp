#include "/work/trees/build/src/similarity/definition.cpp"
#include "/work/trees/build/src/similarity/edit_distance.cpp"
#include "/work/trees/build/src/similarity/verifier.cpp"
