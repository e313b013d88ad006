"use strict";
// Draws the figures of the page; what they show is in the page's JSON.
(function () {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const figures = read("figures");
  const palettes = read("palettes");
  const night = window.matchMedia("(prefers-color-scheme: dark)");
  const options = { displayModeBar: false, responsive: true };
  const family = getComputedStyle(document.body).fontFamily;
  const PAPER = 660; // the width of a chart on a sheet, in pixels

  // "@blue" is a role: the color of that name by day or by night.
  function colored(value, palette) {
    if (typeof value === "string") {
      return value[0] === "@" ? palette[value.slice(1)] : value;
    }
    if (Array.isArray(value)) return value.map((one) => colored(one, palette));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, colored(one, palette)])
    );
  }

  function draw(printed) {
    const palette = palettes[night.matches && !printed ? "dark" : "light"];
    return Promise.all(
      Array.from(document.querySelectorAll("[data-figure]"), (place) => {
        const figure = colored(figures[place.dataset.figure], palette);
        figure.layout.font.family = family;
        figure.layout.autosize = !printed;
        if (printed) figure.layout.width = PAPER;
        return Plotly.react(place, figure.data, figure.layout, options);
      })
    );
  }

  draw(false).then(() => document.body.setAttribute("data-drawn", "yes"));
  night.addEventListener("change", () => draw(false));
  window.addEventListener("beforeprint", () => draw(true));
  window.addEventListener("afterprint", () => draw(false));

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
