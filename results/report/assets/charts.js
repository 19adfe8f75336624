/* The charts, each into its figure; beside each stands a table. */
"use strict";

/* --- heat map --- */

const heatOf = (values, higher) => {
	const known = values.filter((value) => value > 0);
	const low = Math.log(Math.min(...known)), high = Math.log(Math.max(...known));
	return (value) => {
		if (!(value > 0) || high === low)
			return undefined;
		const position = (Math.log(value) - low) / (high - low);
		return higher ? position : 1 - position;
	};
};

const heat = (figure) => {
	const rows = comparable();
	const controls = report.element("div", null, {class: "controls"}), place = report.element("div");
	const chosen = named();
	const again = () => {
		const left = choose(controls, rows, [
			{title: "Benchmark", key: "benchmark", of: benchmarkOf},
			{title: "Metric", key: "metric", of: (i) => metricOf(i).name},
		], chosen, again);
		const toolchains = distinct(left.map((i) => labelOf("toolchain", i)));
		const names = distinct(left.map(buildName));
		const columns = [{title: "Toolchain"}, ...names.map((title) => ({title, right: true}))];
		const lines = toolchains.map((toolchain) => {
			const every = left.filter((i) => labelOf("toolchain", i) === toolchain);
			const place = metricOf(left[0]).exact ? null : busiest(every, platformOf);
			const mine = bestOfBuild(every.filter((i) => place === null || platformOf(i) === place));
			const shade = heatOf(mine.map((i) => data.value[i]), metricOf(mine[0]).higher);
			return [{text: toolchain}, ...names.map((name) => {
				const i = mine.find((one) => buildName(one) === name);
				return i === undefined ? null : {text: words(i, data.value[i]), v: data.value[i], href: `build-${data.build[i]}.html`, heat: shade(data.value[i])};
			})];
		});
		place.replaceChildren();
		show(place, "heat.csv", `${chosen.benchmark} by ${chosen.metric}: toolchains by builds`, columns, lines);
	};

	if (rows.length === 0)
		return;
	figure.append(controls, place);
	again();
	for (const fixed of document.querySelectorAll(".static"))
		fixed.hidden = true;
};

/* --- footprint against speed --- */

/* Those that no other beats in both. points: {size, cost}. */
const markFront = (points) => {
	for (const one of points)
		one.front = !points.some((other) => other !== one && other.size <= one.size && other.cost <= one.cost &&
			(other.size < one.size || other.cost < one.cost));
};

const paretoPoints = (left) => {
	const points = left.map((i) => ({
		i,
		size: data.builds[data.build[i]].size,
		cost: metricOf(i).higher ? -data.value[i] : data.value[i],
		y: scaled(metricOf(i), data.bulk[i], data.value[i]),
	})).filter((point) => point.size !== null);
	markFront(points);
	return points.sort((a, b) => a.size - b.size);
};

const paretoChart = (points, s) => {
	const metric = metricOf(points[0].i), bulk = data.bulk[points[0].i];
	const at = (point) => ({x: point.size / 1024, y: point.y, point});
	return {
		type: "scatter",
		data: {
			datasets: [
				{label: "on the front", data: points.filter((p) => p.front).map(at), showLine: true, stepped: false, borderColor: s.accent, backgroundColor: s.accent, pointRadius: 6, pointHoverRadius: 8},
				{label: "beaten in both", data: points.filter((p) => !p.front).map(at), borderColor: s.soft, backgroundColor: "transparent", pointRadius: 5, pointHoverRadius: 7},
			],
		},
		options: {
			scales: {
				x: {title: {display: true, text: "library size, KiB"}},
				y: {title: {display: true, text: unitOf(metric, bulk) + (higherIsBetter(metric) ? "" : ", fewer is better")}, reverse: !higherIsBetter(metric)},
			},
			plugins: {
				legend: {labels: {usePointStyle: true, boxHeight: 7}},
				tooltip: {callbacks: {label: (item) => `${buildName(item.raw.point.i)}: ${words(item.raw.point.i, data.value[item.raw.point.i])}, ${item.raw.x.toFixed(1)} KiB`}},
			},
			onClick: (event, items, chart) => {
				if (items.length > 0)
					location.href = `build-${data.build[chart.data.datasets[items[0].datasetIndex].data[items[0].index].point.i]}.html`;
			},
		},
	};
};

