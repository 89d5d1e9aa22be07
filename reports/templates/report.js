"use strict";
/* Adds to a page that is complete without it: a crosshair with values, zoom, filters, copying, keys. Nothing is fetched or stored. */
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const draw = (name, attributes, words = "") => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = words;
    return made;
  };
  const list = (value) => (Array.isArray(value) ? value : []);

  let report = {};
  try {
    report = JSON.parse(document.getElementById("report-json").textContent) || {};
  } catch {
    report = {};
  }
  const launchOf = (id) => list(report.launches).find((one, index) => String(one.id ?? index) === id) || {};
  const status = make("p", { className: "quiet status-line" });
  status.setAttribute("role", "status");
  const say = (words) => { status.textContent = words; };

  /* Time: every plot of a launch shares one stretch [lo, hi] in seconds since its start. */
  const LEFT = 92, RIGHT = 872;
  const stretches = new Map();
  const plots = all("div.plot").map((box) => {
    const id = box.dataset.launchIndex;
    if (!stretches.has(id)) stretches.set(id, { lo: Number(box.dataset.begin), hi: Number(box.dataset.end), begin: Number(box.dataset.begin), end: Number(box.dataset.end), at: null });
    const svg = box.querySelector("svg");
    const movable = all(".movable, .movable > *", svg).filter((one) => one.tagName !== "g").map((one) => ({ one, was: original(one) }));
    const cross = draw("line", { class: "cross", y1: 12, y2: svg.viewBox.baseVal.height - 22, visibility: "hidden" });
    const label = draw("text", { class: "crosslabel", y: 10, visibility: "hidden" });
    svg.append(cross, label);
    return { box, svg, id, movable, cross, label, start: box.dataset.start, outputs: all("output", box.closest("figure") || document.createElement("i")) };
  });

  function original(one) {
    const was = {};
    for (const name of ["x", "x1", "x2", "width", "d"]) if (one.hasAttribute(name)) was[name] = one.getAttribute(name);
    if (one.matches(".event, .artefact")) {
      const xs = Array.from(was.d.matchAll(/(-?[\d.]+),/g), (found) => Number(found[1]));
      was.at = (Math.min(...xs) + Math.max(...xs)) / 2; /* a mark moves and keeps its form */
    }
    return was;
  }

  const place = (stretch, t) => LEFT + ((t - stretch.lo) / (stretch.hi - stretch.lo)) * (RIGHT - LEFT);
  const moment = (stretch, x) => stretch.lo + ((x - LEFT) / (RIGHT - LEFT)) * (stretch.hi - stretch.lo);

  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  function clock(start, t) {
    const zero = start ? Date.parse(`${start}Z`) : NaN;
    if (Number.isNaN(zero)) return t < 3600 ? `+${Math.floor(t / 60)}:${two(t % 60)}` : `+${Math.floor(t / 3600)}:${two((t % 3600) / 60)}:${two(t % 60)}`;
    return new Date(zero + t * 1000).toISOString().slice(11, 19);
  }

  function redraw(id) {
    const stretch = stretches.get(id);
    const full = { lo: stretch.begin, hi: stretch.end };
    const moved = (x) => Number(place(stretch, moment(full, Number(x))).toFixed(2));
    for (const plot of plots.filter((one) => one.id === id)) {
      for (const { one, was } of plot.movable) {
        if (was.d) one.setAttribute("d", was.d.replace(/(-?[\d.]+),(-?[\d.]+)/g, (_, x, y) => `${was.at === undefined ? moved(x) : Number(x) - was.at + moved(was.at)},${y}`));
        for (const name of ["x1", "x2"]) if (was[name]) one.setAttribute(name, moved(was[name]));
        if (was.x) one.setAttribute("x", moved(was.x));
        if (was.width) one.setAttribute("width", Math.max(1.5, moved(Number(was.x) + Number(was.width)) - moved(was.x)));
      }
      const axis = plot.svg.querySelector(".times");
      const y = Number(axis.dataset.y);
      const span = stretch.hi - stretch.lo;
      const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400].find((s) => span / s <= 8) || span / 8;
      const midnight = plot.start ? (Date.parse(`${plot.start}Z`) / 1000) % 86400 || 0 : 0;
      axis.replaceChildren();
      for (let n = Math.ceil((stretch.lo + midnight) / step); n * step - midnight <= stretch.hi; n += 1) {
        const t = n * step - midnight, x = place(stretch, t);
        axis.append(draw("line", { class: "axis", x1: x, x2: x, y1: y, y2: y + 4 }), draw("text", { class: "tick middle", x, y: y + 17 }, clock(plot.start, t)));
      }
    }
    point(id, stretch.at);
  }

  function zoom(id, lo, hi) {
    const stretch = stretches.get(id);
    const least = (stretch.end - stretch.begin) / 2000;
    stretch.lo = Math.max(stretch.begin, Math.min(lo, stretch.end - least));
    stretch.hi = Math.min(stretch.end, Math.max(hi, stretch.lo + least));
    redraw(id);
    const part = stretch.hi - stretch.lo < (stretch.end - stretch.begin) * 0.999;
    say(part ? `Charts show ${clock(plots.find((p) => p.id === id).start, stretch.lo)} to ${clock(plots.find((p) => p.id === id).start, stretch.hi)}. Escape or a double click shows all.` : "Charts show the whole launch.");
  }

  /* The crosshair: one moment in all plots of a launch, with the values there. */
  function nearest(times, t) {
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    return Math.abs(times[low] - t) <= Math.abs(times[high] - t) ? low : high;
  }
  const digits = (value) => (Math.abs(value) >= 1000 || Number.isInteger(value) ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(4))));

  function values(output, launch, t) {
    const series = output.dataset.series.split(" ").map((index) => list(launch.series)[Number(index)]).filter((one) => one && list(one.t).length);
    if (!series.length) return "";
    let lo = Infinity, hi = -Infinity, artefact = false;
    for (const one of series) {
      const i = nearest(one.t, t);
      lo = Math.min(lo, one.lo[i]);
      hi = Math.max(hi, one.hi[i]);
      artefact = artefact || Boolean(list(one.flags)[i]);
    }
    const unit = output.dataset.unit && output.dataset.unit !== "share" ? ` ${output.dataset.unit}` : "";
    return (lo === hi ? digits(hi) : `${digits(lo)} … ${digits(hi)}`) + unit + (artefact ? " (artefact)" : "");
  }

  function point(id, t) {
    const stretch = stretches.get(id);
    stretch.at = t;
    const launch = launchOf(id);
    for (const plot of plots.filter((one) => one.id === id)) {
      const hidden = t === null || t < stretch.lo || t > stretch.hi;
      for (const one of [plot.cross, plot.label]) one.setAttribute("visibility", hidden ? "hidden" : "visible");
      if (!hidden) {
        const x = place(stretch, t);
        plot.cross.setAttribute("x1", x);
        plot.cross.setAttribute("x2", x);
        plot.label.setAttribute("x", x);
        plot.label.setAttribute("text-anchor", x > 800 ? "end" : x < 150 ? "start" : "middle");
        plot.label.textContent = clock(plot.start, t);
      }
      for (const output of plot.outputs) output.textContent = hidden ? "" : values(output, launch, t);
    }
  }

  for (const plot of plots) {
    const { box, svg, id } = plot;
    let from = null;
    const brush = draw("rect", { class: "brush", y: 12, height: svg.viewBox.baseVal.height - 34, visibility: "hidden" });
    svg.append(brush);
    const under = (event) => {
      const x = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()).x;
      return Math.min(RIGHT, Math.max(LEFT, x));
    };
    svg.addEventListener("pointermove", (event) => {
      const x = under(event);
      point(id, moment(stretches.get(id), x));
      if (from !== null) {
        brush.setAttribute("x", Math.min(from, x));
        brush.setAttribute("width", Math.abs(x - from));
        brush.setAttribute("visibility", "visible");
      }
    });
    svg.addEventListener("pointerleave", () => { if (from === null) point(id, null); });
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      from = under(event);
      svg.setPointerCapture(event.pointerId);
      event.preventDefault();
      box.focus({ preventScroll: true });
    });
    svg.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const to = under(event), stretch = stretches.get(id);
      brush.setAttribute("visibility", "hidden");
      if (Math.abs(to - from) > 6) zoom(id, moment(stretch, Math.min(from, to)), moment(stretch, Math.max(from, to)));
      from = null;
    });
    svg.addEventListener("dblclick", () => zoom(id, stretches.get(id).begin, stretches.get(id).end));
    box.addEventListener("keydown", (event) => {
      const stretch = stretches.get(id), span = stretch.hi - stretch.lo, at = stretch.at ?? stretch.lo + span / 2;
      const to = { ArrowLeft: at - span / 100, ArrowRight: at + span / 100, Home: stretch.lo, End: stretch.hi }[event.key];
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (to !== undefined) point(id, Math.min(stretch.hi, Math.max(stretch.lo, to)));
      else if (event.key === "+" || event.key === "=") zoom(id, at - span / 4, at + span / 4);
      else if (event.key === "-") zoom(id, at - span, at + span);
      else if (event.key === "Escape") { point(id, null); zoom(id, stretch.begin, stretch.end); }
      else return;
      event.preventDefault();
      if (to !== undefined) say(plot.outputs.map((one) => one.textContent).filter(Boolean).join("; "));
    });
    box.addEventListener("blur", () => point(id, null));
  }

  /* Filters: what carries a severity, a rank or a launch can be hidden by it. */
  const subjects = all("[data-severity]");
  const order = ["error", "warning", "note"];
  const chosen = { severity: "", rank: "", launch: "" };
  function filter() {
    let shown = 0;
    for (const one of subjects) {
      const data = one.dataset;
      const keep = (!chosen.severity || order.indexOf(data.severity) <= order.indexOf(chosen.severity))
        && (!chosen.rank || !data.rank || data.rank === chosen.rank || (one.tagName === "TR" && data.rank.split(",").includes(chosen.rank)))
        && (!chosen.launch || !data.launch || data.launch.split(" ").includes(chosen.launch));
      one.hidden = !keep;
      shown += keep ? 1 : 0;
    }
    for (const one of all("path.line[data-rank]")) one.classList.toggle("dim", Boolean(chosen.rank) && one.dataset.rank !== chosen.rank);
    for (const one of all("#memory [data-rank]")) one.hidden = Boolean(chosen.rank) && one.dataset.rank !== "" && one.dataset.rank !== chosen.rank;
    say(shown === subjects.length ? "" : `${shown} of ${subjects.length} findings and events are shown.`);
  }
  function choice(name, title, options) {
    const select = make("select", { onchange: () => { chosen[name] = select.value; filter(); } });
    for (const [value, words] of options) select.append(make("option", { value, textContent: words }));
    return make("label", {}, `${title} `, select);
  }
  const distinct = (key) => [...new Set(subjects.flatMap((one) => (one.dataset[key] || "").split(key === "launch" ? " " : ",")).filter(Boolean))].sort();

  /* Copy as Markdown: what a ticket needs, from the data and not from the page. */
  const fence = (text) => {
    const longest = Math.max(2, ...(text.match(/`+/g) || []).map((run) => run.length));
    const marks = "`".repeat(longest + 1);
    return `${marks}\n${text}\n${marks}`;
  };
  const plainly = (text) => String(text ?? "").replace(/\s+/g, " ").replace(/([\\`*_{}[\]<>#|~])/g, "\\$1");
  function markdown() {
    const verdict = report.verdict || {}, launch = launchOf(String(verdict.launch ?? ""));
    const range = verdict.fraction_range || {};
    const lines = [`## ${plainly(verdict.sentence || document.title)}`, ""];
    lines.push(`- **Cause:** \`${verdict.cause || "unknown"}\` (${verdict.confidence || "possible"})`);
    lines.push(`- **--mem-fraction-static:** ${verdict.fraction || "leave"}${range.lo !== undefined && range.hi !== undefined ? `, usable ${range.lo} to ${range.hi}` : ""}`);
    if (launch.state) lines.push(`- **State:** ${plainly(launch.state.replaceAll("_", " "))}, ${plainly(launch.start || "start unknown")} to ${plainly(launch.end || "end unknown")}`);
    for (const one of list(report.inputs)) lines.push(`- **Log:** ${plainly(one.path)}, ${one.lines} lines, SHA-256 ${one.sha256}`);
    if (list(verdict.evidence).length) lines.push("", "### Lines that prove it", ...list(verdict.evidence).map((one) => `\n${plainly(one.path)}:${one.line}\n${fence(String(one.text ?? ""))}`));
    if (list(verdict.actions).length) lines.push("", "### What to do next", ...list(verdict.actions).slice(0, 5).map((one, i) => `${i + 1}. **${plainly(one.do)}** ${plainly(one.why)}${one.verify ? ` Verify: ${plainly(one.verify)}` : ""}`));
    if (verdict.command) lines.push("", fence(verdict.command));
    if (list(verdict.ruled_out).length) lines.push("", "### Ruled out", ...list(verdict.ruled_out).map((one) => `- \`${one.cause}\`: ${plainly(one.why)}`));
    return `${lines.join("\n")}\n`;
  }
  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      area.setAttribute("aria-hidden", "true");
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(`${what} copied.`);
    return text;
  }

  /* The tools, and keys that can be switched off. */
  const button = (words, onclick) => make("button", { type: "button", textContent: words, onclick });
  const folds = () => all("main details");
  function unfold() {
    const open = folds().some((one) => !one.open);
    for (const one of folds()) one.open = open;
    say(open ? "Everything is unfolded." : "Everything is folded.");
  }
  const keys = make("input", { type: "checkbox", checked: true });
  const help = make("dialog", { className: "help" });
  const shortcuts = [["j, k", "next, previous section"], ["n, p", "next, previous finding"], ["f", "to the filters"], ["o", "unfold or fold everything"], ["c", "copy as Markdown"], ["?", "this list"], ["on a chart: ← →", "move the crosshair"], ["on a chart: + −", "zoom in, out; Escape shows all"]];
  const listed = make("dl");
  for (const [key, words] of shortcuts) listed.append(make("div", {}, make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: words })));
  const heading = make("h2", { id: "keys-heading", textContent: "Keys" });
  help.setAttribute("aria-labelledby", "keys-heading");
  help.append(heading, listed, make("form", { method: "dialog" }, make("button", { textContent: "Close" })));
  const tools = make("div", { className: "tools" });
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "Tools for reading");
  tools.append(choice("severity", "Show", [["", "everything"], ["error", "errors"], ["warning", "errors and warnings"]]));
  const ranks = distinct("rank"), launches = distinct("launch");
  if (ranks.length > 1) tools.append(choice("rank", "rank", [["", "all"], ...ranks.map((one) => [one, one])]));
  if (launches.length > 1) tools.append(choice("launch", "launch", [["", "all"], ...launches.map((one) => [one, `#${one}`])]));
  tools.append(button("Copy as Markdown", () => copy(markdown(), "The postmortem as Markdown is")), button("Unfold all", unfold), button("Keys", () => help.showModal()), make("label", { className: "switch" }, keys, " keys on"), status);
  const masthead = document.querySelector(".masthead");
  masthead.append(tools);
  document.body.append(help);
  for (const pre of all("pre.command")) pre.after(button("Copy the command", () => copy(pre.textContent, "The command is")));

  function step(found, by) {
    const here = found.findIndex((one) => one.getBoundingClientRect().top > 40);
    const before = here === -1 ? found.length : here;
    const wanted = found[by > 0 ? Math.min(found.length - 1, before) : Math.max(0, found.findLastIndex((one) => one.getBoundingClientRect().top < -4))];
    if (!wanted) return;
    reveal(wanted);
    wanted.tabIndex = -1;
    wanted.scrollIntoView({ block: "start" });
    wanted.focus({ preventScroll: true });
  }
  const actions = {
    j: () => step(all("main > section"), 1), k: () => step(all("main > section"), -1),
    n: () => step(all("[id^='finding-']").filter((one) => !one.hidden), 1), p: () => step(all("[id^='finding-']").filter((one) => !one.hidden), -1),
    f: () => tools.querySelector("select").focus(), o: unfold, c: () => copy(markdown(), "The postmortem as Markdown is"), "?": () => help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (!keys.checked || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || help.open) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const action = actions[event.key];
    if (action) { event.preventDefault(); action(); }
  });

  /* Links into folded parts open them; printing opens what matters. */
  function reveal(target) {
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  }
  function follow() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) { reveal(target); target.scrollIntoView({ block: "center" }); }
  }
  addEventListener("hashchange", follow);
  if (location.hash) follow();
  let opened = [];
  addEventListener("beforeprint", () => { opened = all("details.keep:not([open])"); for (const one of opened) one.open = true; });
  addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

  const links = new Map(all(".contents a").map((one) => [one.hash.slice(1), one]));
  if ("IntersectionObserver" in window) {
    const seen = new Set();
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) seen.add(entry.target.id); else seen.delete(entry.target.id);
      const first = [...links.keys()].find((id) => seen.has(id));
      for (const [id, one] of links) if (id === first) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current");
    }, { rootMargin: "-10% 0px -60% 0px" });
    for (const section of all("main > section")) watch.observe(section);
  }
  document.documentElement.classList.add("scripted");
  window.logscope = Object.freeze({ markdown, zoom, point });
})();
