"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const view = document.getElementById("view");
  const drawn = document.getElementById("drawing").content.querySelector("svg");
  while (drawn.firstChild) view.appendChild(drawn.firstChild);
  const scene = document.getElementById("scene");
  const box = drawn.viewBox.baseVal;
  let extent = { width: box.width, height: box.height };
  const open = new Set();
  let camera = { x: 0, y: 0, scale: 1 };

  function look() {
    scene.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.scale})`);
  }

  // Where everything is, given which chains are unfolded: the same rules as the drawing was made by.
  const heightOf = (at) => (open.has(at) ? data.groups[at].open : data.groups[at].height);

  function arrange() {
    const heights = [];
    data.groups.forEach((group, at) => {
      heights[group.row] = Math.max(heights[group.row] || 0, heightOf(at));
    });
    const tops = [];
    let top = data.top;
    for (let row = 0; row < heights.length; row++) {
      tops[row] = top;
      top += (heights[row] || 0) + data.gap;
    }
    extent.height = top;
    const bottom = (row) => tops[row] + (heights[row] || 0);
    data.groups.forEach((group, at) => {
      document.getElementById("g" + at).setAttribute("transform", `translate(${group.x} ${tops[group.row]})`);
    });
    data.lines.forEach((line, at) => {
      const upper = data.groups[line.upper], lower = data.groups[line.lower];
      if (line.upper === line.lower) return;
      let last = line.leaves, from = bottom(upper.row);
      const start = tops[upper.row] + heightOf(line.upper);
      let d = `M${last} ${start}` + (start < from ? `L${last} ${from}` : "");
      const first = line.bends[0] || [lower.x, lower.row];
      const label = document.getElementById("l" + at);
      if (label) label.setAttribute("y", tops[first[1]] - data.above);
      for (const [x, row] of line.bends.concat([[line.arrives, lower.row]])) {
        const half = (from + tops[row]) / 2;
        d += `C${last} ${half} ${x} ${half} ${x} ${tops[row]}`;
        if (row !== lower.row) d += `L${x} ${bottom(row)}`;
        last = x;
        from = bottom(row);
      }
      document.getElementById("e" + at).setAttribute("d", d);
    });
  }

  function setOpen(at, value) {
    if (data.groups[at].open === undefined) return;
    if (value) open.add(at); else open.delete(at);
    const group = document.getElementById("g" + at);
    group.querySelector(".closed").style.display = value ? "none" : "";
    group.querySelector(".unfolded").style.display = value ? "" : "none";
  }

  function show(number) {
    document.querySelectorAll(".box.selected").forEach((other) => other.classList.remove("selected"));
    const selected = document.querySelector(`[data-node="${number}"]`);
    if (selected) selected.classList.add("selected");
    const node = data.nodes[number];
    const state = document.getElementById("state");
    state.textContent = "";
    const add = (parent, tag, text) => {
      const element = document.createElement(tag);
      element.textContent = text;
      parent.appendChild(element);
      return element;
    };
    add(state, "h2", `state ${number}: ${node.title}`);
    for (const [title, lines] of node.sections) {
      add(state, "h3", title);
      const list = add(state, "ul", "");
      lines.forEach((line) => add(list, "li", line));
    }
  }

  function fit() {
    const { width, height } = view.getBoundingClientRect();
    const scale = Math.min(width / extent.width, height / extent.height, 1.5);
    camera = { x: (width - extent.width * scale) / 2, y: 0, scale };
    look();
  }

  function begin() {
    const { width } = view.getBoundingClientRect();
    const first = data.groups[0];
    camera = { x: width / 2 - (first ? first.x : 0), y: 0, scale: 1 };
    look();
  }

  const groupOf = [];
  data.groups.forEach((group, at) => group.nodes.forEach((node) => { groupOf[node] = at; }));

  // Brings a state into view, unfolds what hides it, and shows it.
  function go(number) {
    const at = groupOf[number];
    if (data.groups[at].open !== undefined && !open.has(at)) {
      setOpen(at, true);
      arrange();
    }
    camera.scale = Math.max(camera.scale, 0.8);
    look();
    const target = document.querySelector(`[data-node="${number}"]`).getBoundingClientRect();
    const area = view.getBoundingClientRect();
    camera.x += area.left + area.width / 2 - (target.left + target.width / 2);
    camera.y += area.top + area.height / 3 - target.top;
    look();
    show(number);
  }

  const places = document.getElementById("places");
  data.nodes.forEach((node, number) => {
    if (!["start", "loop", "doubt", "stopped"].includes(node.class)) return;
    const item = document.createElement("li");
    item.textContent = node.class === "doubt" ? node.title + ": not shown" : node.title;
    item.addEventListener("click", () => go(number));
    places.appendChild(item);
  });
  const line = document.getElementById("line");
  line.addEventListener("change", () => {
    const word = new RegExp("(line |:)" + line.value.trim().replace(/\D/g, "") + "\\b");
    const found = data.nodes.findIndex((node) => word.test(node.title));
    if (found >= 0) go(found);
  });

  let held = null, moved = false;
  view.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX - camera.x, y: event.clientY - camera.y, fromX: event.clientX, fromY: event.clientY };
    moved = false;
  });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (Math.abs(event.clientX - held.fromX) + Math.abs(event.clientY - held.fromY) > 4) {
      moved = true;
      view.classList.add("moving");
    }
    if (!moved) return;
    camera.x = event.clientX - held.x;
    camera.y = event.clientY - held.y;
    look();
  });
  window.addEventListener("pointerup", () => {
    held = null;
    view.classList.remove("moving");
  });
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    const area = view.getBoundingClientRect();
    const x = event.clientX - area.left, y = event.clientY - area.top;
    const scale = Math.min(4, Math.max(0.02, camera.scale * Math.exp(-event.deltaY / 500)));
    camera.x = x - ((x - camera.x) * scale) / camera.scale;
    camera.y = y - ((y - camera.y) * scale) / camera.scale;
    camera.scale = scale;
    look();
  }, { passive: false });
  view.addEventListener("click", (event) => {
    if (moved) return;
    const group = event.target.closest("[id^='g']");
    if (!group) return;
    const at = Number(group.id.slice(1));
    const node = event.target.closest("[data-node]");
    if (node) {
      show(Number(node.dataset.node));
    } else if (event.target.closest(".closed, .fold")) {
      setOpen(at, !open.has(at));
      arrange();
    }
  });
  const all = (value) => {
    data.groups.forEach((_, at) => setOpen(at, value));
    arrange();
  };
  document.getElementById("fit").addEventListener("click", fit);
  document.getElementById("begin").addEventListener("click", begin);
  document.getElementById("unfold").addEventListener("click", () => all(true));
  document.getElementById("fold").addEventListener("click", () => all(false));
  begin();
  if (data.nodes.length) show(0);
})();
