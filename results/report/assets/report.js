/* Tables that sort and filter, and the switch between light and dark. The pages read without it. */
"use strict";

const report = {};

report.element = (tag, text, attributes) => {
	const node = document.createElement(tag);
	if (text !== undefined && text !== null)
		node.textContent = text;
	for (const [key, value] of Object.entries(attributes || {}))
		node.setAttribute(key, value);
	return node;
};

/* Sets of flags are long, and have no other place to break. */
report.breakable = (node, text) => {
	text.split(/(?<=\+)/).forEach((part, i) => node.append(...(i > 0 ? [report.element("wbr"), part] : [part])));
	return node;
};

/* --- sorting --- */

report.cellValue = (row, column) => {
	const cell = row.cells[column];
	if (!cell)
		return "";
	if (cell.dataset.v !== undefined)
		return Number(cell.dataset.v);
	return cell.textContent;
};

const unknown = (value) => value === "" || value === "-";

/* Numbers before words; what is unknown stays last in either direction. */
const compareValues = (a, b, direction) => {
	if (unknown(a) || unknown(b))
		return unknown(a) - unknown(b);
	if (typeof a === "number" && typeof b === "number")
		return direction * (a - b);
	return direction * String(a).localeCompare(String(b), "en", {numeric: true});
};

const sortBy = (table, column, th) => {
	const direction = th.getAttribute("aria-sort") === "ascending" ? -1 : 1;
	const body = table.tBodies[0];
	const rows = Array.from(body.rows, (row) => [report.cellValue(row, column), row]);

	rows.sort((a, b) => compareValues(a[0], b[0], direction));
	body.append(...rows.map((pair) => pair[1]));
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute("aria-sort");
	th.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
};

/* --- filtering --- */

const FILTER_FROM = 8;

const addFilter = (box, table) => {
	const rows = Array.from(table.tBodies[0].rows);
	if (rows.length < FILTER_FROM)
		return;
	const tools = report.element("div", null, {class: "tools"});
	const label = report.element("label", "Filter");
	const input = report.element("input", null, {type: "search", autocomplete: "off"});
	const count = report.element("span", `${rows.length} rows`, {role: "status"});

	input.addEventListener("input", () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const row of rows) {
			const text = row.textContent.toLowerCase();
			row.hidden = !words.every((word) => text.includes(word));
			shown += !row.hidden;
		}
		count.textContent = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
	});
	label.append(input);
	tools.append(label, count);
	box.before(tools);
};

report.enliven = (box) => {
	const table = box.querySelector("table");
	const heads = table.tHead.rows[0].cells;

	Array.from(heads).forEach((th, column) => {
		const button = report.element("button", null, {type: "button"});
		button.append(...th.childNodes);
		button.addEventListener("click", () => sortBy(table, column, th));
		th.replaceChildren(button);
	});
	addFilter(box, table);
};

/* --- tables that are made here --- */

/* As the tables that are written: columns of short texts are not broken, those of long ones have room. */
const widths = (columns, rows) => columns.map((column, i) => {
	const longest = Math.max(0, ...rows.map((row) => (row[i] ? String(row[i].text).length : 0)));
	return `${longest <= 30 ? "s" : "l"}${i + 1}`;
}).join(" ");

/* columns: {title, right}; rows: arrays of {text, v, href, heat}. */
report.table = (title, columns, rows) => {
	const box = report.element("div", null, {class: "table", tabindex: "0", role: "region", "aria-label": title});
	const table = report.element("table", null, {class: widths(columns, rows)});
	const head = report.element("tr");

	for (const column of columns)
		head.append(report.breakable(report.element("th", null, column.right ? {scope: "col", class: "right"} : {scope: "col"}), column.title));
	table.append(report.element("caption", title), report.element("thead"), report.element("tbody"));
	table.tHead.append(head);
	for (const row of rows) {
		const line = report.element("tr");
		row.forEach((cell, i) => {
			const td = report.element("td");
			report.breakable(cell && cell.href ? td.appendChild(report.element("a", null, {href: cell.href})) : td, cell ? String(cell.text) : "-");
			if (columns[i].right)
				td.className = "right";
			if (cell && cell.v !== undefined)
				td.dataset.v = cell.v;
			if (cell && cell.heat !== undefined) {
				td.classList.add("heat");
				td.style.backgroundColor = `rgba(var(--cold), ${(0.4 * cell.heat).toFixed(3)})`;
			}
			line.append(td);
		});
		table.tBodies[0].append(line);
	}
	box.append(table);
	return box;
};

/* What a spreadsheet would run as a formula is quoted for it; a sign before a word or number (-O2) runs nothing. */
const isFormula = (text) => /^[=@\t\r]/.test(text) || /^[+-].*[(|!=]/s.test(text);
const csvField = (text) => (isFormula(text) ? `"'${text.replace(/"/g, '""')}"` : /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

report.csvLink = (name, columns, rows) => {
	const lines = [columns.map((column) => csvField(column.title)).join(",")];
	for (const row of rows)
		lines.push(row.map((cell) => csvField(String(cell ? cell.v ?? cell.text : ""))).join(","));
	const paragraph = report.element("p", null, {class: "csv"});
	paragraph.append(report.element("a", "CSV of this table", {
		download: name,
		href: "data:text/csv;charset=utf-8," + encodeURIComponent(lines.join("\r\n") + "\r\n"),
	}));
	return paragraph;
};

/* --- light and dark --- */

const remembered = () => {
	try {
		return localStorage.getItem("benchmatrix-theme");
	} catch {
		return null;
	}
};

const isDark = () => {
	const theme = document.documentElement.dataset.theme;
	return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

const addTheme = () => {
	const button = report.element("button", null, {type: "button", class: "theme"});
	const say = () => {
		button.textContent = isDark() ? "Light" : "Dark";
	};

	if (remembered())
		document.documentElement.dataset.theme = remembered();
	say();
	button.addEventListener("click", () => {
		document.documentElement.dataset.theme = isDark() ? "light" : "dark";
		try {
			localStorage.setItem("benchmatrix-theme", document.documentElement.dataset.theme);
		} catch {
			/* not from this folder */
		}
		say();
		document.dispatchEvent(new Event("themechange"));
	});
	document.querySelector("header").append(button);
	addEventListener("beforeprint", () => {
		const before = document.documentElement.dataset.theme;
		document.documentElement.dataset.theme = "light";
		document.dispatchEvent(new Event("themechange"));
		addEventListener("afterprint", () => {
			if (before === undefined)
				delete document.documentElement.dataset.theme;
			else
				document.documentElement.dataset.theme = before;
			document.dispatchEvent(new Event("themechange"));
		}, {once: true});
	});
};

addTheme();
/* What went wrong stands at the end of a log. */
for (const log of document.querySelectorAll("details[open] pre"))
	log.scrollTop = log.scrollHeight;
for (const box of document.querySelectorAll("main .table"))
	report.enliven(box);
