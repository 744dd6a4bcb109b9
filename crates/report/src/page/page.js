"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const by = id => document.getElementById(id);
const make = (tag, attributes, text) => {
  const element = document.createElement(tag);
  Object.assign(element, attributes);
  if (text !== undefined) element.textContent = text;
  return element;
};
const order = ["proved", "unreached", "unknown", "violated"];
let shownFile = -1, run = null, step = 0;

// What is known of each line of a file: the worst of its checks.
const ofFile = data.files.map(() => ({ checks: new Map(), loops: new Map(), worst: "proved", counts: {} }));
data.checks.forEach((check, number) => {
  if (check.file === null) return;
  const file = ofFile[check.file];
  if (!file.checks.has(check.line)) file.checks.set(check.line, []);
  file.checks.get(check.line).push(number);
  file.counts[check.status] = (file.counts[check.status] || 0) + 1;
  if (order.indexOf(check.status) > order.indexOf(file.worst)) file.worst = check.status;
});
data.loops.forEach(loop => {
  if (loop.file === null) return;
  const loops = ofFile[loop.file].loops;
  if (!loops.has(loop.line)) loops.set(loop.line, []);
  loops.get(loop.line).push(loop);
});

function showVerdict(number) {
  const verdict = data.verdicts[number];
  by("verdict").textContent = verdict.text.trimEnd();
  [...by("verdicts").children].forEach((button, at) => button.classList.toggle("here", at === number));
  if (verdict.run !== null) showRun(verdict.run); else by("run").hidden = true;
}

function showFile(number, line) {
  if (shownFile !== number) {
    shownFile = number;
    const file = data.files[number], known = ofFile[number], unreached = new Set(file.unreached);
    by("path").textContent = file.path;
    const source = document.createDocumentFragment();
    file.lines.forEach((text, at) => {
      const no = at + 1, checks = known.checks.get(no) || [];
      const row = make("div", { className: "line" });
      row.dataset.line = no;
      row.append(make("span", { className: "no" }, no), make("span", {}, text || " "));
      if (checks.length) {
        const worst = checks.map(check => data.checks[check].status).reduce((a, b) => order.indexOf(a) > order.indexOf(b) ? a : b);
        row.classList.add(worst);
        row.title = checks.map(check => { const it = data.checks[check]; return `${it.name}: ${it.status}, ${it.why}`; }).join("\n");
        row.onclick = () => showCheck(checks.find(check => data.checks[check].status === worst));
      } else if (unreached.has(no)) {
        row.classList.add("unreached");
        row.title = "no run comes here";
      }
      source.append(row);
      (known.loops.get(no) || []).forEach(loop => {
        const note = make("div", { className: "loop", title: loop.property }, loop.text);
        if (loop.cut !== null) {
          const link = make("a", { href: "#cut-" + loop.cut }, "graph");
          link.onclick = () => showCut(loop.cut);
          note.append(link);
        }
        source.append(note);
      });
    });
    by("source").replaceChildren(source);
    [...by("files").children].forEach((link, at) => link.classList.toggle("here", at === number));
  }
  by("source").querySelectorAll(".line.at").forEach(row => row.classList.remove("at"));
  const row = line && by("source").querySelector(`[data-line="${line}"]`);
  if (row) { row.classList.add("at"); row.scrollIntoView({ block: "center" }); }
}

function showCheck(number) {
  const check = data.checks[number];
  by("verdict").textContent = `${check.name}: ${check.status}\n  ${check.why}`;
  if (check.run !== null) showRun(check.run);
  if (check.file !== null) showFile(check.file, check.line);
}

