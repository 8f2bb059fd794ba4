"""Cross layers of DCN-v2. Source: Wang et al., "DCN V2", WWW 2021, https://arxiv.org/abs/2008.13535."""

from torch import Tensor, addcmul, nn


class CrossNetwork(nn.Module):
    """Layers x_{l+1} = x_0 * (W_l x_l + b_l) + x_l, all `[B, N]`; `*` is by element.

    Args:
        low_rank: W_l as the product of `[N, low_rank]` and `[low_rank, N]`; None: a full `[N, N]`.
    """

    def __init__(self, num_inputs: int, num_layers: int, *, low_rank: int | None = None) -> None:
        super().__init__()
        self.layers = nn.ModuleList(_weight(num_inputs, low_rank) for _ in range(num_layers))

    def forward(self, x0_BN: Tensor) -> Tensor:
        x_BN = x0_BN
        for layer in self.layers:
            # addcmul is one pass over memory; written out it would be two, with one more tensor kept.
            x_BN = addcmul(x_BN, x0_BN, layer(x_BN))
        return x_BN


def _weight(num_inputs: int, low_rank: int | None) -> nn.Module:
    if low_rank is None:
        return nn.Linear(num_inputs, num_inputs)
    return nn.Sequential(nn.Linear(num_inputs, low_rank, bias=False), nn.Linear(low_rank, num_inputs))
