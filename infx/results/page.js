"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  const words = JSON.parse($("words").textContent);
  const specs = JSON.parse($("specs").textContent);
  const inflate = async (text) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  const data = JSON.parse(await inflate($("data").textContent));
  const reader = (column) => (column.v ? (at) => column.v[at] : (at) => column.d[column.i[at]]);
  const readers = (columns) => Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, reader(one)]));
  const row = readers(data.row), known = readers(data.known), own = readers(data.shown);
  const all = Array.from({ length: data.count }, (_, at) => at);
  const newest = new Set(data.newest);
  const edges = Object.fromEntries(Object.entries(data.edges).map(([name, list]) => [name, new Set(list)]));
  const isEval = (at) => own.score(at) !== null && own.score(at) !== undefined;
  const moment = (at) => known.published(at) || own.measured(at) || 0;
  const day = (seconds) => (seconds ? new Date(seconds * 1000).toISOString().slice(0, 10) : "–");

  // What a link carries: everything that was chosen, and nothing that is as usual.
  const FILTERS = [["model", known.prefix], ["hardware", own.hw], ["framework", own.framework],
    ["precision", own.precision], ["scenario", known.scenario]];
  const values = (read) => [...new Set(all.map(read))].filter((one) => one !== undefined && one !== null && one !== "").sort();
  const usual = { view: "performance", from: "", to: "", sort: "curve", lang: "en", theme: "", hide: "", curve: "", point: "" };
  for (const [name] of FILTERS) usual[name] = "";
  for (const name of ["model", "scenario"]) {
    const read = FILTERS.find((one) => one[0] === name)[1];
    if (data.kind === "index" && values(read).length > 1) {
      const fits = all.filter((at) => newest.has(at) && !isEval(at) && (name === "model" || known.prefix(at) === usual.model || !usual.model));
      const counts = new Map();
      for (const at of fits) counts.set(read(at), (counts.get(read(at)) || 0) + 1);
      usual[name] = [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] || "";
    }
  }
  const state = { ...usual };
  const load = () => {
    Object.assign(state, usual);
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if (name in usual) state[name] = value === "*" ? "" : value;
  };
  const save = () => {
    const link = new URLSearchParams();
    for (const name of Object.keys(usual)) if (state[name] !== usual[name]) link.set(name, state[name] || "*");
    const text = link.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };
  load();

  // Words.
  const t = (text) => (state.lang === "zh" && words[text]) || text;
  const make = (tag, text, fields = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined && text !== null) made.textContent = text;
    for (const [name, value] of Object.entries(fields)) made.setAttribute(name, value);
    return made;
  };
  const speak = () => {
    document.documentElement.lang = state.lang;
    for (const one of document.querySelectorAll("[data-t]")) one.textContent = t(one.dataset.t);
    $("lang").textContent = state.lang === "zh" ? "English" : "中文";
    $("lang").lang = state.lang === "zh" ? "en" : "zh";
    $("theme").textContent = t(dark() ? "Light" : "Dark");
  };

  // Theme.
  const dark = () => (state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const paint = () => {
    if (state.theme) document.documentElement.dataset.theme = state.theme;
    else delete document.documentElement.dataset.theme;
  };
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const config = () => {
    const ink = colour("--ink"), soft = colour("--soft"), line = colour("--line");
    return {
      background: "transparent", font: "system-ui, sans-serif", view: { stroke: line }, rule: { color: colour("--wait") }, tick: { color: ink },
      axis: { labelColor: soft, titleColor: ink, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 13, titleFontWeight: 500, labelOverlap: true }, axisX: { labelPadding: 8 },
    };
  };
  const palette = (names) => new Map(names.map((name, at) => [name, specs.colours[at % specs.colours.length]]));

  // Which rows.
  const hidden = () => new Set(state.hide ? state.hide.split("|") : []);
  const fits = (at) => FILTERS.every(([name, read]) => !state[name] || String(read(at)) === state[name])
    && (!state.from || day(moment(at)) >= state.from) && (!state.to || day(moment(at)) <= state.to);
  let chosen = [], listed = [], shown = 100, tint = new Map();
  const choose = () => {
    const gone = hidden();
    chosen = all.filter((at) => newest.has(at) && fits(at));
    tint = palette([...new Set(chosen.map(known.curve))].sort());
    listed = (state.view === "history" ? all.filter((at) => !isEval(at) && known.curve(at) === curveOfHistory()) : chosen.filter((at) => isEval(at) === (state.view === "accuracy")))
      .filter((at) => !gone.has(known.curve(at)));
  };

  // Charts.
  const live = new Map();
  const draw = async (place, spec, own) => {
    live.get(place)?.result.finalize();
    const copy = JSON.parse(JSON.stringify(spec), (key, value) => (key === "title" && typeof value === "string" ? t(value) : value));
    const shared = { ...copy, config: config(), data: { name: "rows" }, datasets: own };
    const result = await vegaEmbed(place, shared, { actions: false, renderer: "svg", ast: true, tooltip: { theme: "custom" } });
    live.set(place, { result, order: own.rows });
    result.view.addEventListener("mouseover", (_, item) => { if (item && item.datum && Number.isInteger(item.datum.i)) show(item.datum.i, true); });
    const picture = place.querySelector("svg");
    if (picture) picture.setAttribute("aria-hidden", "true");
    return result;
  };
  const coloured = (spec, field, tones) => {
    const domain = [...tones.keys()], range = [...tones.values()];
    const copy = JSON.parse(JSON.stringify(spec));
    const visit = (one) => {
      if (one && typeof one === "object") {
        if (one.color && one.color.field === field) one.color.scale = { domain, range };
        Object.values(one).forEach(visit);
      }
    };
    visit(copy);
    return copy;
  };
  const plot = async () => {
    const box = $("charts");
    // All frames first: a chart takes the width that it finds.
    const plots = specs.charts.map((one) => {
      const rows = listed.map((at) => ({ i: at, x: own[one.x](at), y: own[one.y](at), curve: known.curve(at), precision: own.precision(at), edge: edges[one.name].has(at) }))
        .filter((point) => point.x > 0 && point.y > 0);
      let figure = box.querySelector(`[data-chart="${one.name}"]`);
      if (!figure) {
        figure = make("figure", null, { "data-chart": one.name, tabindex: "0", role: "group" });
        figure.append(make("div", null, { class: "chart" }), make("figcaption"));
        figure.addEventListener("keydown", walk);
        box.append(figure);
      }
      const title = `${t(specs.titles[one.y])} · ${t(specs.titles[one.x])}`;
      figure.setAttribute("aria-label", `${title}: ${rows.length} ${t("points")}`);
      figure.hidden = !rows.length;
      figure.querySelector("figcaption").textContent = `${rows.length} ${t("points")}`;
      return { place: figure.querySelector(".chart"), spec: coloured(one.spec, "curve", tint), rows };
    });
    const some = plots.some((one) => one.rows.length);
    $("none").hidden = some || !listed.length;
    $("read").hidden = $("legend").hidden = !some;
    for (const one of plots) {
      if (one.rows.length) await draw(one.place, one.spec, { rows: one.rows });
      if (!document.documentElement.dataset.first) {
        document.documentElement.dataset.first = String(Math.round(performance.now()));
        await new Promise((next) => setTimeout(next));
      }
    }
    mark();
  };
  const walk = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const place = live.get(event.currentTarget.querySelector(".chart"));
    if (!step || !place) return;
    event.preventDefault();
    const order = [...place.order].sort((one, other) => one.x - other.x).map((one) => one.i);
    const now = order.indexOf(picked);
    show(order[now < 0 ? (step > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, now + step))]);
  };
  const legend = () => {
    const gone = hidden(), list = $("legend");
    const there = [...new Set(chosen.filter((at) => !isEval(at)).map(known.curve))].sort();
    list.replaceChildren(...there.map((name) => {
      const button = make("button", null, { type: "button", "aria-pressed": String(!gone.has(name)) });
      const dot = make("i");
      dot.style.background = tint.get(name);
      button.append(dot, make("span", name));
      button.addEventListener("click", () => {
        const now = hidden();
        if (!now.delete(name)) now.add(name);
        state.hide = [...now].join("|");
        update();
      });
      const item = make("li");
      item.append(button);
      return item;
    }));
  };
  const bars = async () => {
    const narrow = $("scores").clientWidth < 600, between = narrow ? "\n" : " · ";
    const short = (at) => `${own.hw(at)} ${own.framework(at)} ${own.precision(at)}${between}${own.task(at)} C${own.conc(at)} · ${known.shape(at)}`;
    const doubled = listed.filter((at) => listed.some((other) => other !== at && short(other) === short(at)));
    const rows = listed.map((at) => ({ i: at, name: short(at) + (doubled.includes(at) ? ` · ${known.run(at)}` : ""), score: own.score(at) * 100, threshold: (own.threshold(at) || 0) * 100, curve: known.curve(at) }));
    const spec = coloured({ ...specs.scores, height: (narrow ? 40 : 26) * rows.length }, "curve", tint);
    Object.assign(spec.encoding.y.axis, { labelLimit: $("scores").clientWidth / 2, labelExpr: "split(datum.label, '\\n')" });
    if (rows.length) await draw($("scores"), spec, { rows });
    else $("scores").replaceChildren(make("p", t("no evaluations fit"), { class: "lead" }));
  };

  // History.
  const versions = new Map();
  for (const at of all) if (!isEval(at)) versions.set(known.curve(at), (versions.get(known.curve(at)) || 0) + 1);
  const curveOfHistory = () => (versions.has(state.curve) ? state.curve : [...new Set(chosen.filter((at) => !isEval(at)).map(known.curve))]
    .sort((one, other) => versions.get(other) - versions.get(one))[0] || [...versions.keys()][0]);
  const past = async () => {
    const curve = curveOfHistory();
    $("which").replaceChildren(...[...versions.keys()].sort().map((name) => {
      const option = make("option", name, { value: name });
      option.selected = name === curve;
      return option;
    }));
    const rows = listed.map((at) => ({ i: at, x: moment(at) * 1000, y: own.tput(at), name: `${known.shape(at)} C${own.conc(at)}` })).filter((one) => one.y > 0);
    const keys = new Set(listed.map(known.key));
    const like = (pattern) => new RegExp("^" + pattern.split("*").map((part) => part.replace(/[^\w-]/g, "\\$&")).join(".*") + "$");
    const touches = (pattern) => [...keys].some((key) => like(pattern).test(key));
    const marks = data.marks.filter((one) => !one.keys.length || one.keys.some(touches));
    const tones = palette([...new Set(rows.map((one) => one.name))].sort((one, other) => one.localeCompare(other, "en", { numeric: true })));
    $("keys").replaceChildren(...[...tones].map(([name, tone]) => {
      const item = make("li"), dot = make("i");
      dot.style.background = tone;
      item.append(dot, make("span", name));
      return item;
    }));
    await draw($("lines"), coloured(specs.history, "name", tones),
      { rows, marks: marks.map((one) => ({ x: one.at * 1000, text: one.text })) });
    $("marks").tBodies[0].replaceChildren(...marks.map((one) => {
      const line = make("tr"), cell = make("td", null, { class: "note" });
      if (/^https:\/\//.test(one.link)) cell.append(make("a", one.text, { href: one.link, rel: "noreferrer" }));
      else cell.textContent = one.text;
      line.append(make("td", day(one.at)), make("td", one.keys.join(", "), { class: "note" }), cell);
      return line;
    }));
    mark();
  };

  // Table.
  const figure = (read, digits) => (at) => { const value = read(at); return value === null || value === undefined ? "–" : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }); };
  const commit = (at) => String(known.sha(at) || known.merge(at) || "").slice(0, 7) || "–";
  const doubt = (at) => row["request_error.tput"]?.(at) ?? null;
  const COLUMNS = {
    curve: [known.curve, known.curve], shape: [known.shape, known.shape],
    concurrency: [own.conc, (at) => String(own.conc(at) || "–"), 1],
    eval: [own.task, (at) => own.task(at) || "–"],
    score: [own.score, (at) => (isEval(at) ? (own.score(at) * 100).toFixed(2) + " %" : "–"), 1],
    threshold: [own.threshold, (at) => (own.threshold(at) ? (own.threshold(at) * 100).toFixed(1) + " %" : "–"), 1],
    "tok/s/GPU": [own.tput, figure(own.tput, 1), 1],
    "±": [doubt, (at) => (doubt(at) === null ? "–" : (doubt(at) * 196).toFixed(1) + " %"), 1],
    "tok/s/user": [own.intvty, figure(own.intvty, 1), 1],
    "latency s": [own.e2el, figure(own.e2el, 2), 1], "TTFT s": [own.ttft, figure(own.ttft, 3), 1],
    "J/token": [own.joules, figure(own.joules, 3), 1], date: [moment, (at) => day(moment(at))], run: [known.run, (at) => String(known.run(at) || "–"), 1],
    commit: [commit, commit], node: [known.node, (at) => known.node(at) || "–"],
  };
  const doubted = all.some((at) => doubt(at) !== null);
  const OF_VIEW = {
    performance: ["curve", "shape", "concurrency", "tok/s/GPU", ...(doubted ? ["±"] : []), "tok/s/user", "latency s", "TTFT s", "J/token", "date", "run", "commit", "node"],
    accuracy: ["curve", "shape", "concurrency", "eval", "score", "threshold", "date", "run", "commit", "node"],
    history: ["date", "shape", "concurrency", "tok/s/GPU", "tok/s/user", "latency s", "TTFT s", "run", "commit", "node"],
  };
  const compare = (one, other) => (typeof one === "number" && typeof other === "number" ? one - other : String(one ?? "").localeCompare(String(other ?? ""), "en", { numeric: true }));
  const table = () => {
    $("doubt").hidden = !doubted || state.view !== "performance";
    const columns = OF_VIEW[state.view], wish = state.sort.replace(/^-/, ""), by = columns.includes(wish) ? wish : columns[0], down = state.sort.startsWith("-");
    const head = make("tr");
    for (const name of columns) {
      const cell = make("th", null, { scope: "col", class: COLUMNS[name][2] ? "n" : "", "aria-sort": name === by ? (down ? "descending" : "ascending") : "none" });
      const button = make("button", t(name), { type: "button", "data-sort": name });
      button.addEventListener("click", () => {
        state.sort = (by === name && !down ? "-" : "") + name;
        save();
        table();
        $("rows").querySelector(`[data-sort="${name}"]`).focus();
      });
      cell.append(button);
      head.append(cell);
    }
    const order = [...listed].sort((one, other) => (down ? -1 : 1) * compare(COLUMNS[by][0](one), COLUMNS[by][0](other)) || compare(known.curve(one), known.curve(other)) || COLUMNS.concurrency[0](one) - COLUMNS.concurrency[0](other));
    $("rows").tHead.replaceChildren(head);
    $("rows").tBodies[0].replaceChildren(...order.slice(0, shown).map((at) => {
      const line = make("tr", null, { tabindex: "0", "data-row": String(at) });
      for (const name of columns) line.append(make("td", COLUMNS[name][1](at), COLUMNS[name][2] ? { class: "n" } : {}));
      line.addEventListener("click", () => show(at));
      line.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(at); } });
      return line;
    }));
    $("count").textContent = `${Math.min(shown, order.length)} / ${order.length}`;
    $("more").hidden = shown >= order.length;
    mark();
  };

  // One row.
  let picked = -1;
  const name = (at) => `${known.title(at) || "C" + own.conc(at)} · ${known.curve(at)}`;
  const nested = (at) => {
    const whole = {};
    for (const [path, read] of Object.entries(row)) {
      const value = read(at);
      if (value === undefined || value === null) continue;
      const steps = path.split(".");
      let place = whole;
      for (const step of steps.slice(0, -1)) place = place[step] ??= {};
      place[steps.at(-1)] = value;
    }
    const provenance = {};
    for (const [field, read] of Object.entries(known)) if (read(at) !== "" && read(at) !== null) provenance[field] = ["fingerprint", "authorisation"].includes(field) ? JSON.parse(read(at)) : read(at);
    return { row: whole, provenance };
  };
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const show = (at, passing = false) => {
    picked = at;
    state.point = `${known.point(at)}@${known.run(at)}`;
    if (!passing) save();
    const { row: whole, provenance } = nested(at);
    const fields = $("fields");
    fields.replaceChildren();
    const flatten = (value, start) => {
      for (const [field, one] of Object.entries(value)) {
        if (one && typeof one === "object" && !Array.isArray(one)) flatten(one, `${start}${field}.`);
        else fields.append(make("dt", start + field), make("dd", /_?(published|result_time)$/.test(field) && one > 1e9 ? new Date(one * 1000).toISOString().replace(".000", "") : text(one)));
      }
    };
    flatten(provenance, "");
    flatten(whole, "");
    delete $("what").dataset.t;
    $("what").textContent = name(at);
    $("hint").hidden = true;
    $("acts").hidden = false;
    $("detail").classList.remove("empty");
    mark();
  };
  const mark = () => {
    for (const line of $("rows").tBodies[0].rows) line.classList.toggle("picked", Number(line.dataset.row) === picked);
    for (const { result } of live.values()) {
      try { result.view.signal("picked", picked).runAsync(); } catch { /* a chart without points to pick */ }
    }
  };
  const close = () => {
    picked = -1;
    state.point = "";
    $("what").dataset.t = "Details";
    $("fields").replaceChildren();
    $("hint").hidden = false;
    $("acts").hidden = true;
    $("detail").classList.add("empty");
    save();
    speak();
    mark();
  };
  $("copy").addEventListener("click", async () => {
    const json = JSON.stringify(nested(picked), null, 1);
    try { await navigator.clipboard.writeText(json); } catch {
      const area = make("textarea", json);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    $("copy").textContent = t("Copied");
    setTimeout(speak, 1500);
  });
  $("close").addEventListener("click", close);
  addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });

  // Choices.
  const VIEWS = ["performance", "accuracy", "history"].filter((view) => view !== "accuracy" || all.some(isEval)).filter((view) => view !== "history" || data.kind !== "run");
  const LABEL = { performance: "Performance", accuracy: "Accuracy", history: "History" };
  const tabs = () => $("tabs").replaceChildren(...VIEWS.map((view) => {
    const button = make("button", t(LABEL[view]), { type: "button", role: "tab", "aria-selected": String(state.view === view), "aria-controls": view });
    button.addEventListener("click", () => { state.view = view; state.sort = usual.sort; update(); $("tabs").querySelector('[aria-selected="true"]').focus(); });
    return button;
  }));
  const controls = () => {
    const parts = FILTERS.filter(([, read]) => values(read).length > 1).map(([field, read]) => {
      const label = make("label"), select = make("select", null, { name: field });
      select.append(make("option", t("all"), { value: "" }), ...values(read).map((value) => make("option", value, { value })));
      select.value = state[field];
      select.addEventListener("change", () => { state[field] = select.value; update(); });
      label.append(make("span", t(field)), select);
      return label;
    });
    for (const field of data.kind === "run" ? [] : ["from", "to"]) {
      const label = make("label"), input = make("input", null, { type: "date", name: field });
      input.value = state[field];
      input.addEventListener("change", () => { state[field] = input.value; update(); });
      label.append(make("span", t(field)), input);
      parts.push(label);
    }
    $("filters").replaceChildren(...parts);
  };
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("which").addEventListener("change", () => { state.curve = $("which").value; update(); });
  $("more").addEventListener("click", () => { shown += 400; table(); });
  $("lang").addEventListener("click", () => { state.lang = state.lang === "zh" ? "en" : "zh"; update(); });
  $("theme").addEventListener("click", () => { state.theme = dark() ? "light" : "dark"; update(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => state.theme || update());
  addEventListener("hashchange", () => { load(); update(); });

  const update = async () => {
    if (!VIEWS.includes(state.view)) state.view = "performance";
    paint();
    speak();
    save();
    choose();
    shown = 100;
    tabs();
    controls();
    for (const view of ["performance", "accuracy", "history"]) $(view).hidden = view !== state.view;
    document.documentElement.dataset.drawn = "";
    if (state.view === "performance") { await plot(); legend(); }
    if (state.view === "accuracy") await bars();
    if (state.view === "history") await past();
    table();
    if (state.point) {
      const at = all.find((one) => `${known.point(one)}@${known.run(one)}` === state.point);
      if (at !== undefined) show(at, true);
    }
    document.documentElement.dataset.drawn = state.view;
  };
  $("tools").hidden = false;
  $("app").hidden = !data.count;
  if (data.count) await update(); else { paint(); speak(); }
})();
