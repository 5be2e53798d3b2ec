#!/usr/bin/env python3
"""Kills a training run again and again, and compares its end with that of a run that was left alone.

resume.py NETWORK dense|convolutional
"""

import pathlib
import re
import shutil
import subprocess
import sys
import time

EPOCHS = 12
LEAST = {"dense": 95.0, "convolutional": 97.0}


def command(program, kind, folder):
    return [program, kind, "--epochs", str(EPOCHS), "--folder", str(folder)]


def main(program, kind):
    left_alone, killed = pathlib.Path(f"network_{kind}_left_alone"), pathlib.Path(f"network_{kind}_killed")
    for folder in (left_alone, killed):
        shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(command(program, kind, left_alone), stdout=subprocess.PIPE, text=True, timeout=300, check=False)
    print(done.stdout)
    if "this build has no" in done.stdout:
        return 77
    if done.returncode != 0:
        return 1
    accuracy = float(re.search(r"accuracy: ([0-9.]+) %", done.stdout).group(1))
    if accuracy < LEAST[kind]:
        print(f"{accuracy} % of the held-out digits are right, not {LEAST[kind]} %")
        return 1
    kills = 0
    # Each run gets as far as its next checkpoint, or a bit further.
    for _ in range(3 * EPOCHS):
        before = (killed / "network.npz").stat().st_mtime_ns if (killed / "network.npz").exists() else 0
        run = subprocess.Popen(command(program, kind, killed), stdout=subprocess.PIPE, text=True)
        while run.poll() is None:
            time.sleep(0.001)
            if (killed / "network.npz").exists() and (killed / "network.npz").stat().st_mtime_ns != before:
                run.kill()
                kills += 1
                break
        run.communicate(timeout=300)
        if run.returncode == 0:
            break
    else:
        print("the run did not come to its end")
        return 1
    print(f"killed {kills} times")
    if kills == 0:
        print("the run was never killed")
        return 1
    for name in ("network.npz", "network_losses.npy", "confusion.svg", "loss.svg"):
        if (left_alone / name).read_bytes() != (killed / name).read_bytes():
            print(f"{name} is another one")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
