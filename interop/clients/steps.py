"""How a script tells the run what it is about to do."""

import sys


def step(name):
    print(f"step {name}", flush=True)


def pause():
    """Returns when every token that was handed out has expired."""
    print("pause", flush=True)
    sys.stdin.readline()
