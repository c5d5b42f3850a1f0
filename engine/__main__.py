"""`python -m engine`: the command line."""

from engine.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
