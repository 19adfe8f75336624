"""What the browser's tests share: a site, and Debian's chromium to look at it.

Arguments of every test: BENCHMATRIX FOLDER [TEST...]; FOLDER has the programs that make databases (report_nights,
report_hostile). Needs Debian's chromium, chromium-driver and python3-selenium.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

PROGRAM, PROGRAMS = map(os.path.abspath, sys.argv[1:3])
PLACE = tempfile.mkdtemp(prefix="benchmatrix-browser-")
FOLDER = os.path.join(PLACE, "site")
SCRIPTS = {"report.js", "chart.js", "data.js", "history.js", "drawing.js", "charts.js"}

# Boxes of text that reach beyond the page, and neighbours in a table row whose texts overlap.
CUT = """
const wide = document.documentElement.scrollWidth > innerWidth + 1;
const cut = [];
for (const node of document.querySelectorAll('h1, h2, p, li, dt, dd, th, td, summary, label, button, a')) {
    if (node.closest('.table, pre, .skip') || node.matches('.skip') || !node.checkVisibility())
        continue;
    const box = node.getBoundingClientRect();
    if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1))
        cut.push(node.tagName + ': ' + node.textContent.slice(0, 60));
}
for (const cell of document.querySelectorAll('.table th, .table td')) {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const text = range.getBoundingClientRect(), box = cell.getBoundingClientRect();
    if (text.width > 0 && (text.right > box.right + 1 || text.left < box.left - 1))
        cut.push('cell: ' + cell.textContent.slice(0, 60));
}
return [wide, cut];
"""



def browser(width, dark=False, script=True):
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                     "--allow-file-access-from-files"):
        options.add_argument(argument)
    if dark:
        options.add_argument("--blink-settings=preferredColorScheme=0")
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    # The window of a headless browser has a least width; a device has none.
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.set_script_timeout(300)
    return driver


def pages():
    every = sorted(os.path.basename(name) for name in glob.glob(os.path.join(FOLDER, "*.html")))
    builds = [name for name in every if name.startswith("build-")]
    platforms = [name for name in every if name.startswith("platform-")]
    return [name for name in every if name not in builds + platforms] + builds[:2] + platforms[:3]


def url(name):
    return "file://" + os.path.join(os.path.abspath(FOLDER), name)


class Site(unittest.TestCase):
    """A report, made once, and a browser. A class of tests says with make_database() of what."""

    @classmethod
    def setUpClass(cls):
        database = cls.make_database(os.path.join(PLACE, "results.db"))
        subprocess.run([PROGRAM, "--db", database, "report", "-o", FOLDER], check=True, stdout=subprocess.DEVNULL)
        cls.driver = browser(1400)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(PLACE)

    def open(self, name, driver=None):
        # A fragment alone would not load the page anew.
        (driver or self.driver).get("about:blank")
        (driver or self.driver).get(url(name))

    def table(self, place="main"):
        return self.driver.find_element(By.CSS_SELECTOR, place + " .table table")

    def column(self, table, at):
        """The texts of the rows that are shown."""
        return self.driver.execute_script(
            "return Array.from(arguments[0].tBodies[0].rows).filter((row) => row.checkVisibility())"
            ".map((row) => row.cells[arguments[1]].innerText.trim());", table, at)

    def errors(self, driver=None):
        return [entry for entry in (driver or self.driver).get_log("browser") if entry["level"] == "SEVERE"]


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
