#!/usr/bin/python3
"""The report in a real browser: every page, at two widths, light and dark, with and without JavaScript.

usage: test_report.py BENCHMATRIX REPORT_NIGHTS [TEST...]

REPORT_NIGHTS makes a database of a large matrix (report_nights.c), to which the published figures are added;
DATABASE in the environment names one to look at instead. SCREENSHOTS names a folder for a picture of each page and
width. Needs Debian's chromium, chromium-driver and python3-selenium. A file axe.min.js that AXE names (axe-core of
npm) is run on each page.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

PROGRAM, REPORT_NIGHTS = sys.argv[1:3]
SCREENSHOTS = os.environ.get("SCREENSHOTS")
PLACE = tempfile.mkdtemp(prefix="benchmatrix-browser-")
FOLDER = os.path.join(PLACE, "site")
WIDTHS = (390, 1400)

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


def make_database():
    database = os.path.join(PLACE, "results.db")
    subprocess.run([REPORT_NIGHTS, database, "3"], check=True)
    subprocess.run([PROGRAM, "--db", database, "import", "--published"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return database


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


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        database = os.environ.get("DATABASE") or make_database()
        subprocess.run([PROGRAM, "--db", database, "report", "-o", FOLDER], check=True, stdout=subprocess.DEVNULL)
        cls.driver = browser(1400)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(PLACE)

    def open(self, name, driver=None):
        (driver or self.driver).get(url(name))

    def table(self, index=0):
        return self.driver.find_elements(By.CSS_SELECTOR, "main .table table")[index]

    def column(self, table, at):
        return [row.find_elements(By.TAG_NAME, "td")[at].text for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")
                if row.is_displayed()]

    def test_every_page_at_every_width_is_whole_and_silent(self):
        for width in WIDTHS:
            for dark in (False, True):
                driver = browser(width, dark)
                try:
                    for name in pages():
                        with self.subTest(page=name, width=width, dark=dark):
                            self.look_at(driver, name, width, dark)
                finally:
                    driver.quit()

    def look_at(self, driver, name, width, dark):
        start = time.monotonic()
        self.open(name, driver)
        ready = driver.execute_script(
            "const n = performance.getEntriesByType('navigation')[0]; return n.domContentLoadedEventEnd;")
        self.assertLess(time.monotonic() - start, 10)
        self.assertGreater(ready, 0)
        self.assertEqual([entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"], [])
        wide, cut = driver.execute_script(CUT)
        if SCREENSHOTS:
            os.makedirs(SCREENSHOTS, exist_ok=True)
            driver.save_screenshot(os.path.join(SCREENSHOTS, f"{name[:-5]}-{width}{'-dark' if dark else ''}.png"))
        self.assertFalse(wide, "the page scrolls sideways")
        self.assertEqual(cut, [])

    def test_nothing_comes_from_outside(self):
        for name in pages():
            self.open(name)
            loaded = self.driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
            self.assertEqual([one for one in loaded if not one.startswith(("file:", "data:"))], [])

    def test_a_table_sorts_both_ways_by_numbers(self):
        self.open("builds.html")
        self.driver.find_element(By.XPATH, "//th/button[text()='Library']").click()
        up = self.sizes()
        self.driver.find_element(By.XPATH, "//th/button[text()='Library']").click()
        down = self.sizes()
        self.assertGreater(len(up), 1)
        self.assertEqual(up, sorted(up))
        self.assertEqual(down, sorted(down, reverse=True))

    def sizes(self):
        cells = self.driver.find_elements(By.CSS_SELECTOR, "tbody tr td:nth-child(7)[data-v]")
        return [float(cell.get_attribute("data-v")) for cell in cells]

    def test_a_table_sorts_from_the_keyboard(self):
        self.open("builds.html")
        button = self.driver.find_element(By.CSS_SELECTOR, "thead th button")
        self.driver.execute_script("arguments[0].focus()", button)
        button.send_keys(Keys.ENTER)
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "thead th").get_attribute("aria-sort"), "ascending")
        names = self.column(self.table(), 0)
        known = [name for name in names if name != "-"]
        self.assertEqual(names, sorted(known, key=str.lower) + ["-"] * (len(names) - len(known)))

    def test_a_filter_leaves_what_has_all_words(self):
        self.open("builds.html")
        before = self.column(self.table(), 0)
        word = before[0]
        self.driver.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys(word)
        after = self.column(self.table(), 0)
        self.assertEqual(after, [one for one in before if word in one])
        self.driver.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys(" nothing-has-this")
        self.assertEqual(self.column(self.table(), 0), [])

    def test_dark_and_light_by_the_button_last_over_pages(self):
        self.open("index.html")
        before = self.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.driver.find_element(By.CSS_SELECTOR, "button.theme").click()
        self.assertNotEqual(before, self.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
        self.driver.find_element(By.CSS_SELECTOR, "button.theme").click()
        self.assertEqual(before, self.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))

    def test_a_chart_has_a_tooltip_and_a_table(self):
        self.open("flags.html")
        text = self.driver.execute_script("""
            const chart = Chart.getChart(document.querySelector('canvas'));
            const at = chart.getDatasetMeta(0).data[0];
            chart.tooltip.setActiveElements([{datasetIndex: 0, index: 0}], {x: at.x, y: at.y});
            chart.update();
            return chart.tooltip.body.map(part => part.lines).flat().join(' ');""")
        self.assertRegex(text, r"KiB$")
        self.assertGreater(len(self.driver.find_elements(By.CSS_SELECTOR, "figure table tbody tr")), 0)

    def test_the_choice_of_a_benchmark_changes_the_chart(self):
        self.open("flags.html")
        select = Select(self.driver.find_elements(By.CSS_SELECTOR, ".controls select")[1])
        other = [option.text for option in select.options if option.text != select.first_selected_option.text][0]
        select.select_by_visible_text(other)
        self.assertIn(other, [th.text for th in self.driver.find_elements(By.CSS_SELECTOR, "figure thead th")])

    def test_the_fastest_flags_and_their_size_are_one_click_away(self):
        self.open("index.html")
        section = self.driver.find_element(By.ID, "fastest")
        link = section.find_element(By.CSS_SELECTOR, "tbody td a")
        name = link.text.split(" (")[0]
        link.click()
        first = self.driver.find_element(By.CSS_SELECTOR, "figure tbody tr")
        self.assertEqual(first.find_elements(By.TAG_NAME, "td")[0].text, name)
        self.assertIn("KiB", first.text)

    def test_every_link_leads_to_a_page_that_is_there(self):
        for name in pages():
            self.open(name)
            for link in self.driver.find_elements(By.CSS_SELECTOR, "a[href]"):
                target = link.get_attribute("href")
                if target.startswith("file:"):
                    self.assertTrue(os.path.exists(target[len("file://"):].split("#")[0]), f"{name}: {target}")

    def test_without_javascript_the_tables_are_there(self):
        driver = browser(1400, script=False)
        try:
            for name in ("index.html", "flags.html", "matrix.html", "builds.html", "platforms.html"):
                self.open(name, driver)
                self.assertGreater(len(driver.find_elements(By.CSS_SELECTOR, "tbody tr")), 0, name)
                self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "button"), [], name)
        finally:
            driver.quit()

    @unittest.skipUnless(os.environ.get("AXE"), "AXE names no axe.min.js")
    def test_axe_finds_no_serious_fault(self):
        with open(os.environ["AXE"], encoding="utf-8") as file:
            axe = file.read()
        for name in pages():
            self.open(name)
            self.driver.execute_script(axe)
            found = self.driver.execute_async_script(
                "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => [v.impact, v.id, "
                "v.nodes.slice(0, 3).map(n => n.html)])))")
            self.assertEqual([one for one in found if one[0] in ("serious", "critical")], [], name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
