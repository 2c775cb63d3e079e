"""The bytes by which a text file may say in which encoding it is."""

from __future__ import annotations

UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
