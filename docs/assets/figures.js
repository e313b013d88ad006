// Draws the figures of a page in the colors of the page, and again when they change.
// A figure is a div.chart followed by a script that holds its data and layout as JSON.
(function () {
  "use strict";

  // Okabe and Ito's colors, which people of all kinds of sight can tell apart.
  const COLORS = {
    default: ["#0072b2", "#d55e00", "#009e73", "#b5568f", "#8a6d00", "#3a9bd9"],
    slate: ["#56b4e9", "#e69f00", "#2fc79a", "#e08fc0", "#f0e442", "#9ad0f5"],
  };

  function theme(chart) {
    const style = getComputedStyle(document.body);
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = {
      gridcolor: color("--md-default-fg-color--lightest"),
      linecolor: color("--md-default-fg-color--lighter"),
      zerolinecolor: color("--md-default-fg-color--lighter"),
      automargin: true,
    };
    const scheme = document.body.dataset.mdColorScheme || "default";
    const narrow = chart.clientWidth < 480;
    return {
      axis: axis,
      layout: {
        colorway: COLORS[scheme] || COLORS.default,
        paper_bgcolor: "rgba(0,0,0,0)",
        plot_bgcolor: "rgba(0,0,0,0)",
        font: {
          color: color("--md-default-fg-color--light"),
          family: getComputedStyle(chart).fontFamily,
          size: narrow ? 11 : 13,
        },
        hoverlabel: { font: { family: getComputedStyle(chart).fontFamily } },
        legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
        margin: { l: 55, r: 15, t: 30, b: 45 },
      },
    };
  }

  function draw(chart) {
    const figure = JSON.parse(chart.nextElementSibling.textContent);
    const look = theme(chart);
    const layout = Object.assign({}, look.layout, figure.layout);
    for (const key of Object.keys(layout)) {
      if (/^[xy]axis/.test(key)) layout[key] = Object.assign({}, look.axis, layout[key]);
    }
    for (const key of ["xaxis", "yaxis"]) layout[key] = layout[key] || look.axis;
    // "color": n of a trace is the n-th color of the page, not a color of its own.
    const pick = (n) => look.layout.colorway[n % look.layout.colorway.length];
    const data = figure.data.map((trace) => {
      const meta = trace.meta || {};
      const color = meta.grey
        ? getComputedStyle(document.body).getPropertyValue("--md-default-fg-color--light")
        : pick(meta.color || 0);
      const line = Object.assign({}, trace.line, { color: color });
      const marker = Object.assign({}, trace.marker, { color: color });
      return Object.assign({}, trace, { line: line, marker: marker });
    });
    const config = { responsive: true, displayModeBar: false, scrollZoom: false };
    window.Plotly.react(chart, data, layout, config);
  }

  function drawAll() {
    document.querySelectorAll(".figure .chart").forEach(draw);
  }

  if (window.Plotly && document.querySelector(".figure .chart")) {
    drawAll();
    new MutationObserver(drawAll).observe(document.body, {
      attributes: true,
      attributeFilter: ["data-md-color-scheme"],
    });
    window.addEventListener("beforeprint", drawAll);
  }
})();