// A list that is only built as far as somebody looks.
function listChecks() {
  const words = by("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = data.checks.map((check, number) => number).filter(number => {
    const check = data.checks[number];
    const text = `${check.name} ${check.property} ${check.status}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  matches.sort((a, b) => order.indexOf(data.checks[b].status) - order.indexOf(data.checks[a].status));
  by("count").textContent = `${matches.length} of ${data.checks.length}`;
  const list = by("checks");
  list.replaceChildren();
  let built = 0;
  const more = () => {
    matches.slice(built, built + 200).forEach(number => {
      const check = data.checks[number];
      const link = make("a", { className: check.status, title: check.why }, check.name);
      link.onclick = () => showCheck(number);
      list.append(link);
    });
    built += 200;
  };
  more();
  list.onscroll = () => { if (built < matches.length && list.scrollTop + list.clientHeight > list.scrollHeight - 200) more(); };
}

function showCut(number) {
  const cut = by("cut-" + number);
  cut.querySelector(".states").hidden = false;
  cut.scrollIntoView({ block: "nearest" });
  showGraph(data.cuts[number]);
}

// The drawing has styles and ids of its own, and stands apart from the page's.
function showGraph(cut) {
  by("graph").hidden = cut.graph === null;
  if (cut.graph === null) return;
  const host = by("drawing");
  const room = host.shadowRoot || host.attachShadow({ mode: "open" });
  room.innerHTML = data.graphs[cut.graph];
  const boxes = cut.boxes.map(number => room.querySelector(`[data-node="${number}"]`)).filter(box => box);
  boxes.forEach(box => box.classList.add("selected"));
  by("graph-title").textContent = `Graph: ${cut.title}`;
  if (boxes.length) boxes[0].scrollIntoView({ block: "center", inline: "center" });
}

function showRun(number) {
  run = data.runs[number];
  by("run").hidden = false;
  by("run-title").textContent = run.title;
  by("slider").max = Math.max(0, run.steps.length - 1);
  by("steps").replaceChildren(...run.steps.map((it, at) => {
    const row = make("div", {}, "  ".repeat(it.depth) + (it.line ? `line ${it.line}: ` : "") + it.text);
    row.onclick = () => goTo(at);
    return row;
  }));
  goTo(run.steps.length - 1);
}

// The state after the first steps.
function stateAfter(last) {
  const state = { frames: [], globals: new Map(), blocks: new Map(), fresh: null };
  const apply = effect => {
    if (effect.does === "enter") state.frames.push({ name: effect.name, locals: new Map() });
    if (effect.does === "leave") state.frames.pop();
    if (effect.does === "make") state.blocks.set("block " + effect.block, { size: effect.size, freed: false, cells: new Map() });
    if (effect.does === "free" && state.blocks.has("block " + effect.block)) state.blocks.get("block " + effect.block).freed = true;
    if (effect.does === "set") {
      const value = { text: effect.value, to: effect.to };
      const block = state.blocks.get(effect.of), frame = state.frames[state.frames.length - 1];
      if (block) block.cells.set(effect.place, value);
      else if (effect.of === "locals" && frame) frame.locals.set(effect.place, value);
      else if (effect.of === "globals") state.globals.set(effect.place, value);
      state.fresh = value;
    }
  };
  run.before.forEach(apply);
  run.steps.slice(0, last + 1).forEach(it => it.effects.forEach(apply));
  return state;
}

function goTo(at) {
  step = Math.max(0, Math.min(at, run.steps.length - 1));
  const it = run.steps[step];
  if (!it) return;
  by("slider").value = step;
  const all = run.forever ? run.steps.length + run.left_out : run.steps.length;
  by("at").textContent = `step ${step + 1} of ${all}` + (run.left_out && !run.forever ? ` (${run.left_out} before)` : "");
  by("now").textContent = (it.line ? `line ${it.line}: ` : "") + it.text;
  const rows = by("steps").children;
  [...by("steps").querySelectorAll(".at")].forEach(row => row.classList.remove("at"));
  if (rows[step]) { rows[step].classList.add("at"); rows[step].scrollIntoView({ block: "nearest" }); }
  const state = stateAfter(step);
  drawVariables(state);
  drawHeap(state);
  if (it.file !== null) showFile(it.file, it.line);
}

function drawVariables(state) {
  const rows = [];
  const list = (title, values) => {
    if (!values.size) return;
    rows.push(make("tr", {}));
    rows[rows.length - 1].append(make("th", { colSpan: 2 }, title));
    values.forEach((value, name) => {
      const row = make("tr", { className: value === state.fresh ? "new" : "" });
      row.append(make("td", {}, name), make("td", {}, value.text));
      rows.push(row);
    });
  };
  [...state.frames].reverse().forEach(frame => list(frame.name, frame.locals));
  list("static", state.globals);
  by("variables").replaceChildren(...rows);
}

// Variables that lead somewhere on the left, blocks on the right, an arrow for each pointer.
function drawHeap(state) {
  const svg = by("heap"), name = "http://www.w3.org/2000/svg";
  const parts = [], places = new Map(), arrows = [];
  const draw = (tag, attributes, text) => {
    const element = document.createElementNS(name, tag);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    parts.push(element);
  };
  let left = 18, right = 18;
  const roots = [...state.globals, ...state.frames.flatMap(frame => [...frame.locals])].filter(([, value]) => value.to && value.to.startsWith("block"));
  roots.slice(-40).forEach(([label, value]) => {
    draw("text", { x: 4, y: left }, label);
    arrows.push([130, left - 4, value.to]);
    left += 20;
  });
  [...state.blocks].slice(-60).forEach(([label, block]) => {
    const cells = [...block.cells].slice(0, 12), height = 20 + 16 * cells.length;
    draw("rect", { x: 220, y: right - 14, width: 230, height, rx: 4, class: block.freed ? "freed" : "box" });
    draw("text", { x: 228, y: right }, label + (block.size === null ? "" : `, ${block.size} bytes`) + (block.freed ? ", freed" : ""));
    places.set(label, [220, right - 4, block.freed]);
    cells.forEach(([place, value], at) => {
      draw("text", { x: 236, y: right + 16 * (at + 1) }, `${place}: ${value.text}`);
      if (value.to) arrows.push([450, right + 16 * (at + 1) - 4, value.to]);
    });
    right += height + 10;
  });
  arrows.forEach(([x, y, to]) => {
    const end = places.get(to);
    if (!end) return;
    const [tx, ty, freed] = end, bend = x > tx ? `C ${x + 50} ${y} ${tx - 60} ${ty - 30} ${tx} ${ty}` : `L ${tx} ${ty}`;
    draw("path", { d: `M ${x} ${y} ${bend}`, class: freed ? "arrow dangling" : "arrow" });
    draw("circle", { cx: tx, cy: ty, r: 3, fill: freed ? "#c0392b" : "#2f6fde" });
  });
  const height = Math.max(left, right);
  svg.replaceChildren(...parts);
  svg.setAttribute("viewBox", `0 0 520 ${height}`);
  svg.setAttribute("width", 520);
  svg.setAttribute("height", state.blocks.size ? height : 0);
}

by("verdicts").append(...data.verdicts.map((verdict, number) => {
  const button = make("button", { className: verdict.word, title: verdict.verdict }, `${verdict.name}: ${verdict.word}`);
  button.onclick = () => showVerdict(number);
  return button;
}));
by("files").append(...data.files.map((file, number) => {
  const counts = ofFile[number].counts;
  const link = make("a", { className: ofFile[number].worst, title: file.path }, file.path.split("/").pop() + " " + order.filter(it => counts[it]).map(it => `${counts[it]} ${it}`).join(", "));
  link.onclick = () => showFile(number);
  return link;
}));
by("cuts").append(...data.cuts.map((cut, number) => {
  const part = make("div", { id: "cut-" + number });
  const states = make("div", { className: "states", hidden: true });
  cut.states.forEach(state => states.append(make("div", { className: "state" }, state.join("\n") || "nothing")));
  const link = make("a", {}, `${cut.title} (${cut.states.length} state${cut.states.length === 1 ? "" : "s"})`);
  link.onclick = () => { states.hidden = !states.hidden; if (!states.hidden) showGraph(cut); };
  part.append(link, states);
  return part;
}));
if (!data.cuts.length) by("cuts").textContent = "no proof rests on a graph";
by("filter").oninput = listChecks;
by("first").onclick = () => goTo(0);
by("back").onclick = () => goTo(step - 1);
by("next").onclick = () => goTo(step + 1);
by("last").onclick = () => goTo(run.steps.length - 1);
by("slider").oninput = () => goTo(Number(by("slider").value));
listChecks();
if (data.files.length) showFile(0);
const worst = data.verdicts.findIndex(verdict => verdict.word === "violated");
if (data.verdicts.length) showVerdict(Math.max(0, worst));
