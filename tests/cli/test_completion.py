"""Completion: what a shell is answered, and what is installed for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regretless.cli import main
from regretless.cli.completion import PLACES


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("regretless tr", "plain,train\n"),
        ("regretless train --le", "plain,--learner\n"),
        ("regretless train da", "file,da\n"),
        ("regretless train --output mo", "file,mo\n"),
        ("regretless train --task bi", "\n"),
    ],
)
def test_bash_is_told_what_comes_next(
    words: str, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("_REGRETLESS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert main([]) == 0
    assert capsys.readouterr().out == answer


@pytest.mark.parametrize("shell", PLACES)
def test_completion_is_installed_once(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    assert main(["--show-completion"]) == 0
    shown = capsys.readouterr().out
    assert f"_REGRETLESS_COMPLETE={shell}_complete" in shown
    name, profile, _ = PLACES[shell]
    if profile is not None:
        (tmp_path / profile).write_text("# mine")
    for _ in range(2):
        assert main(["--install-completion"]) == 0
        assert (tmp_path / name).read_text() == shown
        if profile is not None:
            mine, line = (tmp_path / profile).read_text().splitlines()
            assert mine == "# mine"
            assert name.split("/")[0] in line


def test_an_unknown_shell_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert main(["--install-completion"]) == 2
    assert "bash, zsh, fish" in capsys.readouterr().err
