"use strict";
const report = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const categories = report.categories;
const day = (stamp) => (stamp || "").slice(0, 10);
const made = Date.parse(report.made);
const ageOf = (record) => {
  const at = Date.parse(record.updated);
  return isNaN(at) ? null : Math.max(0, Math.floor((made - at) / 86400000));
};
const count = (n, word) => n + " " + (n === 1 ? word : word.replace(/y$/, "ie") + "s");

// element makes an element. Texts are only ever set as text, so nothing that a memory says is markup.
function element(tag, attributes, ...children) {
  const svg = ["svg", "g", "rect", "path", "text", "title", "a"].includes(tag) && !(attributes && attributes.html);
  const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "html") continue;
    if (name === "on") e.addEventListener(value[0], value[1]);
    else if (value !== null && value !== undefined) e.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null) e.append(child);
  return e;
}

function section(title, ...children) {
  page.append(element("section", null, element("h2", null, title), ...children));
}

const colour = (category) => "var(--" + category + ")";
const active = report.records.filter((r) => r.status === "active");
const gone = active.filter((r) => (r.missing || []).length > 0);

function head() {
  const tile = (n, what) => element("div", { class: "tile" }, element("b", null, String(n)), what);
  page.append(
    element("h1", null, "What Keepsake remembers of " + report.project),
    element("p", { class: "soft" }, "Made on " + day(report.made) + " by Keepsake " + report.version +
      ". This file loads nothing and sends nothing."),
    element("div", { class: "tiles" },
      tile(active.length, "active"),
      tile(report.records.filter((r) => r.status === "retired").length, "retired"),
      tile(report.records.filter((r) => r.status === "archived").length, "archived"),
      tile(report.records.filter((r) => r.by).length, "replaced by another"),
      tile(gone.length, "name a file that is gone"),
      tile(report.to_review, "to review")),
    element("p", { class: "soft keys" }, element("kbd", null, "/"), " search  ", element("kbd", null, "j"), " ",
      element("kbd", null, "k"), " next and previous memory  ", element("kbd", null, "Enter"), " open or close  ",
      element("kbd", null, "Esc"), " clear the search"));
  if (report.unreadable.length > 0) {
    page.append(element("p", { class: "warn" }, "Not in this page, because it can't be read: " +
      report.unreadable.join(", ")));
  }
}

function legend() {
  return element("div", { class: "legend" }, categories.map((c) => element("span", null,
    element("span", { class: "dot", style: "background:" + colour(c) }),
    c.replace("_", " ") + " " + active.filter((r) => r.category === c).length)));
}

// The timeline has a column for each month: above the line what was written, below it what ended.
function timeline() {
  const months = new Map();
  const at = (stamp) => {
    const month = (stamp || "").slice(0, 7);
    if (!/^\d{4}-\d{2}$/.test(month)) return null;
    if (!months.has(month)) months.set(month, { made: {}, ended: 0 });
    return months.get(month);
  };
  for (const r of report.records) {
    const begun = at(r.created);
    if (begun) begun.made[r.category] = (begun.made[r.category] || 0) + 1;
    const over = r.ended ? at(r.ended) : null;
    if (over) over.ended++;
  }
  if (months.size === 0) return section("Timeline", element("p", { class: "soft" }, "No memory is dated."));
  const all = [];
  const named = [...months.keys()].sort();
  const first = named[0], last = named[named.length - 1];
  for (let [y, m] = first.split("-").map(Number); ; m === 12 ? (y++, m = 1) : m++) {
    const name = y + "-" + String(m).padStart(2, "0");
    all.push(name);
    if (name >= last || all.length >= 600) break;
  }
  const sum = (made) => Object.values(made).reduce((a, b) => a + b, 0);
  const highest = Math.max(1, ...all.map((m) => months.has(m) ? sum(months.get(m).made) : 0));
  const lowest = Math.max(0, ...all.map((m) => months.has(m) ? months.get(m).ended : 0));
  const wide = Math.max(8, Math.min(46, Math.floor(960 / all.length)));
  const unit = Math.min(24, 150 / highest);
  const base = 24 + highest * unit, bottom = Math.min(60, lowest * unit);
  const drawing = element("svg", { width: all.length * wide + 10, height: base + bottom + 44, role: "img",
    "aria-label": "Memories written and ended, by month" });
  all.forEach((month, i) => {
    const got = months.get(month);
    let y = base;
    if (got) {
      for (const c of categories) {
        const n = got.made[c] || 0;
        if (n === 0) continue;
        y -= n * unit;
        drawing.append(element("rect", { x: i * wide + 1, y: y, width: wide - 2, height: Math.max(1, n * unit - 1),
          style: "fill:" + colour(c) }, element("title", null, month + ": " + n + " " + c)));
      }
      if (sum(got.made) > 0) {
        drawing.append(element("text", { x: i * wide + wide / 2, y: y - 4, "text-anchor": "middle" },
          String(sum(got.made))));
      }
      if (got.ended > 0) {
        drawing.append(element("rect", { x: i * wide + 1, y: base + 2, width: wide - 2,
          height: Math.max(2, Math.min(60, got.ended * unit)), style: "fill:var(--soft);opacity:.45" },
          element("title", null, month + ": " + got.ended + " retired or archived")));
      }
    }
    if (i % Math.ceil(60 / wide) === 0) {
      drawing.append(element("text", { x: i * wide + 1, y: base + bottom + 22, class: "soft" }, month));
    }
  });
  section("Timeline", legend(), element("div", { class: "scroll" }, drawing),
    element("p", { class: "soft" }, "Above: memories written in a month. Below, in grey: retired or archived in it."));
}

