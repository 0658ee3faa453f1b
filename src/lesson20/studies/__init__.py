"""The long experiments of the labs: settings and seeds in, a record of plain arrays out.

`experiments` keeps the quick ones. Each study here is made of independent pieces, one net and one
seed each, so that a run can be interrupted and taken up again. Training is chaotic: the last digit
of a weight changes which unit a net chooses. So the conclusions count seeds, with room, and never
name a unit, an exact number or the step of a success.
"""

from lesson20.studies.agreement import AGREEMENT, NUMBER_UNIT
from lesson20.studies.clipping import CLIPPING
from lesson20.studies.dilemma import DILEMMA
from lesson20.studies.recall import BLAME_BY_DISTANCE, FORGET_BIAS
from lesson20.studies.stream import FORGET_GATE
from lesson20.studies.study import Conclusion, Study

__all__ = ["STUDIES", "Conclusion", "Study"]

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        AGREEMENT,
        NUMBER_UNIT,
        FORGET_BIAS,
        CLIPPING,
        BLAME_BY_DISTANCE,
        DILEMMA,
        FORGET_GATE,
    )
}
