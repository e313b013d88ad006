"""Completion: what a shell is answered, and the script that it gets."""

from __future__ import annotations

from typing import Any

import pytest

from regretless.cli import main


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


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("_REGRETLESS_COMPLETE", f"{shell}_source")
    assert main([]) == 0
    assert f"_REGRETLESS_COMPLETE={shell}_complete" in capsys.readouterr().out


def test_what_is_no_instruction_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("_REGRETLESS_COMPLETE", "tcsh_source")
    assert main([]) == 1
    monkeypatch.setenv("_REGRETLESS_COMPLETE", "bash_complete")
    monkeypatch.delenv("COMP_WORDS", raising=False)
    assert main([]) == 2
    assert "_REGRETLESS_COMPLETE is for shells" in capsys.readouterr().err