// What replaced what: an old memory stands to the left of the one that took its place.
function replacements() {
  const byPath = new Map(report.records.map((r) => [r.path, r]));
  const next = new Map();
  for (const r of report.records) {
    if (r.by && byPath.has(r.by) && r.by !== r.path) next.set(r.path, r.by);
    for (const old of r.took || []) if (byPath.has(old) && old !== r.path && !next.has(old)) next.set(old, r.path);
  }
  if (next.size === 0) {
    return section("What replaced what", element("p", { class: "soft" }, "No memory took the place of another."));
  }
  const before = new Map();
  for (const [old, by] of next) before.set(by, (before.get(by) || []).concat(old));
  const depth = new Map();
  const depthOf = (path, seen) => {
    if (seen.has(path)) return 0; // a circle, which no plan makes
    if (!depth.has(path)) {
      const under = new Set(seen).add(path);
      depth.set(path, Math.max(-1, ...(before.get(path) || []).map((p) => depthOf(p, under))) + 1);
    }
    return depth.get(path);
  };
  const involved = new Set([...next.keys(), ...next.values()]);
  const ends = [...involved].filter((p) => !next.has(p));
  const width = 240, gap = 50, tall = 44, place = new Map();
  let row = 0;
  const put = (path) => {
    if (place.has(path)) return;
    place.set(path, null);
    const olds = before.get(path) || [];
    const begin = row;
    olds.forEach(put);
    const mine = olds.length === 0 ? row++ : (begin + row - 1) / 2;
    place.set(path, { x: depthOf(path, new Set()) * (width + gap) + 2, y: mine * (tall + 12) + 2 });
  };
  ends.concat([...involved]).forEach(put);
  const deepest = Math.max(...[...place.keys()].map((p) => depth.get(p) || 0));
  const drawing = element("svg", { width: (deepest + 1) * (width + gap), height: row * (tall + 12) + 4, role: "img",
    "aria-label": "Which memory took the place of which" });
  for (const [old, by] of next) {
    const a = place.get(old), b = place.get(by);
    const x = a.x + width, y = a.y + tall / 2, u = b.x - 6, v = b.y + tall / 2;
    drawing.append(element("path", { class: "edge", d: `M${x},${y} C${x + 25},${y} ${u - 25},${v} ${u},${v}` }),
      element("path", { class: "head", d: `M${u + 5},${v} l-8,-4 v8 z` }));
  }
  for (const [path, at] of place) {
    const r = byPath.get(path);
    const title = r.title.length > 34 ? r.title.slice(0, 33) + "…" : r.title;
    drawing.append(element("a", { href: "#" + anchor(r), on: ["click", () => open(r)] },
      element("title", null, r.title + " (" + r.status + ")"),
      element("rect", { class: "box", x: at.x, y: at.y, width: width, height: tall, rx: 6,
        style: "stroke:" + colour(r.category) + (r.status === "active" ? "" : ";stroke-dasharray:4 3") }),
      element("text", { x: at.x + 10, y: at.y + 18 }, title),
      element("text", { x: at.x + 10, y: at.y + 35, class: "soft" }, r.category.replace("_", " ") + ", " +
        day(r.updated) + (r.status === "active" ? "" : ", " + r.status))));
  }
  section("What replaced what", element("div", { class: "scroll" }, drawing),
    element("p", { class: "soft" }, "An arrow leads from a memory to the one that took its place. A dashed frame " +
      "is one that no longer counts."));
}

