"""Operations of the library, each looked up once."""

import functools

from . import _ndforge

operation = functools.cache(_ndforge.function)
