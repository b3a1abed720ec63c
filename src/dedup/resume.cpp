#include "dedup/resume.h"

namespace neardup::dedup {

Resume::Resume(const Collection& collection, const Collection* against, const DedupOptions& options,
               const Context& context) {
  if (!options.output.resume || options.output.path.empty() || options.output.dry_run) return;
  checkpoint_.emplace(options.output.path, run_identity(collection, against, options, context),
                      options.output.overwrite, context);
}

}  // namespace neardup::dedup