function staleness() {
  const bands = [[30, "up to a month"], [90, "up to 3 months"], [180, "up to 6 months"], [365, "up to a year"],
    [Infinity, "over a year"]];
  const rows = bands.map(([limit, name], i) => {
    const from = i === 0 ? -1 : bands[i - 1][0];
    return [name, active.filter((r) => ageOf(r) !== null && ageOf(r) > from && ageOf(r) <= limit)];
  });
  const undated = active.filter((r) => ageOf(r) === null);
  if (undated.length > 0) rows.push(["undated", undated]);
  const most = Math.max(1, ...rows.map(([, all]) => all.length));
  const link = (r) => element("a", { html: 1, href: "#" + anchor(r), on: ["click", () => open(r)] }, r.title);
  const oldest = active.filter((r) => ageOf(r) !== null && ageOf(r) > 180 && !gone.includes(r))
    .sort((a, b) => ageOf(b) - ageOf(a)).slice(0, 10);
  section("How old they are",
    element("table", null, element("thead", null, element("tr", null, element("th", null, "last changed"),
      element("th", null, "active"), element("th", null, ""))),
      element("tbody", null, rows.map(([name, all]) => element("tr", null, element("td", null, name),
        element("td", null, String(all.length)), element("td", { class: "bars" },
          element("svg", { width: "100%", height: 12, "aria-hidden": "true" },
            element("rect", { class: "bar", width: 100 * all.length / most + "%", height: 12 }))))))),
    gone.length === 0 ? null : element("h3", null, "They name files that are gone"),
    gone.length === 0 ? null : element("ul", null, gone.map((r) => element("li", null, link(r), element("span",
      { class: "warn" }, " " + r.missing.join(", "))))),
    oldest.length === 0 ? null : element("h3", null, "Unchanged for longest"),
    oldest.length === 0 ? null : element("ul", null, oldest.map((r) => element("li", null, link(r),
      element("span", { class: "soft" }, " " + ageOf(r) + " days")))));
}

// What followed when memories were given: counts, no proof that one helped.
function usage() {
  const columns = [["given", "given"], ["used", "then used"], ["corrected", "corrected"],
    ["contradicted", "contradicted"], ["guarded", "guard spoke"], ["broken", "broken"]];
  const value = (u, key) => key === "given" ? (u.with_prompts || 0) + (u.at_starts || 0) : u[key] || 0;
  const rows = report.records.filter((r) => r.usage).sort((a, b) => value(b.usage, "given") - value(a.usage, "given"));
  if (rows.length === 0) {
    return section("What followed when they were given", element("p", { class: "soft" }, "None was given yet."));
  }
  section("What followed when they were given",
    element("div", { class: "scroll" }, element("table", null,
      element("thead", null, element("tr", null, element("th", null, "memory"), columns.map(([, name]) =>
        element("th", null, name)))),
      element("tbody", null, rows.slice(0, 100).map((r) => element("tr", null,
        element("td", null, element("a", { html: 1, href: "#" + anchor(r), on: ["click", () => open(r)] }, r.title),
          r.idle ? element("span", { class: "warn" }, " never used") : null),
        columns.map(([key]) => element("td", null, String(value(r.usage, key))))))))),
    element("p", { class: "soft" }, "These are counts. That the agent used words of a memory does not prove that it " +
      "helped."));
}