const pareto = (figure) => {
	const rows = comparable().filter((i) => !metricOf(i).whole && labelOf("toolchain", i));
	const controls = report.element("div", null, {class: "controls"}), place = report.element("div");
	const chosen = named();
	const again = () => {
		const left = choose(controls, rows, [
			{title: "Toolchain", key: "toolchain", of: (i) => labelOf("toolchain", i)},
			{title: "Benchmark", key: "benchmark", of: benchmarkOf},
			{title: "Metric", key: "metric", of: (i) => metricOf(i).name},
			{title: "Platform", key: "platform", of: (i) => (metricOf(i).exact ? "any: it is a count" : platformOf(i)), most: true},
		], chosen, again);
		const points = paretoPoints(bestOfBuild(left));
		place.replaceChildren();
		if (points.length === 0) {
			place.append(report.element("p", "No build of these has a known size."));
			return;
		}
		draw(place, `${chosen.toolchain}, ${chosen.benchmark}: size against speed`, (s) => paretoChart(points, s));
		const columns = [{title: "Flags"}, {title: chosen.benchmark, right: true}, {title: "Library", right: true}, {title: "Front"}];
		show(place, "pareto.csv", `${chosen.toolchain}: ${chosen.benchmark} and size`, columns, points.slice().sort((a, b) => a.cost - b.cost || a.i - b.i).map((p) => [
			{text: buildName(p.i), href: `build-${data.build[p.i]}.html`},
			{text: words(p.i, data.value[p.i]), v: data.value[p.i]},
			{text: `${(p.size / 1024).toFixed(1)} KiB`, v: p.size},
			{text: p.front ? "nothing is smaller and faster" : ""},
		]));
	};

	if (rows.length === 0) {
		figure.append(report.element("p", "No build has a figure yet."));
		return;
	}
	figure.append(controls, place);
	again();
	addEventListener("hashchange", () => location.reload());
};

/* --- before and after --- */

/* Around 1, as far as the figures go: small changes by a plain scale, large ones by one of ratios. */
const ratioScale = (rows) => {
	const ends = rows.flatMap((row) => [row.ratio, row.low ?? row.ratio, row.high ?? row.ratio]).filter((end) => end > 0);
	const most = 1.1 * Math.max(0.001, ...ends.map((end) => Math.abs(end - 1)));
	return most < 0.5
		? {type: "linear", min: 1 - most, max: 1 + most}
		: {type: "logarithmic", min: Math.min(1, ...ends) / 1.1, max: Math.max(1, ...ends) * 1.1};
};

const bars = (figure) => {
	/* What is smaller stands in the tables. */
	const rows = data.changes.filter((row) => Math.abs(row.ratio - 1) >= 0.001).sort((a, b) => a.ratio - b.ratio);
	if (rows.length === 0) {
		figure.append(report.element("p", "Nothing changed by 0.1 % or more."));
		return;
	}
	const shown = rows.length <= 40 ? rows : [...rows.slice(0, 20), ...rows.slice(-20)];
	const metrics = distinct(shown.map((row) => row.metric)).length, toolchains = distinct(shown.map((row) => row.toolchain)).length;
	draw(figure, figure.dataset.label, (s) => ({
		type: "bar",
		data: {
			labels: shown.map((row) => [row.benchmark, metrics > 1 ? data.metrics[row.metric].name : null, row.build, toolchains > 1 ? row.toolchain : null].filter(Boolean).join(", ")),
			datasets: [
				{type: "line", label: "ratio", data: shown.map((row) => row.ratio), showLine: false, pointRadius: 5, pointBackgroundColor: shown.map((row) => (row.ratio < 1 ? s.bad : s.good)), borderColor: s.ink},
				{label: "interval", data: shown.map((row) => (row.low === null || row.high === null ? [row.ratio, row.ratio] : [row.low, row.high])), backgroundColor: s.soft + "66", barThickness: 6},
				{label: "from 1", data: shown.map((row) => [Math.min(1, row.ratio), Math.max(1, row.ratio)]), backgroundColor: shown.map((row) => (row.ratio < 1 ? s.bad : s.good) + "33"), barThickness: 14, grouped: false},
			],
		},
		options: {
			indexAxis: "y",
			scales: {
				x: {...ratioScale(shown), title: {display: true, text: "after against before: above 1 is better"}},
				y: {ticks: barNames},
			},
			plugins: {
				legend: {display: false},
				tooltip: {callbacks: {label: (item) => {
					const row = shown[item.dataIndex];
					return `${row.ratio.toFixed(row.ratio > 0.99 && row.ratio < 1.01 ? 4 : 2)}x ${row.verdict ?? ""} (${data.metrics[row.metric].name}, ${row.toolchain})`;
				}}},
			},
			onClick: (event, items) => {
				if (items.length > 0 && shown[items[0].index].series >= 0)
					location.href = `history.html#series=${shown[items[0].index].series}`;
			},
		},
	}), shown.length);
};

