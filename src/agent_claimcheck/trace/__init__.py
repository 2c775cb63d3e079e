"""The record of a run, and how it is read and written.

The way through: ``paths`` finds the files, ``streams`` cuts them into lines, ``decode`` makes a ``Trace`` of a healthy line and
``diagnose`` says what is wrong with another, ``view`` takes the labels off, ``pairing`` tells which result answers which call.
"""
