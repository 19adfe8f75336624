#!/usr/bin/python3
"""Names that want to be markup, scripts, formulas, paths or addresses are text in the report.

usage: test_hostile.py BENCHMATRIX FOLDER [TEST...]

The names are those of report_hostile.c, and of a document that is imported.
"""
import csv
import glob
import json
import os
import re
import subprocess
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from site_test import CUT, FOLDER, PLACE, PROGRAM, PROGRAMS, SCRIPTS, Site, browser, main

SCRIPT = "<script>window.pwned=1</script>"
IMAGE = "\"><img src=x onerror=window.pwned=2>"
DOCUMENT = "<img src=x onerror=window.pwned=7>.txt"
MARKS = "[\u202a-\u202e\u2066-\u2069]"
TEXT = """wolfCrypt Benchmark (block bytes 1048576, min 1.0 sec each)
AES-128-CBC-enc             25 MiB took 1.000 seconds,   25.000 MiB/s
SHA-256                     35 MiB took 1.000 seconds,   35.000 MiB/s
<script>window.pwned=8</script>   35 MiB took 1.000 seconds,   35.000 MiB/s
"""


def runs_as_formula(field):
    return field[:1] in ("=", "@", "\t", "\r") or (field[:1] in ("+", "-") and any(c in field for c in "(|!="))


class Hostile(Site):
    @classmethod
    def make_database(cls, file):
        subprocess.run([os.path.join(PROGRAMS, "report_hostile"), file], check=True)
        with open(os.path.join(PLACE, DOCUMENT), "w", encoding="utf-8") as document:
            document.write(TEXT)
        subprocess.run([PROGRAM, "--db", file, "import", "--platform", "<b>board</b>", DOCUMENT], check=True, cwd=PLACE,
                       stdout=subprocess.DEVNULL)
        return file

    def every(self):
        return sorted(os.path.basename(name) for name in glob.glob(os.path.join(FOLDER, "*.html")))

    def test_nothing_of_them_runs_or_becomes_markup(self):
        """Each page, with every choice of a chart shown once."""
        for name in self.every():
            with self.subTest(page=name):
                self.open(name)
                found = self.driver.execute_script("""
                    for (let i = 0; i < 40; i++) {
                        const selects = document.querySelectorAll('figure select');
                        if (selects.length === 0 || i >= selects[0].options.length)
                            break;
                        selects[0].selectedIndex = i;
                        selects[0].dispatchEvent(new Event('change'));
                    }
                    const foreign = 'img, svg, b, iframe, object, textarea, form, main script, [onload], [onerror], [onmouseover]';
                    return [window.pwned ?? null, document.querySelectorAll(foreign).length,
                        Array.from(document.scripts, (one) => one.src.split('/').pop()),
                        Array.from(document.links, (one) => one.protocol)];""")
                self.assertIsNone(found[0])
                self.assertEqual(found[1], 0)
                self.assertLessEqual(set(found[2]), SCRIPTS)
                self.assertLessEqual(set(found[3]), {"file:", "data:"})
                self.assertEqual(self.errors(), [])

    def test_they_are_shown_as_they_are(self):
        self.open("builds.html")
        flags = self.column(self.table("#all"), 3)
        for name in (SCRIPT, IMAGE, "javascript:window.pwned=5", "__proto__", "&lt;b&gt;&amp;", "../../../etc/passwd"):
            self.assertIn(name, flags)
        self.open("platforms.html")
        self.assertIn("<b>board</b>", self.column(self.table(), 0))
        # Marks that turn text around are shown as escapes, so that a line reads as it is stored.
        self.assertIn("\\u202eturned around", "".join(flags))
        for name in self.every():
            self.assertNotRegex(self.read(name), MARKS, name)
        for name in ("data.js", "history.js"):
            script = self.read(name)
            data = json.loads(script[script.index("{"):script.rindex("}") + 1])
            self.assertNotRegex(json.dumps(data, ensure_ascii=False), MARKS, name)

    def read(self, name):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            return file.read()

    def test_they_do_not_break_the_page(self):
        """Also the one that is longer than any line."""
        for width in (390, 1400):
            driver = browser(width)
            try:
                for name in ("index.html", "flags.html", "matrix.html", "changes.html", "builds.html", "build-1.html"):
                    with self.subTest(page=name, width=width):
                        self.open(name, driver)
                        wide, cut = driver.execute_script(CUT)
                        self.assertFalse(wide, "the page scrolls sideways")
                        self.assertEqual(cut, [])
            finally:
                driver.quit()

    def test_a_link_of_one_leads_to_it(self):
        self.open("index.html")
        row = [tr for tr in self.driver.find_elements(By.CSS_SELECTOR, "#fastest tbody tr") if tr.text.startswith(SCRIPT)][0]
        row.find_element(By.TAG_NAME, "a").click()
        select = Select(self.driver.find_element(By.CSS_SELECTOR, "figure select"))
        self.assertEqual(select.first_selected_option.text, SCRIPT)
        self.assertIn("#toolchain=%3Cscript%3E", self.driver.current_url)

    def test_files_have_plain_names(self):
        for name in os.listdir(FOLDER):
            self.assertRegex(name, r"^(benchmatrix-report|[a-z]+(-[0-9]+)*\.(html|csv|js|css))$")
            self.assertEqual(os.path.dirname(os.path.realpath(os.path.join(FOLDER, name))), os.path.realpath(FOLDER))

    def test_no_formula_is_in_a_csv_file(self):
        fields = set()
        for name in glob.glob(os.path.join(FOLDER, "*.csv")):
            with open(name, encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, name)
            fields.update(field for row in rows for field in row)
        self.assertEqual([field for field in fields if runs_as_formula(field)], [])
        self.assertIn("'=HYPERLINK(\"https://example.org\")", fields)
        self.assertIn("'+1+cmd|' /C calc'!A0", fields)

    def test_no_formula_is_in_the_csv_of_a_chart(self):
        self.open("matrix.html")
        link = self.driver.find_element(By.CSS_SELECTOR, "figure .csv a").get_attribute("href")
        text = urllib.parse.unquote(link.split(",", 1)[1])
        fields = {field for row in csv.reader(text.splitlines(True)) for field in row}
        self.assertEqual([field for field in fields if runs_as_formula(field)], [])
        self.assertTrue(any(re.match("'=HYPERLINK", field) for field in fields), sorted(fields)[:20])


if __name__ == "__main__":
    main()