/* --- history --- */

const changeLines = {
	id: "changes",
	afterDatasetsDraw(chart, args, options) {
		const {ctx, chartArea, scales} = chart;
		ctx.save();
		ctx.strokeStyle = options.colour;
		ctx.setLineDash([4, 4]);
		for (const at of options.at || []) {
			const x = scales.x.getPixelForValue(at);
			ctx.beginPath();
			ctx.moveTo(x, chartArea.top);
			ctx.lineTo(x, chartArea.bottom);
			ctx.stroke();
		}
		ctx.restore();
	},
};

const day = (at) => new Date(at).toISOString().slice(0, 16).replace("T", " ");

/* A level that never moved is drawn in the middle, not as if a fraction of an instruction counted. */
const flatRange = (values) => {
	const low = Math.min(...values), high = Math.max(...values);
	return high - low > 1e-9 * Math.abs(high) ? {grace: "10%"} : {suggestedMin: 0.95 * low, suggestedMax: 1.05 * high};
};

/* Of a short time the hour is shown too. */
const tickOf = (series) => {
	const span = data.runs[series.x[series.x.length - 1]].at - data.runs[series.x[0]].at;
	return span > 5 * 86400000 ? (at) => day(at).slice(0, 10) : (at) => day(at).slice(5);
};

const historyChart = (i, s) => {
	const series = data.history[i], metric = metricOf(i);
	const changes = series.c || [];
	const points = series.x.map((run, n) => ({x: data.runs[run].at, y: scaled(metric, data.bulk[i], series.y[n]), run}));
	return {
		type: "line",
		data: {
			datasets: [{
				label: `${benchmarkOf(i)}, ${unitOf(metric, data.bulk[i])}`,
				data: points,
				borderColor: s.accent,
				backgroundColor: s.accent,
				stepped: metric.exact ? "before" : false,
				pointRadius: 3,
			}],
		},
		options: {
			scales: {
				x: {type: "linear", ticks: {callback: tickOf(series), maxRotation: 45, autoSkipPadding: 20}},
				y: {title: {display: true, text: unitOf(metric, data.bulk[i]) + (higherIsBetter(metric) ? "" : ", fewer is better")}, ...flatRange(points.map((point) => point.y))},
			},
			plugins: {
				legend: {display: false},
				changes: {at: changes.map((change) => (data.runs[change[0]].at + data.runs[change[1]].at) / 2), colour: s.bad},
				tooltip: {callbacks: {title: (items) => day(items[0].raw.x), label: (item) => {
					const run = data.runs[item.raw.run];
					return `${digits(item.raw.y)} ${unitOf(metric, data.bulk[i])}, run ${run.run.slice(0, 8)}${run.revision ? ", " + run.revision.slice(0, 12) : ""}`;
				}}},
			},
		},
		plugins: [changeLines],
	};
};

const historyRows = (i) => {
	const series = data.history[i];
	return series.x.map((run, n) => {
		const change = (series.c || []).find((one) => one[1] === run);
		return [
			{text: day(data.runs[run].at)},
			{text: data.runs[run].run.slice(0, 8)},
			{text: data.runs[run].revision ?? "-"},
			{text: words(i, series.y[n]), v: series.y[n]},
			{text: change ? `${change[2].toFixed(3)}x` : ""},
		];
	});
};

