"""What a person sees who types the command that `apply` ends with: MLflow's pages, in a real browser."""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from PIL import Image

from tests.end_to_end.command import environment, wait_for

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",  # which root needs
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,1000",
    "--virtual-time-budget=30000",  # of the page's clock, which stands still while it waits for the network
)
_BLUE = (0x25, 0x63, 0xEB)  # of the plots' main line


@pytest.fixture(scope="module")
def browser():
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        reason = f"none of {', '.join(_BROWSERS)} is installed"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def run_page(browser, one_rank):
    """The address of the run's page, served by the command that `apply` has shown."""
    [command] = [line.removeprefix("MLflow") for line in one_rank.done.out.splitlines() if line.startswith("MLflow")]
    program, *arguments = shlex.split(command)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [Path(sys.executable).with_name(program), *arguments, "--port", str(port)],
        env={**environment(), "MLFLOW_DISABLE_TELEMETRY": "true"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(lambda: server.poll() is None and _answers(port), seconds=120)
        place = one_rank.read("tracking.json")
        yield f"http://127.0.0.1:{port}/#/experiments/{place['experiment_id']}/runs/{place['mlflow_run_id']}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@pytest.fixture
def browse(browser, tmp_path):
    def browse(address: str, *what: str) -> str:
        profile = tmp_path / f"profile-{time.monotonic_ns()}"
        command = [browser, *_FLAGS, f"--user-data-dir={profile}", *what, address]
        return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout

    return browse


def test_the_page_of_a_run_shows_its_end_and_its_metrics(browse, run_page, one_rank):
    def page() -> str | None:
        text = browse(run_page, "--dump-dom")
        return text if "test/auc" in text else None

    text = wait_for(page, seconds=120)
    for words in ("films", "Finished", "train/loss", "recplat.heartbeat"):
        assert words in text
    assert str(one_rank.read("result.json")["metrics"]["test"]["auc"]) in text


def test_the_plots_are_shown_among_its_artifacts(browse, run_page, tmp_path):
    picture = tmp_path / "page.png"

    def num_blue() -> int:
        browse(f"{run_page}/artifacts/plots/roc.png", f"--screenshot={picture}")
        with Image.open(picture) as image:
            return dict(map(reversed, image.convert("RGB").getcolors(2**24))).get(_BLUE, 0)

    assert wait_for(lambda: num_blue() > 100, seconds=120)  # the ROC curve's pixels


def _answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
    except OSError:
        return False
    return True