function costs() {
  const columns = [["noticed", "noticed"], ["saved", "saved"], ["recalled", "recalled"], ["used", "used"], ["refused", "refused"],
    ["requests", "requests"], ["bytes", "bytes"], ["tokens", "tokens"]];
  const days = Object.keys(report.costs.days).sort();
  const notes = [];
  if (!report.costs.counted) {
    notes.push("Recalls, requests, bytes and tokens are not counted: logging.enabled is off, or logging.level is " +
      "above info.");
  }
  if (report.costs.imported) {
    notes.push("Not counted as noticed: " + report.costs.imported + " of keepsake init.");
  }
  if (report.costs.tokens_per_day) {
    notes.push("At most " + report.costs.tokens_per_day + " tokens a day (budget.tokens_per_day).");
  }
  const row = (name, cost) => element("tr", null, element("td", null, name), columns.map(([key]) =>
    element("td", null, cost[key].toLocaleString("en"))));
  section("What it cost and brought, since " + day(report.since),
    days.length === 0 ? element("p", { class: "soft" }, "Nothing was noticed or recalled in this time.") :
      element("div", { class: "scroll" }, element("table", null,
        element("thead", null, element("tr", null, element("th", null, "day"), columns.map(([, name]) =>
          element("th", null, name)))),
        element("tbody", null, days.map((d) => row(d, report.costs.days[d]))),
        element("tfoot", null, row("all", report.costs.total)))),
    notes.map((n) => element("p", { class: "soft" }, n)));
}

const anchor = (record) => "memory-" + report.records.indexOf(record);
let shown = [];

function open(record) {
  form.reset();
  list();
  const item = document.getElementById(anchor(record));
  item.open = true;
  item.querySelector("summary").focus();
}

// marked returns a text with what was searched for marked.
function marked(text, words) {
  if (words.length === 0) return [text];
  const pattern = new RegExp("(" + words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "giu");
  return text.split(pattern).map((part, i) => i % 2 ? element("mark", null, part) : part);
}

const search = element("input", { type: "search", placeholder: "Search these memories", "aria-label": "Search" });
const option = (value, name) => element("option", { value: value }, name);
const category = element("select", { "aria-label": "Category" }, option("", "all categories"),
  categories.map((c) => option(c, c.replace("_", " "))));
const status = element("select", { "aria-label": "Status" }, option("", "any status"),
  ["active", "retired", "archived"].map((s) => option(s, s)));
const form = element("form", { role: "search", on: ["submit", (e) => e.preventDefault()] }, search, category, status);
const found = element("p", { class: "soft", role: "status" });
const items = element("div");

function list() {
  const words = search.value.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  shown = report.records.filter((r) => (!category.value || r.category === category.value) &&
    (!status.value || r.status === status.value) &&
    words.every((w) => (r.title + "\n" + r.lines.join("\n")).toLocaleLowerCase().includes(w)));
  found.textContent = shown.length === report.records.length ? count(shown.length, "memory") :
    shown.length + " of " + report.records.length;
  items.replaceChildren(...shown.map((r) => element("details", { id: anchor(r) },
    element("summary", null, element("span", { class: "dot", style: "background:" + colour(r.category) }),
      marked(r.title, words), element("span", { class: "soft" }, "  " + [r.category.replace("_", " "),
        day(r.updated), r.status === "active" ? "" : r.status, r.trust].filter(Boolean).join(", "))),
    element("pre", null, marked(r.lines.join("\n"), words)))));
}

function memories() {
  search.addEventListener("input", list);
  category.addEventListener("change", list);
  status.addEventListener("change", list);
  section("The memories", form, found, items);
  list();
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = e.target === search || e.target.tagName === "SELECT";
  if (e.key === "Escape" && typing) {
    form.reset();
    list();
    e.target.blur();
    return;
  }
  if (typing) return;
  if (e.key === "/") {
    e.preventDefault();
    search.focus();
    search.scrollIntoView({ block: "center" });
    return;
  }
  if (e.key !== "j" && e.key !== "k") return;
  const all = [...items.querySelectorAll("summary")];
  const at = all.indexOf(document.activeElement);
  const to = at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + (e.key === "j" ? 1 : -1)));
  if (all[to]) all[to].focus();
});

let closed = [];
window.addEventListener("beforeprint", () => {
  closed = [...items.querySelectorAll("details:not([open])")];
  closed.forEach((d) => { d.open = true; });
});
window.addEventListener("afterprint", () => closed.forEach((d) => { d.open = false; }));

head();
timeline();
replacements();
staleness();
costs();
usage();
memories();