const history_ = (figure) => {
	const rows = Object.keys(data.history).map(Number).filter((i) => !emulatedTime(i));
	const controls = report.element("div", null, {class: "controls"}), place = report.element("div");
	const steps = [
		{title: "Toolchain", key: "toolchain", of: (i) => labelOf("toolchain", i) ?? "-"},
		{title: "Build", key: "build", of: buildName},
		{title: "Benchmark", key: "benchmark", of: benchmarkOf, first: data.first},
		{title: "Metric", key: "metric", of: (i) => metricOf(i).name},
		{title: "Platform", key: "platform", of: platformOf},
	];
	const chosen = {};
	const again = () => {
		const left = choose(controls, rows, steps, chosen, again);
		const i = left[0];
		place.replaceChildren();
		draw(place, `${benchmarkOf(i)} over runs`, (s) => historyChart(i, s));
		show(place, "history.csv", "points", [{title: "Time (UTC)"}, {title: "Run"}, {title: "Revision"}, {title: "Value", right: true}, {title: "Change", right: true}], historyRows(i));
	};
	const from = () => {
		const i = Number(hash().get("series"));
		if (hash().get("series") !== null && data.history[i])
			for (const step of steps)
				chosen[step.key] = step.of(i);
		return hash().get("series") === null || data.history[i];
	};

	if (rows.length === 0) {
		figure.append(report.element("p", "No series has two points yet."));
		return;
	}
	if (!from())
		figure.append(report.element("p", "That series has one point only; another one is shown."));
	figure.append(controls, place);
	again();
	addEventListener("hashchange", () => {
		from();
		again();
	});
};

/* --- charts of the table beside them --- */

const ciphers = (figure) => {
	const table = figure.parentElement.querySelector("table");
	const heads = Array.from(table.tHead.rows[0].cells, (th) => th.textContent);
	const controls = report.element("div", null, {class: "controls"}), place = report.element("div");
	const again = (column) => {
		const rows = Array.from(table.tBodies[0].rows, (row) => ({name: row.cells[0].textContent, value: Number(row.cells[column].dataset.v)}))
			.filter((row) => row.value > 0);
		const yardstick = rows.find((row) => row.value === 1)?.name ?? "the first";
		rows.sort((a, b) => b.value - a.value);
		place.replaceChildren();
		draw(place, `${figure.dataset.label}: ${heads[column]}`, (s) => ({
			type: "bar",
			data: {labels: rows.map((row) => row.name), datasets: [{label: `times ${yardstick}`, data: rows.map((row) => row.value), backgroundColor: s.accent, borderRadius: 3}]},
			options: {indexAxis: "y", scales: {x: {title: {display: true, text: `times the speed of ${yardstick}`}}, y: {ticks: barNames}}, plugins: {legend: {display: false}}},
		}), rows.length);
	};

	addSelect(controls, "Platform", heads.slice(1).map((text, n) => ({text, value: n + 1})), 1, (value) => again(Number(value)));
	figure.append(controls, place);
	again(1);
};

const tlsOperation = (i) => labelOf("benchmark", i).split(" ").pop();
const tlsName = (i) => [labelOf("benchmark", i).split(" ")[0], labelOf("library", i), labelOf("config", i) && buildName(i)].filter(Boolean).join(", ");

const tlsBars = (rows, s) => {
	const metric = metricOf(rows[0]), unit = metric.name === "time" ? "per second" : metric.unit;
	return {
		type: "bar",
		data: {labels: rows.map(tlsName), datasets: [{label: unit, data: rows.map((i) => rate(metric, data.value[i])), backgroundColor: s.accent, borderRadius: 3}]},
		options: {indexAxis: "y", scales: {x: {title: {display: true, text: unit + (higherIsBetter(metric) ? "" : ", fewer is better")}}, y: {ticks: barNames}}, plugins: {legend: {display: false}}},
	};
};

const tls = (figure) => {
	const rows = all().filter((i) => /^tls/.test(labelOf("benchmark", i) ?? "") && !data.bulk[i] && !emulatedTime(i) && data.value[i] > 0);
	const controls = report.element("div", null, {class: "controls"}), place = report.element("div");
	const chosen = {};
	const again = () => {
		const left = choose(controls, rows, [
			{title: "Operation", key: "operation", of: tlsOperation},
			{title: "Metric", key: "metric", of: (i) => metricOf(i).name, first: rows.some((i) => metricOf(i).name === "time") ? "time" : "instructions"},
		], chosen, again).sort((a, b) => (metricOf(a).higher ? -1 : 1) * (data.value[a] - data.value[b])).slice(0, 40);
		place.replaceChildren();
		draw(place, `${figure.dataset.label}: ${chosen.operation}`, (s) => tlsBars(left, s), left.length);
	};

	if (rows.length === 0) {
		figure.append(report.element("p", "No handshake was measured."));
		return;
	}
	figure.append(controls, place);
	again();
};

const kinds = {heat, pareto, bars, history: history_, ciphers, tls};
for (const figure of document.querySelectorAll("figure[data-chart]"))
	if (data && window.Chart && kinds[figure.dataset.chart])
		kinds[figure.dataset.chart](figure);
