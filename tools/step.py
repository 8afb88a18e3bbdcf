"""Run one step of a make target: one line says what it does, and its output appears only if it fails.

    python tools/step.py "Building the web app" -- npm run build -w web

The command writes into a file and never to the terminal, so that nothing it draws there (progress
bars, spinners) depends on what kind of terminal that is, or on whether there is one.

Standard library only: this runs before anything is installed.
"""

import subprocess
import sys
import tempfile
import time

SHOWN_LINES = 60  # of a failed command's output


def run(title: str, command: list[str]) -> int:
    print(f"  {title}…", end="", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
            )
            code = done.returncode
        except OSError as error:
            output.write(str(error).encode())
            code = 127
        except KeyboardInterrupt:
            code = 130
        seconds = time.monotonic() - began
        if code == 0:
            print(f" {seconds:.0f} s", flush=True)
            return 0
        print(" interrupted" if code == 130 else " failed", flush=True)
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").splitlines()
    if code != 130:
        print("\n".join(lines[-SHOWN_LINES:]), file=sys.stderr, flush=True)
    return code if code > 0 else 1


def main(arguments: list[str]) -> int:
    match arguments:
        case [title, "--", *command] if command:
            return run(title, command)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
