"use strict";
// Shows the values of a chart below the pointer; copies what a button names.
(function () {
  const data = document.getElementById("figures");
  const figures = data ? JSON.parse(data.textContent) : {};
  const tip = document.createElement("div");
  const rod = document.createElement("div");
  tip.className = "tip";
  rod.className = "rod";
  tip.hidden = rod.hidden = true;
  document.body.append(rod, tip);

  function number(value, share) {
    const form = share
      ? { style: "percent", maximumSignificantDigits: 4 }
      : { maximumSignificantDigits: 5 };
    return value.toLocaleString("en", form);
  }

  function place(x, kind) {
    return kind === "time" ? new Date(x).toISOString().slice(0, 10) : number(x);
  }

  function nearest(xs, x) {
    let best = 0;
    xs.forEach((one, k) => {
      if (Math.abs(one - x) < Math.abs(xs[best] - x)) best = k;
    });
    return best;
  }

  function show(chart, figure, event) {
    const frames = Array.from(chart.querySelectorAll(".role-frame .background"));
    const box = frames.map((one) => one.getBoundingClientRect()).find((one) => one.width);
    const share = (event.clientX - box.left) / box.width;
    const lines = figure.marks.filter((one) => one.kind === "line" && one.name);
    if (share < 0 || share > 1 || !lines.length) return hide();
    const log = figure.x.kind === "log";
    const [low, high] = figure.x.domain.map((one) => (log ? Math.log(one) : one));
    const wanted = low + share * (high - low);
    const x = log ? Math.exp(wanted) : wanted;
    const at = lines[0].x[nearest(lines[0].x, x)];
    const said = lines.map((one) => {
      const y = one.y[nearest(one.x, at)];
      return y === null ? null : one.name + ": " + number(y, figure.y.share);
    });
    tip.textContent = [figure.x.title + " " + place(at, figure.x.kind), ...said]
      .filter((one) => one)
      .join("\n");
    tip.hidden = rod.hidden = false;
    const right = share > 0.5 ? event.pageX - tip.offsetWidth - 14 : event.pageX + 14;
    tip.style.left = Math.max(4, right) + "px";
    tip.style.top = event.pageY + 14 + "px";
    rod.style.left = event.pageX + "px";
    rod.style.top = box.top + window.scrollY + "px";
    rod.style.height = box.height + "px";
  }

  function hide() {
    tip.hidden = rod.hidden = true;
  }

  for (const chart of document.querySelectorAll("[data-figure]")) {
    const figure = figures[chart.dataset.figure];
    if (!figure || !figure.x.domain || figure.panels > 1) continue;
    chart.addEventListener("pointermove", (event) => show(chart, figure, event));
    chart.addEventListener("pointerleave", hide);
  }

  for (const button of document.querySelectorAll("button[data-copies]")) {
    const text = document.getElementById(button.dataset.copies).textContent;
    const said = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it and copy by hand";
      }
      setTimeout(() => { button.textContent = said; }, 2000);
    });
  }
})();
