"""Announces a script's next step to the run."""

import sys


def step(name):
    print(f"step {name}", flush=True)


def pause():
    """Returns once every issued token has expired."""
    print("pause", flush=True)
    sys.stdin.readline()
