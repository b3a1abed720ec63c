"""Runs of the program that can be met at a stage: --progress always says on standard error which one begins."""
import os
import re
import subprocess

STAGE = re.compile(rb"\x1b\[K(\d+)/\d+ ")


class Run:
    """A process whose stages are read off its standard error."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen([*command, "--progress", "always"], stderr=subprocess.PIPE, **options)
        self.said = b""

    def stages(self):
        """The numbers of all stages said so far."""
        return sorted({int(number) for number in STAGE.findall(self.said)})

    def reaches(self, stage):
        """Waits for the stage, or for the end; whether it was the stage."""
        while stage not in self.stages():
            piece = os.read(self.process.stderr.fileno(), 65536)
            if not piece:
                return False
            self.said += piece
        return True

    def end(self):
        """Waits for the end. Returns the exit code."""
        out, rest = self.process.communicate()
        self.said += rest
        self.out = out
        return self.process.returncode
