"""The spec, typed, in its normal form: every default written out, one way to write each thing.

This file, `data_types.py` and the catalog's `options.py` files are the one place where a field is defined. The JSON
Schemas, the builder, the normaliser and the reference are made from them.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType, field

from recplat.lang.fields import (
    AUTHORING_ONLY,
    Bytes,
    Count,
    Duration,
    Index,
    Name,
    Path,
    Positive,
    Seed,
    default,
    doc,
    looks_like,
    renamed_from,
)
from recplat.lang.kinds import (
    DenseOptimizer,
    EmbeddingOptimizer,
    Feature,
    Initializer,
    Metric,
    Model,
    Schedule,
    ShardingType,
    Toggle,
)
from recplat.spec.data_types import Data as Data
from recplat.spec.data_types import Label as Label
from recplat.spec.data_types import Section as Section
from recplat.spec.data_types import Source as Source
from recplat.spec.data_types import SplitColumn as SplitColumn
from recplat.spec.data_types import SplitRandom as SplitRandom
from recplat.spec.data_types import SplitTime as SplitTime

API_VERSION = "recplat.io/v1alpha1"


class Toggles(dict[str, Toggle]):
    """`optimizations`: one entry for each folder of `catalog/toggles`, the key being its name."""


class Metadata(Section, frozen=True, kw_only=True):
    name: Annotated[
        str,
        doc(
            "Name of the job; names the run, its folder and cluster objects.",
            "ml100k-dlrm",
            pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?\Z",
            max_length=63,
        ),
        looks_like("lower-case letters, digits and `-`, none at the ends"),
    ]
    labels: Annotated[
        dict[str, str],
        doc("Labels, copied to the MLflow run's tags and to cluster objects.", {"team": "search"}),
    ] = field(default_factory=dict)
    annotations: Annotated[
        dict[str, str],
        doc("Notes for tools; recplat keeps them and reads none.", {"example.com/ticket": "ML-12"}),
    ] = field(default_factory=dict)


# --- tables ---


class Table(Section, frozen=True, kw_only=True):
    name: Annotated[Name, doc("Name; features look it up by naming it in `table`.", "item_id")]
    rows: Annotated[
        Annotated[int, Meta(ge=1, le=2**40)] | None,
        doc("Rows. By default as many as its features' transforms need; more leaves room to grow.", 1_000_000),
    ] = None
    dim: Annotated[int, doc("Columns of an embedding.", 16, ge=1, le=4096)] = 16
    dtype: Annotated[Literal["fp32", "fp16"], doc("Type of the stored weights.")] = "fp32"
    initializer: Annotated[Initializer, doc("Initial weights.", "normal"), default("normal")]
    optimizer: Annotated[
        EmbeddingOptimizer | None, doc("Optimiser of this table; by default `train.embedding_optimizer`.", "sgd")
    ] = None
    learning_rate: Annotated[Positive | None, doc("Learning rate of this table in place of its optimiser's.", 0.01)] = (
        None
    )


# --- training ---

_RATES = (
    "it belongs to an optimiser, of which there are two: write `dense_optimizer: {type: adam, learning_rate: …}`, and "
    "`embedding_optimizer` likewise for the tables"
)


class EarlyStop(Section, frozen=True, kw_only=True):
    patience: Annotated[int, doc("Evaluations without a better `evaluate.best` before training ends.", ge=1)] = 2
    min_delta: Annotated[float, doc("Least change that counts as better.", ge=0)] = 0.0


class Checkpoint(Section, frozen=True, kw_only=True):
    every_steps: Annotated[Count | None, doc("Steps between checkpoints; by default one at each evaluation.", 5000)] = (
        None
    )
    keep: Annotated[int, doc("Complete checkpoints kept, the best one aside.", ge=1)] = 2


class Train(Section, frozen=True, kw_only=True):
    #: Keys that people try here: name -> what to write instead.
    refused: ClassVar[Mapping[str, str]] = {
        "optimizer": "there are two: write `dense_optimizer` for the dense part, `embedding_optimizer` for the tables",
        "learning_rate": _RATES,
        "lr": _RATES,
    }

    batch_size: Annotated[int, doc("Rows of a step over all ranks.", 4096, ge=1, le=2**24)] = 2048
    epochs: Annotated[int, doc("Passes over the training rows.", 3, ge=1, le=100_000)] = 1
    max_steps: Annotated[Count | None, doc("Steps after which training ends, whatever `epochs` says.", 10_000)] = None
    dense_optimizer: Annotated[DenseOptimizer, doc("Optimiser of the dense part.", "adam"), default("adam")]
    embedding_optimizer: Annotated[
        EmbeddingOptimizer, doc("Optimiser of the tables.", "row_wise_adagrad"), default("row_wise_adagrad")
    ]
    schedule: Annotated[
        Schedule,
        doc("Learning rate over time, for dense and embedding optimisers alike.", "constant"),
        default("constant"),
    ]
    clip_grad_norm: Annotated[
        Positive | None, doc("Largest norm of the dense gradient; it is scaled down to it.", 1.0)
    ] = None
    seed: Annotated[Seed, doc("Seed of initial weights, dropout and shuffling.")] = 0
    early_stop: Annotated[
        EarlyStop | None, doc("End when evaluation no longer improves; off by default.", {"patience": 2})
    ] = None
    checkpoint: Annotated[Checkpoint, doc("When checkpoints are written and how many stay.", {"keep": 2})] = (
        Checkpoint()
    )


# --- sharding, resources, tracking, evaluation ---


class TableSharding(Section, frozen=True, kw_only=True):
    type: Annotated[ShardingType | None, doc("Sharding type; chosen by the planner by default.", "row_wise")] = None
    rank: Annotated[Index | None, doc("Rank that holds a table-wise table; chosen by default.", 0)] = None


class Sharding(Section, frozen=True, kw_only=True):
    tables: Annotated[
        dict[Name, TableSharding], doc("Constraints by table name.", {"item_id": {"type": "row_wise"}})
    ] = field(default_factory=dict)
    hbm_per_rank: Annotated[
        Bytes | None, doc("Memory of a rank's accelerator; by default the machine's own, where it is known.")
    ] = None
    host_memory_per_rank: Annotated[
        Bytes | None, doc("Host memory of a rank; by default the machine's, divided by its ranks.")
    ] = None


class Resources(Section, frozen=True, kw_only=True):
    device: Annotated[Literal["auto", "cpu", "cuda"], doc("`auto`: CUDA where a GPU is there, else the CPU.")] = "auto"
    nodes: Annotated[int, doc("Machines.", ge=1, le=4096)] = 1
    ranks_per_node: Annotated[
        int, doc("Processes on each machine; one GPU each with CUDA.", 8, ge=1, le=64), renamed_from("procs_per_node")
    ] = 1
    cpus_per_rank: Annotated[
        Count | None, doc("CPU threads of a rank; by default the machine's cores divided by its ranks.", 4)
    ] = None
    time_limit: Annotated[Duration | None, doc("Longest time a run may take; it then ends as FAILED.", "6h")] = None


class Tracking(Section, frozen=True, kw_only=True):
    uri: Annotated[
        str | None,
        doc("MLflow tracking URI; by default a SQLite store under `.recplat/` of the project.", "http://mlflow:5000"),
    ] = None
    experiment: Annotated[str | None, doc("MLflow experiment; by default `metadata.name`.", "ranking")] = None
    run_name: Annotated[str | None, doc("Name of the run; by default `metadata.name`.", "baseline")] = None
    tags: Annotated[dict[str, str], doc("Tags of the run.", {"team": "search"})] = field(default_factory=dict)


class Evaluate(Section, frozen=True, kw_only=True):
    metrics: Annotated[
        tuple[Metric, ...],
        doc("Metrics.", ["auc", "logloss"]),
        default(["auc", "logloss", "ne", "calibration", "accuracy"]),
    ]
    best: Annotated[str, doc("Metric that chooses the best checkpoint; that one is tested.", "auc")] = "auc"
    every_steps: Annotated[Count | None, doc("Steps between evaluations; by default once an epoch.", 5000)] = None
    batch_size: Annotated[int, doc("Rows of an evaluation step over all ranks.", ge=1)] = 8192
    gates: Annotated[
        tuple[str, ...],
        doc("Conditions on test metrics; a run that misses one ends with exit code 3.", ["auc >= 0.78"]),
    ] = ()


class Spec(Section, frozen=True, kw_only=True):
    catalog: Annotated[
        tuple[Path, ...],
        doc("Folders with your own models, features or toggles, laid out like `recplat/catalog`.", ["./catalog"]),
    ] = ()
    data: Annotated[
        Data,
        doc(
            "Where rows come from, how they are divided, what is predicted.",
            {"source": {"path": "clicks.parquet"}, "split": {"by": "random"}, "label": {"column": "clicked"}},
        ),
    ]
    features: Annotated[
        tuple[Feature, ...],
        doc(
            "Inputs of the model.",
            [{"name": "user_id", "type": "categorical", "dim": 16}],
            min_length=1,
            max_length=100_000,
        ),
    ]
    tables: Annotated[
        tuple[Table, ...],
        doc("Embedding tables; one for each feature that names none.", [{"name": "item_id", "dim": 32}]),
    ] = ()
    model: Annotated[Model, doc("The dense part.", {"type": "dlrm"})]
    train: Annotated[Train, doc("How it is trained.", {"batch_size": 4096, "epochs": 3}), default({})]
    sharding: Annotated[Sharding, doc("Where tables lie.", {"hbm_per_rank": "80GiB"})] = Sharding()
    optimizations: Annotated[
        Toggles,
        doc("One key per toggle: `auto`, `true`, `false` or its options.", {"precision": "bf16"}),
        default({}),
    ]
    resources: Annotated[Resources, doc("What it runs on.", {"device": "cuda", "ranks_per_node": 8})] = Resources()
    tracking: Annotated[Tracking, doc("Where it is recorded.", {"experiment": "ranking"})] = Tracking()
    evaluate: Annotated[
        Evaluate,
        doc("What is measured, when, and what it must reach.", {"gates": ["auc >= 0.78"]}),
        default({}),
    ]


class TrainingJob(Section, frozen=True, kw_only=True):
    apiVersion: Annotated[Literal["recplat.io/v1alpha1"], doc("Version of the language.")]
    kind: Annotated[Literal["TrainingJob"], doc("Kind of document.")]
    extends: Annotated[
        str | tuple[str, ...] | UnsetType,
        doc("Files that this one is merged over; the normal form holds the result.", "base.yaml"),
        AUTHORING_ONLY,
    ] = UNSET
    metadata: Annotated[Metadata, doc("Name and labels.", {"name": "ml100k-dlrm"})]
    spec: Annotated[
        Spec,
        doc(
            "The job.",
            {
                "data": {
                    "source": {"path": "clicks.parquet"},
                    "split": {"by": "random"},
                    "label": {"column": "clicked"},
                },
                "features": [{"name": "user_id", "type": "categorical", "dim": 16}],
                "model": {"type": "dlrm"},
            },
        ),
    ]
