"""The benchmark generator: labelled agent runs made by playing scripts against small simulated environments.

A reader must not miss: a label is never written down by the script that plays a run. It is read off the state of the
environment at the end, and a script that did not reach the state its kind promises raises an error.
"""
