"""`metrics: [{type: gauc, group_by: user_id}]`."""

import re
from typing import Annotated, ClassVar

from recplat.lang import kinds
from recplat.lang.fields import Column, doc


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="gauc"):
    """Grouped AUC: the AUC within each user, or another group, averaged with the groups' rows as weights.

    It says how well each user's rows are ordered, whatever the scores of different users are to each other. Groups
    whose rows are all of one class are left out; undefined where none is left. It is named after the column:
    `gauc_user_id`.
    Source: Zhou et al., "Deep Interest Network", KDD 2018.
    """

    higher_is_better: ClassVar[bool | None] = True

    group_by: Annotated[Column, doc("The column whose distinct values are the groups.", "user_id")]

    def metric_name(self) -> str:
        # MLflow takes letters, digits and a few signs in a name, gates fewer.
        return "gauc_" + re.sub(r"[^A-Za-z0-9_]", "_", self.group_by)

    def group_column(self) -> str | None:
        return self.group_by
