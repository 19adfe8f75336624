#!/usr/bin/python3
"""The report in a real browser: every page, at two widths, light and dark, with and without JavaScript.

usage: test_report.py BENCHMATRIX FOLDER [TEST...]

The database is of a large matrix (report_nights.c), with the published figures beside it; DATABASE in the environment
names one to look at instead. SCREENSHOTS names a folder for a picture of each page and width. A file axe.min.js that
AXE names (axe-core of npm) is run on each page.
"""
import glob
import os
import subprocess
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from site_test import CUT, FOLDER, PROGRAM, PROGRAMS, SCRIPTS, Site, browser, main, pages, url

SCREENSHOTS = os.environ.get("SCREENSHOTS")
WIDTHS = (390, 1400)


class Report(Site):
    @classmethod
    def make_database(cls, file):
        if os.environ.get("DATABASE"):
            return os.environ["DATABASE"]
        subprocess.run([os.path.join(PROGRAMS, "report_nights"), file, "3"], check=True)
        subprocess.run([PROGRAM, "--db", file, "import", "--published"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return file

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
        self.open(name, driver)
        self.assertEqual(self.errors(driver), [])
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
        for name in glob.glob(os.path.join(FOLDER, "*.css")) + [os.path.join(FOLDER, one) for one in SCRIPTS - {"chart.js", "data.js", "history.js"}]:
            with open(name, encoding="utf-8") as file:
                self.assertNotIn("://", file.read(), name)

    def test_each_page_answers_soon(self):
        """Prints how long, and of that the page's own processor time; the bound is far off, since the machine may have
        much else to do."""
        worst, own = {}, {}
        for name in pages():
            self.driver.get("about:blank")
            self.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
            self.driver.get(url(name))
            metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            own[name] = [round(1000 * one["value"]) for one in metrics if one["name"] == "TaskDuration"][0]
            self.driver.execute_cdp_cmd("Performance.disable", {})
            worst[name] = self.driver.execute_async_script("""
                const done = arguments[0], ready = performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd;
                const control = document.querySelector('main input[type=search], main select, button.theme');
                const start = performance.now();
                if (control.matches('select'))
                    control.dispatchEvent(new Event('change'));
                else if (control.matches('input')) {
                    control.value = 'a';
                    control.dispatchEvent(new Event('input'));
                }
                requestAnimationFrame(() => setTimeout(() => done([Math.round(ready), Math.round(performance.now() - start)])));""")
        for name, (ready, answer) in sorted(worst.items(), key=lambda one: -one[1][0]):
            print(f"{name}: ready after {ready} ms ({own[name]} ms of a processor), answers in {answer} ms")
        self.assertLess(max(ready + answer for ready, answer in worst.values()), 60000)

    def test_a_table_sorts_both_ways_by_numbers(self):
        self.open("builds.html")
        self.driver.find_element(By.XPATH, "//*[@id='all']//th/button[text()='Size']").click()
        up = self.sizes()
        self.driver.find_element(By.XPATH, "//*[@id='all']//th/button[text()='Size']").click()
        down = self.sizes()
        self.assertGreater(len(up), 1)
        self.assertEqual(up, sorted(up))
        self.assertEqual(down, sorted(down, reverse=True))

    def sizes(self):
        cells = self.driver.find_elements(By.CSS_SELECTOR, "#all tbody tr td:nth-child(7)[data-v]")
        return [float(cell.get_attribute("data-v")) for cell in cells]

    def test_a_table_sorts_from_the_keyboard(self):
        self.open("builds.html")
        button = self.driver.find_element(By.CSS_SELECTOR, "#all thead th button")
        self.driver.execute_script("arguments[0].focus()", button)
        button.send_keys(Keys.ENTER)
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "#all thead th").get_attribute("aria-sort"), "ascending")
        names = self.column(self.table("#all"), 0)
        known = [name for name in names if name != "-"]
        self.assertEqual(names, sorted(known, key=str.lower) + ["-"] * (len(names) - len(known)))

    def test_a_filter_leaves_what_has_all_words(self):
        self.open("builds.html")
        before = self.column(self.table("#all"), 0)
        word = before[0]
        self.driver.find_element(By.CSS_SELECTOR, "#all input[type=search]").send_keys(word)
        after = self.column(self.table("#all"), 0)
        self.assertEqual(after, [one for one in before if word in one])
        self.driver.find_element(By.CSS_SELECTOR, "#all input[type=search]").send_keys(" nothing-has-this")
        self.assertEqual(self.column(self.table("#all"), 0), [])

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

    def test_the_fastest_flags_for_aes_gcm_on_aarch64_and_their_size_in_a_click(self):
        self.open("index.html")
        section = self.driver.find_element(By.ID, "fastest")
        heads = [th.text for th in section.find_elements(By.CSS_SELECTOR, "thead th")]
        row = [tr for tr in section.find_elements(By.CSS_SELECTOR, "tbody tr") if tr.text.startswith("aarch64-gcc")][0]
        link = row.find_elements(By.TAG_NAME, "td")[heads.index("aes-128-gcm encrypt")].find_element(By.TAG_NAME, "a")
        name = link.text.split(" (")[0]
        link.click()
        first = self.driver.find_element(By.CSS_SELECTOR, "figure tbody tr")
        self.assertEqual(first.find_elements(By.TAG_NAME, "td")[0].text, name)
        self.assertRegex(first.text, r"[0-9.]+ KiB")
        # And its configure line in one more.
        first.find_element(By.TAG_NAME, "a").click()
        self.assertTrue(self.driver.current_url.split("/")[-1].startswith("build-"))

    @unittest.skipIf(os.environ.get("DATABASE"), "of the database that is made here")
    def test_what_regressed_last_night_and_where_in_a_click(self):
        self.open("index.html")
        rows = self.driver.find_elements(By.CSS_SELECTOR, "#changes tbody tr")
        self.assertEqual(len(rows), 1)
        cells = [td.text for td in rows[0].find_elements(By.TAG_NAME, "td")]
        self.assertEqual(cells[0], "worse")
        self.assertEqual(cells[1], "0.952x")  # 1 / 1.05
        self.assertEqual(cells[3:6], ["instructions", "aarch64-gcc", "config7"])
        benchmark = cells[2]
        rows[0].find_element(By.TAG_NAME, "a").click()
        chosen = [Select(one).first_selected_option.text
                  for one in self.driver.find_elements(By.CSS_SELECTOR, "figure .controls select")]
        self.assertEqual(chosen[:4], ["aarch64-gcc", "config7", benchmark, "instructions"])
        last = self.driver.find_elements(By.CSS_SELECTOR, "figure tbody tr")[-1]
        self.assertEqual(last.find_elements(By.TAG_NAME, "td")[-1].text, "0.952x")

    @unittest.skipIf(os.environ.get("DATABASE"), "of the database that is made here")
    def test_why_a_build_failed_in_a_click(self):
        self.open("index.html")
        self.driver.find_element(By.CSS_SELECTOR, "#failures tbody a").click()
        text = self.driver.find_element(By.TAG_NAME, "main").text
        self.assertIn("./configure --enable-broken", text)
        self.assertIn("ld: undefined reference to `missing'", text)

    def test_the_keyboard_alone_reaches_and_opens_everything(self):
        self.open("index.html")
        first = self.focused(Keys.TAB)
        self.assertEqual(first, "to the content")
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertTrue(self.driver.current_url.endswith("#content"))
        self.open("flags.html")
        seen = []
        while "CSV of this table" not in seen and len(seen) < 200:
            seen.append(self.focused(Keys.TAB))
        for wanted in ("Overview", "Builds", "Dark", "Flags"):
            self.assertIn(wanted, seen)
        self.assertTrue(any(word.startswith("aes-128-gcm encrypt") for word in seen), seen)
        outline = self.driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
        self.assertEqual(outline, "solid")

    def focused(self, key):
        """What has the focus after the key, in words."""
        self.driver.switch_to.active_element.send_keys(key)
        return self.driver.execute_script(
            "const e = document.activeElement;"
            "return e.tagName === 'SELECT' ? e.selectedOptions[0].text : e.textContent || e.ariaLabel || e.tagName;")

    def test_paper_is_light_and_shows_whole_tables(self):
        self.open("builds.html")
        self.driver.find_element(By.CSS_SELECTOR, "button.theme").click()
        try:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            style = self.driver.execute_script("""
                const box = document.querySelector('main .table'), of = (node) => getComputedStyle(node);
                return [of(document.body).backgroundColor, of(document.body).color, of(document.querySelector('nav')).display,
                    of(document.querySelector('.tools')).display, box.scrollHeight - box.clientHeight <= 2];""")
            self.assertEqual(style, ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "none", "none", True])
            self.assertGreater(len(self.driver.print_page()), 10000)
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
            self.driver.find_element(By.CSS_SELECTOR, "button.theme").click()

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
            for name in pages():
                self.open(name, driver)
                self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "button, canvas"), [], name)
                for figure in driver.find_elements(By.CSS_SELECTOR, "figure"):
                    self.assertIn("needs JavaScript", figure.text, name)
                if name not in ("libraries.html", "history.html", "changes.html"):
                    self.assertGreater(len(driver.find_elements(By.CSS_SELECTOR, "tbody tr")), 0, name)
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
    main()
