"""Lesson 20, sequences and memory: the recurrent cell, blame through time, the LSTM.

The author's two functions stand here. Everything else has its own module: `rnn`, `blame`, `lstm`,
`gradient_check`, `agreement`, `experiments`, `exercises`; and for the labs `training`, `grammar`,
`units`, `tasks`, `studies`, `records`.
"""

from lesson20.agreement import cell
from lesson20.blame import influence

__all__ = ["__version__", "cell", "influence"]
__version__ = "1.0.0"
