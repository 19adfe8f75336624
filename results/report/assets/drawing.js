/* What the charts are made of: the figures of window.benchmatrix (data.js) in words, choices, the canvas. */
"use strict";

const data = window.benchmatrix;

/* --- figures in words --- */

const labelOf = (key, i) => {
	const column = data.labels[key];
	return column.of[i] < 0 ? null : column.values[column.of[i]];
};
const metricOf = (i) => data.metrics[data.metric[i]];
const benchmarkOf = (i) => [labelOf("benchmark", i), labelOf("block", i)].filter(Boolean).join(" ");
const buildName = (i) => data.builds[data.build[i]].name;
const own = (i) => data.sources[data.source[i]] === "own";
const emulatedTime = (i) => metricOf(i).time && data.environments[data.environment[i]] === "emulator";

const digits = (number) =>
	number >= 1000
		? Math.round(number).toLocaleString("en")
		: number.toLocaleString("en", {maximumSignificantDigits: 4, minimumSignificantDigits: 4});

/* A value as what is drawn: rates of times, else the value itself. */
const rate = (metric, value) => (metric.name === "time" ? 1 / value : value);
const unitOf = (metric, bulk) => {
	if (metric.name === "time")
		return bulk ? "MiB/s" : "ops/s";
	return metric.whole ? metric.unit : metric.unit + (bulk ? "/byte" : "/op");
};
const scaled = (metric, bulk, value) => (metric.name === "time" && bulk ? rate(metric, value) / 1048576 : rate(metric, value));
const higherIsBetter = (metric) => metric.higher || metric.name === "time";
const words = (i, value) => {
	if (value === null || value === undefined)
		return "-";
	return `${digits(scaled(metricOf(i), data.bulk[i], value))} ${unitOf(metricOf(i), data.bulk[i])}`;
};

/* --- what is chosen --- */

const distinct = (values) => Array.from(new Set(values));

const hash = () => new URLSearchParams(location.hash.slice(1));

const addSelect = (controls, title, values, value, change) => {
	const label = report.element("label", title);
	const select = report.element("select");

	for (const one of values) {
		const option = report.element("option", one.text ?? one);
		option.value = one.value ?? one;
		select.append(option);
	}
	select.value = values.some((one) => String(one.value ?? one) === String(value)) ? value : values.length > 0 ? (values[0].value ?? values[0]) : "";
	select.addEventListener("change", () => change(select.value));
	label.append(select);
	controls.append(label);
	return select.value;
};

/* The text that most of them have, the first of several. */
const busiest = (rows, of) => {
	const counts = new Map();
	for (const i of rows)
		counts.set(of(i), (counts.get(of(i)) ?? 0) + 1);
	return Array.from(counts).reduce((most, one) => (one[1] > most[1] ? one : most), [undefined, 0])[0];
};

/* Of each build the best figure. */
const bestOfBuild = (rows) => {
	const best = new Map();
	const cost = (i) => (metricOf(i).higher ? -data.value[i] : data.value[i]);
	for (const i of rows)
		if (!best.has(buildName(i)) || cost(i) < cost(best.get(buildName(i))))
			best.set(buildName(i), i);
	return Array.from(best.values());
};

const platformOf = (i) => labelOf("platform", i) ?? "-";

/* Selects in a row, each of which offers what those before it leave. steps: {title, key, of: i => text, most: what most
 * have is chosen first, first: what is chosen first where it is there}. */
const choose = (controls, rows, steps, chosen, change) => {
	let left = rows;

	controls.replaceChildren();
	for (const step of steps) {
		const values = distinct(left.map(step.of));
		const usual = step.most ? busiest(left, step.of) : (step.first ?? values[0]);
		const value = addSelect(controls, step.title, values, values.includes(chosen[step.key]) ? chosen[step.key] : usual, (picked) => {
			chosen[step.key] = picked;
			change();
		});
		chosen[step.key] = value;
		left = left.filter((i) => step.of(i) === value);
	}
	return left;
};

const all = () => Array.from(data.value.keys());

/* Figures of own builds that are worth a comparison. */
const comparable = () => all().filter((i) => own(i) && !emulatedTime(i) && data.value[i] > 0 && labelOf("benchmark", i) !== "null operation");

/* What the address names, else what is shown first. */
const named = () => {
	const from = hash();
	return {toolchain: from.get("toolchain"), metric: from.get("metric"), benchmark: [from.get("benchmark"), from.get("block")].filter(Boolean).join(" ") || data.first};
};

/* --- the canvas --- */

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const shades = () => ({
	ink: colour("--ink"),
	soft: colour("--soft"),
	line: colour("--line"),
	accent: colour("--accent"),
	good: colour("--good"),
	bad: colour("--bad"),
	card: colour("--card"),
});

const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

/* Draws again where light and dark change. make: shades => configuration of Chart.js. */
const draw = (figure, label, make, rows) => {
	const box = report.element("div", null, {class: "canvas"});
	const canvas = report.element("canvas", null, {role: "img", "aria-label": label + "; the table below has the same figures"});
	let chart = null;
	const again = () => {
		if (!box.isConnected)
			return;
		const s = shades();
		Chart.defaults.color = s.soft;
		Chart.defaults.borderColor = s.line;
		Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
		if (chart)
			chart.destroy();
		const configuration = make(s);
		configuration.options = {responsive: true, maintainAspectRatio: false, animation: still ? false : {duration: 150}, ...configuration.options};
		chart = new Chart(canvas, configuration);
	};

	if (rows)
		box.style.height = `${Math.max(10, 4 + 1.7 * rows)}rem`;
	box.append(canvas);
	figure.append(box);
	again();
	document.addEventListener("themechange", again);
	return box;
};

const show = (place, name, title, columns, rows) => {
	const box = report.table(title, columns, rows);
	place.append(box);
	report.enliven(box);
	place.append(report.csvLink(name, columns, rows));
};

/* Names beside bars, cut where the page is narrow. */
const barNames = {autoSkip: false, callback(value) {
	const text = this.getLabelForValue(value);
	return innerWidth < 700 && text.length > 22 ? text.slice(0, 21) + "\u2026" : text;
}};
