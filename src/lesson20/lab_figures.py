"""Draws the records of `lesson20.studies`: one function a figure, a record in, a Figure out.

The house style is that of `figures`: what a line is stands beside it, in its hue, and no meaning
hangs on a colour alone. Any other record than the wanted one raises TypeError.
"""
