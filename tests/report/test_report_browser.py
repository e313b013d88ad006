"""The page of a run, opened in a real browser without a screen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg

pytest.importorskip("vl_convert", reason="charts need vl-convert")
webdriver = pytest.importorskip(
    "selenium.webdriver", reason="selenium is not installed: pip install selenium"
)
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no browser: make browser"
)
WAIT = "return document.readyState === 'complete'"

COUNT = """
    return Array.from(document.querySelectorAll('[data-figure]'), (place) => [
        place.dataset.figure,
        [...place.querySelectorAll('svg')].filter((one) => one.clientWidth).length,
        place.querySelectorAll('.role-mark path').length,
    ]);
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=400) > 0.0, 1, -1)
    runs = {
        "linear": rg.play(rg.Perceptron(), X, y),
        "experts": rg.play(rg.Hedge(), losses=rng.random((300, 4))),
        "many": rg.play([rg.Perceptron(), rg.OGD()], X, y),
    }
    return {
        name: run.report(folder / f"{name}.html", data="<b>a test</b>")
        for name, run in runs.items()
    }


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability(
        "goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"}
    )
    opened = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield opened
    opened.quit()


def look(
    browser: Any, path: Path, *, width: int = 1200, light: str = "light"
) -> list[str]:
    """Open a page and wait until it is drawn; return what it asked the network for."""
    from selenium.webdriver.support.ui import WebDriverWait

    size = {
        "width": width,
        "height": 844,
        "deviceScaleFactor": 1,
        "mobile": width < 500,
    }
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = [{"name": "prefers-color-scheme", "value": light}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(path.as_uri())
    WebDriverWait(browser, 60).until(lambda one: one.execute_script(WAIT))
    events = [json.loads(one["message"]) for one in browser.get_log("performance")]
    return [
        event["message"]["params"]["request"]["url"]
        for event in events
        if event["message"]["method"] == "Network.requestWillBeSent"
    ]


@pytest.mark.parametrize("name", ["linear", "experts", "many"])
def test_it_opens_alone_and_draws_every_chart(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    asked = look(browser, pages[name])
    assert [url for url in asked if not url.startswith("data:")] == [
        pages[name].as_uri()
    ]
    assert browser.get_log("browser") == []
    drawn = browser.execute_script(COUNT)
    assert len(drawn) >= 5
    for name_of_chart, figures, marks in drawn:
        assert figures == 1, name_of_chart  # the one that fits
        assert marks >= 1, name_of_chart
    assert browser.title.endswith("<b>a test</b>")


def test_the_table_shows_the_numbers_of_the_json(
    browser: Any, pages: dict[str, Path]
) -> None:
    look(browser, pages["linear"])
    facts = json.loads(
        browser.execute_script("return document.getElementById('facts').textContent")
    )
    shown = {
        row.get_attribute("data-theorem"): [
            float(cell.text.replace(",", ""))
            for cell in row.find_elements("css selector", "td.n")
        ]
        for row in browser.find_elements("css selector", "tr[data-theorem]")
    }
    applying = [one for one in facts["theorems"] if one["applies"]]
    assert len(shown) == len(applying) >= 5
    for one in applying:
        happened, bound, ratio = shown[one["name"]]
        assert happened == pytest.approx(one["happened"], rel=1e-5)
        assert bound == pytest.approx(one["bound"], rel=1e-5)
        assert ratio == pytest.approx(one["ratio"], rel=1e-2)


@pytest.mark.parametrize("name", ["linear", "many"])
def test_it_fits_a_phone(browser: Any, pages: dict[str, Path], name: str) -> None:
    look(browser, pages[name], width=390)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 390
    charts = browser.execute_script(
        "return Array.from(document.querySelectorAll('.chart svg'), "
        "(one) => one.getBoundingClientRect().right)"
    )
    assert max(charts) <= 390


def test_it_has_a_night(browser: Any, pages: dict[str, Path]) -> None:
    ask = """
        const style = (one) => getComputedStyle(document.querySelector(one));
        const lines = document.querySelectorAll('[data-figure=error] .role-mark path');
        return [
            style('body').backgroundColor,
            style('body').color,
            getComputedStyle(lines[1]).stroke,
            style('[data-figure=error] .role-axis-label text').fill,
        ];
    """
    seen = {}
    for light in ("light", "dark"):
        look(browser, pages["linear"], light=light)
        seen[light] = [brightness(each) for each in browser.execute_script(ask)]
    paper, ink, line, ticks = seen["light"]
    assert paper > 250
    assert max(ink, line, ticks) < 120
    paper, ink, line, ticks = seen["dark"]
    assert paper < 40
    assert min(ink, line, ticks) > 150


def test_the_night_falls_while_one_looks(browser: Any, pages: dict[str, Path]) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    look(browser, pages["linear"])
    scheme = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    ask = (
        "return getComputedStyle(document.querySelectorAll("
        "'[data-figure=error] .role-mark path')[1]).stroke"
    )
    WebDriverWait(browser, 30).until(
        lambda one: brightness(one.execute_script(ask)) > 150
    )


def test_it_prints_by_day_on_a_sheet(browser: Any, pages: dict[str, Path]) -> None:
    look(browser, pages["linear"], light="dark")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    width, line = browser.execute_script("""
        const lines = document.querySelectorAll('[data-figure=error] .role-mark path');
        return [
            document.querySelector('.chart svg').getBoundingClientRect().right,
            getComputedStyle(lines[1]).stroke,
        ];
    """)
    assert width <= 1200
    assert brightness(line) < 120
    paper = browser.execute_script(
        "return getComputedStyle(document.body).backgroundColor"
    )
    assert brightness(paper) > 250
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert len(printed["data"]) > 10_000


def test_the_pointer_shows_values(browser: Any, pages: dict[str, Path]) -> None:
    look(browser, pages["linear"])
    chart = browser.find_element("css selector", "[data-figure=mistakes]")
    browser.execute_script("arguments[0].scrollIntoView()", chart)
    webdriver.ActionChains(browser).move_to_element(chart).perform()
    tip = browser.find_element("css selector", ".tip")
    first, second, *_ = tip.text.splitlines()
    assert first.startswith("round ")
    name, value = second.split(": ")
    assert name == "mistakes"
    assert 0 < float(value) < 400


def brightness(color: str) -> float:
    """The mean of the three parts of ``rgb(r, g, b)``."""
    parts = color.partition("(")[2].rstrip(")").split(",")[:3]
    return sum(float(each) for each in parts) / 3.0
