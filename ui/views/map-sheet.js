// The sheet of the map: a canvas with ground, lines and dots, moved by mouse, fingers and keys. It knows places and colours;
// what a dot means is the page's business.

import { ROOM, cellsOf, contour, heights, levels } from "../lib/ground.js";

const MOST_ZOOM = 40;
/** One press of "closer". */
export const STEP = 1.6;
/** How near a click has to be, in pixels; a finger is broader than a pointer. */
const NEAR = { mouse: 12, touch: 26 };
/** Pixels a press may wander and still be a click. */
const WANDER = 5;
const TINT_SCALE = 3;

/**
 * A sheet on a canvas. `points` are `{ xs, ys }` between 0 and 1, `groups` colours with the points they hold, `chosen` an index
 * or -1. `onChoose(index)`, `onMove()` are called after a click and after every move.
 */
export function sheetOf(canvas, { onChoose, onMove }) {
  const view = { zoom: 1, x: 0, y: 0 };
  const size = { w: 0, h: 0 };
  let given = { xs: [], ys: [] };
  let points = given;
  let cells = cellsOf(1.6);
  let groups = [];
  let chosen = -1;
  let over = -1;
  let near = [];
  let ground = null;
  let frame = 0;

  const left = (x) => (x * size.w - view.x) * view.zoom;
  const top = (y) => (y * size.h - view.y) * view.zoom;

  function keepInside() {
    view.zoom = Math.max(1, Math.min(MOST_ZOOM, view.zoom));
    view.x = Math.max(0, Math.min(size.w - size.w / view.zoom, view.x));
    view.y = Math.max(0, Math.min(size.h - size.h / view.zoom, view.y));
    // A finger scrolls the page over the whole map, and moves the map once one has gone closer.
    canvas.style.touchAction = view.zoom > 1 ? "none" : "pan-y";
  }
  function moved() {
    keepInside();
    onMove();
    redraw();
  }
  function zoomAt(factor, x = size.w / 2, y = size.h / 2) {
    const [atX, atY] = [view.x + x / view.zoom, view.y + y / view.zoom];
    view.zoom = Math.max(1, Math.min(MOST_ZOOM, view.zoom * factor));
    Object.assign(view, { x: atX - x / view.zoom, y: atY - y / view.zoom });
    moved();
  }
  function pan(x, y) {
    view.x -= x / view.zoom;
    view.y -= y / view.zoom;
    moved();
  }
  function whole() {
    Object.assign(view, { zoom: 1, x: 0, y: 0 });
    moved();
  }
  /** Shows these points, with some room around them. */
  function show(indexes) {
    if (indexes.length === 0) return;
    const [xs, ys] = [indexes.map((at) => points.xs[at]), indexes.map((at) => points.ys[at])];
    // The outermost tenth may lie outside, so that one stray does not make all small.
    const span = (values) => {
      const sorted = [...values].sort((a, b) => a - b);
      const out = Math.floor(sorted.length / 20);
      return [sorted[out], sorted[sorted.length - 1 - out]];
    };
    const [[x0, x1], [y0, y1]] = [span(xs), span(ys)];
    view.zoom = Math.min(MOST_ZOOM / 2, 0.7 / Math.max(x1 - x0, y1 - y0, 0.02));
    keepInside();
    view.x = ((x0 + x1) / 2) * size.w - size.w / view.zoom / 2;
    view.y = ((y0 + y1) / 2) * size.h - size.h / view.zoom / 2;
    moved();
  }
  /** Moves so far that a point is in sight. */
  function reveal(at) {
    const [x, y] = [left(points.xs[at]), top(points.ys[at])];
    if (x > 20 && y > 20 && x < size.w - 20 && y < size.h - 20) return redraw();
    view.x = points.xs[at] * size.w - size.w / view.zoom / 2;
    view.y = points.ys[at] * size.h - size.h / view.zoom / 2;
    moved();
  }

  function nearest(x, y, reach) {
    let best = -1;
    let least = reach * reach;
    for (let at = 0; at < points.xs.length; at += 1) {
      const square = (left(points.xs[at]) - x) ** 2 + (top(points.ys[at]) - y) ** 2;
      if (square < least) [best, least] = [at, square];
    }
    return best;
  }
  /** The point one comes to from another in a direction; sideways ways count double. */
  function towards(from, [dx, dy]) {
    if (from < 0) return nearest(size.w / 2, size.h / 2, Infinity);
    const [x0, y0] = [points.xs[from] * size.w, points.ys[from] * size.h];
    let best = from;
    let least = Infinity;
    for (let at = 0; at < points.xs.length; at += 1) {
      const [x, y] = [points.xs[at] * size.w - x0, points.ys[at] * size.h - y0];
      const along = x * dx + y * dy;
      if (along <= 0.01) continue;
      const way = along + 2 * Math.abs(x * dy - y * dx);
      if (way < least) [best, least] = [at, way];
    }
    return best;
  }

  const pressed = new Map();
  let start = null;
  const inside = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const listeners = {
    pointerdown(event) {
      if (event.button > 0) return;
      canvas.setPointerCapture(event.pointerId);
      pressed.set(event.pointerId, inside(event));
      start = pressed.size === 1 ? { at: inside(event), click: true } : { ...start, click: false };
    },
    pointermove(event) {
      const at = inside(event);
      const before = pressed.get(event.pointerId);
      if (!before) {
        const found = event.pointerType === "mouse" ? nearest(...at, NEAR.mouse) : -1;
        if (found !== over) {
          over = found;
          canvas.style.cursor = found < 0 ? "" : "pointer";
          redraw();
        }
        return;
      }
      if (pressed.size === 2) {
        const [id] = [...pressed.keys()].filter((known) => known !== event.pointerId);
        const other = pressed.get(id);
        const distance = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
        zoomAt(distance(at) / distance(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
      } else if (Math.hypot(at[0] - start.at[0], at[1] - start.at[1]) > WANDER) {
        start.click = false;
        pan(at[0] - before[0], at[1] - before[1]);
      }
      pressed.set(event.pointerId, at);
    },
    pointerup(event) {
      const was = pressed.delete(event.pointerId);
      if (was && pressed.size === 0 && start?.click) onChoose(nearest(...inside(event), NEAR[event.pointerType] ?? NEAR.touch));
    },
    pointercancel: (event) => pressed.delete(event.pointerId),
    pointerleave() {
      if (over >= 0) {
        over = -1;
        redraw();
      }
    },
    dblclick: (event) => zoomAt(STEP * STEP, ...inside(event)),
  };
  for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener, { passive: false });

  // Names lie over the canvas; the wheel means the map there too.
  const frameOf = canvas.parentElement;
  frameOf.addEventListener(
    "wheel",
    (event) => {
      // The page's own scrolling goes on until one has shown that one means the map: with a key held, or by choosing it.
      if (!event.ctrlKey && !event.metaKey && !frameOf.contains(document.activeElement)) return;
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0022)), ...inside(event));
    },
    { passive: false },
  );

  /** A colour of the tokens as the browser resolves it; the canvas itself does not know light-dark(). */
  const colour = (value) => {
    canvas.style.color = value;
    const found = getComputedStyle(canvas).color;
    canvas.style.color = "";
    return found;
  };

  /** A place of the map on the sheet, with room for the hills at the edges. */
  const within = (value, count) => (ROOM + value * (count - 2 * ROOM)) / count;
  function measureGround() {
    if (size.w && size.h) cells = cellsOf(size.w / size.h);
    points = { xs: Array.from(given.xs, (x) => within(x, cells.wide)), ys: Array.from(given.ys, (y) => within(y, cells.high)) };
    const field = heights(points.xs, points.ys, cells);
    const steps = levels(field);
    ground = { field, steps, lines: steps.map((level) => contour(field, level)), tint: null, tinted: "" };
  }
  /** A wash that grows stronger with every line. */
  function tint(accent) {
    if (ground.tinted === accent) return ground.tint;
    const { cells: field, wide, high } = ground.field;
    const canvasOf = document.createElement("canvas");
    const [w, h] = [wide * TINT_SCALE, high * TINT_SCALE];
    Object.assign(canvasOf, { width: w, height: h });
    const pen = canvasOf.getContext("2d");
    // The browser knows every way of writing a colour; one pixel tells what it means.
    pen.fillStyle = accent;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
    const image = pen.createImageData(w, h);
    for (let y = 0; y < h; y += 1) {
      for (let x = 0; x < w; x += 1) {
        const [fx, fy] = [Math.max(0, (x + 0.5) / TINT_SCALE - 0.5), Math.max(0, (y + 0.5) / TINT_SCALE - 0.5)];
        const [cx, cy] = [Math.min(wide - 2, Math.floor(fx)), Math.min(high - 2, Math.floor(fy))];
        const [u, v, at] = [Math.min(1, fx - cx), Math.min(1, fy - cy), cy * wide + cx];
        const { steps } = ground;
        const height =
          (field[at] * (1 - u) + field[at + 1] * u) * (1 - v) + (field[at + wide] * (1 - u) + field[at + wide + 1] * u) * v;
        const passed = steps.filter((level) => height > level).length;
        image.data.set([red, green, blue, passed * 5], (y * w + x) * 4);
      }
    }
    pen.putImageData(image, 0, 0);
    Object.assign(ground, { tint: canvasOf, tinted: accent });
    return canvasOf;
  }

  function draw() {
    frame = 0;
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.round(size.w * ratio), Math.round(size.h * ratio)];
    if (w === 0 || h === 0 || !ground) return;
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, size.w, size.h);
    pen.drawImage(tint(colour("var(--accent)")), left(0), top(0), size.w * view.zoom, size.h * view.zoom);
    pen.lineWidth = 1;
    ground.lines.forEach((pieces, step) => {
      pen.strokeStyle = colour(step % 4 === 3 ? "var(--edge)" : "var(--rule)");
      pen.beginPath();
      for (const [x0, y0, x1, y1] of pieces) {
        pen.moveTo(left(x0), top(y0));
        pen.lineTo(left(x1), top(y1));
      }
      pen.stroke();
    });
    dots(pen);
  }
  function dots(pen) {
    const small = size.w < 500 ? 1.5 : points.xs.length > 3000 ? 1.6 : 2.1;
    const radius = Math.min(5, small * view.zoom ** 0.4);
    for (const { colour: name, members } of groups) {
      pen.fillStyle = colour(name);
      pen.beginPath();
      for (const at of members) {
        const [x, y] = [left(points.xs[at]), top(points.ys[at])];
        if (x < -6 || y < -6 || x > size.w + 6 || y > size.h + 6) continue;
        // Thousands of small dots are drawn several times as fast as squares, and no eye can tell.
        if (radius < 1.8) pen.rect(x - radius, y - radius, radius * 2, radius * 2);
        else {
          pen.moveTo(x + radius, y);
          pen.arc(x, y, radius, 0, 7);
        }
      }
      pen.fill();
    }
    const ring = (at, reach, width, name) => {
      pen.lineWidth = width;
      pen.strokeStyle = colour(name);
      pen.beginPath();
      pen.arc(left(points.xs[at]), top(points.ys[at]), radius + reach, 0, 7);
      pen.stroke();
    };
    for (const at of near) ring(at, 3, 1, "var(--ink-2)");
    if (over >= 0 && over !== chosen) ring(over, 4, 1.5, "var(--ink-3)");
    if (chosen >= 0) ring(chosen, 5, 2, "var(--ink)");
  }
  function redraw() {
    frame ||= requestAnimationFrame(draw);
  }

  const watcher = new ResizeObserver(() => {
    const box = canvas.getBoundingClientRect();
    Object.assign(size, { w: box.width, h: box.height });
    const { wide } = cellsOf(size.w / size.h || 1.6);
    if (ground && wide !== cells.wide) measureGround();
    moved();
  });
  watcher.observe(canvas);

  return {
    redraw,
    zoomAt,
    pan,
    whole,
    show,
    reveal,
    towards,
    /** Where a place between 0 and 1 stands on the canvas, in pixels. */
    at: (x, y) => [left(within(x, cells.wide)), top(within(y, cells.high))],
    get zoom() {
      return view.zoom;
    },
    get size() {
      return size;
    },
    setPoints(next) {
      given = next;
      [chosen, over, near] = [-1, -1, []];
      measureGround();
      redraw();
    },
    setGroups(next) {
      groups = next;
      redraw();
    },
    setChosen(at, around = []) {
      chosen = at;
      near = around;
      redraw();
    },
    close() {
      watcher.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}
