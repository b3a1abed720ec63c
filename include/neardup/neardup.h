// All of neardup in one include.
//
// Where to begin: dedup.h is the main job, on files or on documents in memory (collection.h). A service, a language
// binding or a distributed job builds on the headers below it, in the order of the data flow: definition.h says what a
// near-duplicate is, sketch.h turns documents into numbers, join.h and hamming.h find pairs, similarity.h scores one
// pair, cluster.h builds clusters. All of them use error.h, context.h (with memory.h and threads.h) and pair.h.
#pragma once

#include "neardup/arrow.h"
#include "neardup/authority.h"
#include "neardup/choice.h"
#include "neardup/clean.h"
#include "neardup/cluster.h"
#include "neardup/collection.h"
#include "neardup/compare.h"
#include "neardup/context.h"
#include "neardup/dedup.h"
#include "neardup/definition.h"
#include "neardup/document.h"
#include "neardup/error.h"
#include "neardup/features.h"
#include "neardup/files.h"
#include "neardup/fingerprint.h"
#include "neardup/hamming.h"
#include "neardup/index.h"
#include "neardup/join.h"
#include "neardup/match.h"
#include "neardup/memory.h"
#include "neardup/pair.h"
#include "neardup/pairs.h"
#include "neardup/remote.h"
#include "neardup/report.h"
#include "neardup/report_page.h"
#include "neardup/shuffle.h"
#include "neardup/similarity.h"
#include "neardup/sketch.h"
#include "neardup/temporary.h"
#include "neardup/text_rules.h"
#include "neardup/threads.h"
#include "neardup/version.h"
#include "neardup/why.h"
