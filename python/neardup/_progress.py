"""Progress of long calls, by tqdm where it is installed."""

from __future__ import annotations

import sys
from typing import Any


class Bar:
    """Shows the stages of a call, one bar after another: tqdm's, else plain lines on standard error."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._tqdm: Any = None
        else:
            self._tqdm = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int, unit: str) -> None:
        """Show where the call is."""
        if stage != self._stage:
            self.close()
            self._stage = stage
            if self._tqdm is None:
                print(f"neardup: {stage}", file=sys.stderr)
            else:
                scaled = unit == "bytes"
                self._bar = self._tqdm(
                    total=total or None, desc=stage, unit="B" if scaled else f" {unit}", unit_scale=True, leave=False
                )
        if self._bar is not None:
            self._bar.total = total or None
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """End the bar that is shown."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
