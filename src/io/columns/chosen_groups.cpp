#include "io/columns/chosen_groups.h"

#include "neardup/error.h"

namespace neardup::io {

void ChosenGroups::add(const RecordBatch& batch, std::span<const std::uint8_t> chosen,
                       std::span<const Annotation> annotations) {
  if (batch.source != source_) enter(*batch.source);
  is_annotated_ = !annotations.empty();
  for (std::size_t place = 0; place < batch.size(); ++place) {
    if (chosen[place] == 0) continue;
    const std::uint64_t row = batch.number(place) - 1;
    while (row >= first_row_ + rows_) next_group();
    const std::size_t at = row - first_row_;
    chosen_.resize(at + 1);
    chosen_[at] = 1;
    has_chosen_ = true;
    if (!is_annotated_) continue;
    annotations_.resize(at + 1);
    annotations_[at] = annotations[place];
  }
}

void ChosenGroups::enter(const Source& source) {
  flush();
  source_ = &source;
  file_ = std::make_unique<ColumnFile>(source, files_);
  group_ = 0;
  first_row_ = 0;
  rows_ = file_->groups() == 0 ? 0 : static_cast<std::uint64_t>(file_->group_rows(0));
}

void ChosenGroups::put_group() {
  if (has_chosen_) {
    chosen_.resize(rows_);
    if (is_annotated_) annotations_.resize(rows_);
    put_(*file_, group_, chosen_, annotations_);
  }
  chosen_.clear();
  annotations_.clear();
  has_chosen_ = false;
}

void ChosenGroups::next_group() {
  put_group();
  first_row_ += rows_;
  if (++group_ >= file_->groups()) throw Error(ErrorCode::input, file_->path() + ": it changed while it was read");
  rows_ = static_cast<std::uint64_t>(file_->group_rows(group_));
}

void ChosenGroups::flush() {
  put_group();
  source_ = nullptr;
  file_.reset();
}

}  // namespace neardup::io
