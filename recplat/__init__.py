"""recplat: one YAML spec, planned, trained with TorchRec, tracked in MLflow."""
