// Bar charts as SVG, without a library: horizontal bars with the range of the runs as a whisker. Colours follow the reader's
// light or dark mode, and text is text, so the picture is self-contained.
import { figure } from "./rounds.ts";
import type { Chart } from "./suite.ts";

const WIDTH = 720;
const LABEL_WIDTH = 230;
const VALUE_WIDTH = 110;
const [TOP, ROW, BAR, BOTTOM] = [52, 32, 18, 18];
const PLOT = WIDTH - LABEL_WIDTH - VALUE_WIDTH;

const STYLE = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 }
  .quiet { fill: #59636e; font-size: 12px }
  .bar { fill: #8c959f }
  .ours { fill: #0969da }
  .whisker { stroke: #1f2328; stroke-width: 1.5 }
  .axis { stroke: #d1d9e0 }
  .mark { stroke: #cf222e; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .bar { fill: #656c76 }
    .ours { fill: #4493f8 }
    .whisker { stroke: #f0f6fc }
    .axis { stroke: #3d444d }
    .mark { stroke: #f85149 }
  }`;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function drawChart({ title, unit, digits = 2, bars, mark }: Chart): string {
  const height = TOP + bars.length * ROW + BOTTOM + (mark ? 14 : 0);
  const most = Math.max(...bars.map((bar) => bar.high ?? bar.value), mark?.value ?? 0) || 1;
  const x = (value: number) => LABEL_WIDTH + (PLOT * Math.max(0, value)) / most;
  const end = TOP + bars.length * ROW;
  const rows = bars.flatMap((bar, index) => {
    const middle = TOP + index * ROW + ROW / 2;
    const { low = bar.value, high = bar.value } = bar;
    const after = Math.max(x(bar.value), x(high)) + 8;
    return [
      `<text x="${LABEL_WIDTH - 10}" y="${middle + 4}" text-anchor="end">${escaped(bar.label)}</text>`,
      `<rect class="${bar.isOurs ? "ours" : "bar"}" x="${LABEL_WIDTH}" y="${middle - BAR / 2}" width="${(x(bar.value) - LABEL_WIDTH).toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<path class="whisker" fill="none" d="M${x(low).toFixed(1)} ${middle}H${x(high).toFixed(1)}M${x(low).toFixed(1)} ${middle - 4}v8M${x(high).toFixed(1)} ${middle - 4}v8"/>`,
      `<text x="${after.toFixed(1)}" y="${middle + 4}">${figure(bar.value, digits)}</text>`,
    ];
  });
  const line = mark
    ? [
        `<path class="mark" d="M${x(mark.value).toFixed(1)} ${TOP - 4}V${end + 4}"/>`,
        `<text class="quiet" x="${x(mark.value).toFixed(1)}" y="${end + 18}" text-anchor="${x(mark.value) > WIDTH / 2 ? "end" : "start"}">${escaped(mark.label)}</text>`,
      ]
    : [];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title).replaceAll('"', "&quot;")}">`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="12" y="22">${escaped(title)}</text>`,
    `<text class="quiet" x="12" y="40">${escaped(unit)}; the bar is the median, the line across it the range of the runs</text>`,
    `<path class="axis" d="M${LABEL_WIDTH} ${TOP - 4}V${end + 4}"/>`,
    ...line,
    ...rows,
    "</svg>",
  ].join("\n")}\n`;
}
