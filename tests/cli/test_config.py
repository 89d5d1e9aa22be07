"""Where the values of options come from, what is refused, and what `logscope config` tells of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logscope.cli import logscope as command
from logscope.cli._settings import default_map, options_of


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's file, which is not there yet; the current directory is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    path = tmp_path / "home/logscope/config.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def project(user: Path) -> Path:
    return Path("logscope.toml")


def test_without_settings_nothing_changes(run: Callable[..., Any], library: Any, user: Path) -> None:
    library.find("warning")
    assert run("analyze", "crash.log").code == 0


def test_a_user_s_setting_holds_where_the_command_line_is_silent(
    run: Callable[..., Any], library: Any, user: Path
) -> None:
    user.write_text('fail_on = "warning"\n[analyze]\nformat = ["line"]\n')
    library.find("warning")
    ran = run("analyze", "crash.log")
    assert (ran.code, ran.out) == (1, "line: Nothing is wrong.\n")
    assert run("analyze", "crash.log", "--fail-on", "error").code == 0
    assert run("analyze", "crash.log", "-f", "md").out == "md: Nothing is wrong.\n"


def test_the_environment_goes_before_the_project_and_the_project_before_the_user(
    user: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_on() -> object:
        return default_map(command).get("analyze", {}).get("fail_on")

    user.write_text('[analyze]\nfail-on = "note"\n')
    assert fail_on() == "note"
    project.write_text('fail_on = "warning"\n')
    assert fail_on() == "warning"
    project.write_text('fail_on = "warning"\n[analyze]\nfail_on = "error"\n')
    assert fail_on() == "error"
    monkeypatch.setenv("LOGSCOPE_FAIL_ON", "never")
    assert fail_on() == "never"
    monkeypatch.setenv("LOGSCOPE_ANALYZE_FAIL_ON", "note")
    assert fail_on() == "note"


def test_a_key_for_all_commands_goes_to_those_that_take_its_value(user: Path) -> None:
    user.write_text('format = "jsonl"\n')
    found = default_map(command)
    assert found["scan"] == {"form": "jsonl"}
    assert "analyze" not in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('fail_onn = "error"', "no command has an option fail_onn; did you mean fail_on?"),
        ('[analyse]\nfail_on = "error"', "[analyse] is no command; did you mean analyze?"),
        ("[analyze]\nfale_on = 1", "`logscope analyze` has no option fale_on; did you mean fail_on?"),
        ('[analyze]\nfail_on = "fatal"', "[analyze] fail_on = 'fatal': "),
        ('[scan]\njobs = "many"', "[scan] jobs = 'many': "),
        ("[scan]\njobs = [1]", "one value is expected"),
        ("[analyze]\nstrict = 3", "true or false is expected"),
        ('[analyze]\nformat = "pdf"', "'pdf' is not a format"),
        ("fail_on = ", "is not TOML"),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_its_file(
    run: Callable[..., Any], library: Any, user: Path, text: str, message: str
) -> None:
    user.write_text(text)
    ran = run("analyze", "crash.log")
    assert (ran.code, ran.out) == (2, "")
    assert str(user) in ran.err
    assert message in ran.err


def test_a_setting_of_the_environment_that_cannot_be_is_named(
    run: Callable[..., Any], library: Any, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGSCOPE_ANALYZE_FAIL_ON", "fatal")
    ran = run("analyze", "crash.log")
    assert ran.code == 2
    assert "LOGSCOPE_ANALYZE_FAIL_ON" in ran.err


@pytest.mark.parametrize(
    "text",
    [
        '[watch]\ncommand = "rm -rf ~"',
        '[watch]\npost = "http://elsewhere/"',
        '[analyze]\noutput = "elsewhere.html"',
        '[analyze]\nbundle = "elsewhere.zip"',
        "show_prompts = true",
        "[analyze]\nredact = false",
    ],
)
def test_a_file_that_came_with_somebody_s_logs_can_run_send_reveal_and_write_nothing(
    run: Callable[..., Any], library: Any, user: Path, project: Path, text: str
) -> None:
    project.write_text(text)
    ran = run("analyze", "crash.log")
    assert ran.code == 2
    assert "can run, send, reveal or write something" in ran.err
    project.unlink()
    user.write_text(text)
    assert default_map(command)


def test_show_says_where_each_value_comes_from(
    run: Callable[..., Any], user: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.write_text('[watch]\npost = "https://me:pw@chat.example/hook/secret"\nseverity = "note"\n')
    project.write_text('[watch]\nseverity = "warning"\n')
    monkeypatch.setenv("LOGSCOPE_WATCH_INTERVAL", "5")
    ran = run("config", "show", "watch")
    values = {
        line.split()[0]: line.split(maxsplit=2)[1:] for line in ran.out.splitlines() if "=" not in line and " " in line
    }
    assert values["severity"] == ["warning", "logscope.toml"]
    assert values["interval"] == ["5", "LOGSCOPE_WATCH_INTERVAL"]
    assert values["post"] == ["https://chat.example/…", str(user)]
    assert values["settle"] == ["2.0", "default"]
    assert "[analyze]" not in ran.out
    assert "[analyze]" in run("config").out
    assert run("config", "show", "wtach").code == 2


def test_path_names_the_files_and_says_which_are_there(run: Callable[..., Any], user: Path, project: Path) -> None:
    project.write_text("")
    first, second = run("config", "path").out.splitlines()
    assert first == str(project.absolute())
    assert second == f"{user}  (not there)"


@pytest.mark.parametrize("options", [(), ("--project",)])
def test_a_new_file_holds_every_setting_as_a_comment_and_changes_nothing(
    run: Callable[..., Any], user: Path, project: Path, options: tuple[str, ...]
) -> None:
    target = project if options else user
    assert run("config", "init", *options).out == f"{target}\n"
    assert default_map(command) == {}
    text = target.read_text()
    assert '# fail_on = "error"' in text
    assert ("# command" in text) is (not options)
    assert run("config", "init", *options).code == 2
    assert run("config", "init", "--force", *options).code == 0
    uncommented = [
        line[2:] if line.startswith("# ") and " = " in line and "LOGSCOPE" not in line else line
        for line in text.splitlines()
    ]
    import tomllib

    assert set(tomllib.loads("\n".join(uncommented))) <= set(options_of(command))


def test_config_tells_of_a_file_that_is_wrong_and_still_says_where_it_is(run: Callable[..., Any], user: Path) -> None:
    user.write_text("[nonsense")
    assert str(user) in run("config", "path").out
    assert run("config", "show").code == 2


def test_help_reads_no_settings(user: Path) -> None:
    user.write_text("[nonsense")
    code = "import sys; from logscope.cli import main\ntry: main(['--help'])\nfinally: print('tomllib' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(Path(__file__).parents[2])}
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "False")
