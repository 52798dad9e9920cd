import type { Row } from "./harness.ts";

const WIDTH = 960;
const LABEL_WIDTH = 470;
const ROW_HEIGHT = 22;
const TOP = 54;
/** Bars are truncated at ten times better or worse than the goal. */
const TIMES_MAX = 10;
const PLOT_WIDTH = WIDTH - LABEL_WIDTH - 70;

/** Renders an SVG bar chart on a logarithmic scale: each bar is the ratio of a line to the goal of the line. */
export function chart(rows: readonly Row[]): string {
  const bars = rows.map((row, index) => bar(row, TOP + index * ROW_HEIGHT));
  const height = TOP + rows.length * ROW_HEIGHT + 16;
  const middle = xOf(1);
  const font = 'font-family="system-ui, sans-serif" font-size="12"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ${font}>
<title>Each line of the bench against its goal</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="16" y="22" font-size="15" font-weight="600" fill="#1f2328">Each line of the bench against its goal</text>
<text x="${middle}" y="42" text-anchor="middle" fill="#57606a">the goal</text>
<text x="${xOf(TIMES_MAX)}" y="42" text-anchor="middle" fill="#57606a">10 times better</text>
<text x="${xOf(1 / TIMES_MAX)}" y="42" text-anchor="middle" fill="#57606a">10 times worse</text>
${bars.join("\n")}
<line x1="${middle}" x2="${middle}" y1="${TOP - 6}" y2="${height - 10}" stroke="#1f2328" stroke-width="1"/>
</svg>
`;
}

function bar(row: Row, y: number): string {
  const times = attained(row);
  const [from, to] = [xOf(1), xOf(times)].sort((a, b) => a - b) as [number, number];
  const label = `${row.line ? `${row.line}. ` : ""}${row.work}`;
  const short = label.length > 74 ? `${label.slice(0, 73)}…` : label;
  const width = Math.max(1, to - from).toFixed(1);
  const fill = row.reached ? "#2da44e" : "#cf222e";
  const textX = (times >= 1 ? to + 5 : xOf(1) + 5).toFixed(1);
  return [
    `<text x="${LABEL_WIDTH - 10}" y="${y + 14}" text-anchor="end" fill="#1f2328">${escaped(short)}</text>`,
    `<rect x="${from.toFixed(1)}" y="${y + 4}" width="${width}" height="13" fill="${fill}"/>`,
    `<text x="${textX}" y="${y + 14}" fill="#57606a">${times.toFixed(2)}</text>`,
  ].join("");
}

function xOf(times: number): number {
  const clamped = Math.min(TIMES_MAX, Math.max(1 / TIMES_MAX, times));
  return LABEL_WIDTH + 20 + (PLOT_WIDTH * (Math.log10(clamped) + 1)) / 2;
}

/**
 * Returns the ratio of a line to the goal, for "more is better" and "less is better" alike: at least 1 if the goal is
 * reached.
 */
export function attained(row: Row): number {
  const [value, goal] = [quantity(row.ratio || row.measured), quantity(row.goal)];
  const quotient = value / goal;
  const better = Math.max(quotient, 1 / quotient);
  return row.reached ? better : 1 / better;
}

/** Returns the first number of a text; seconds are converted to milliseconds. */
function quantity(text: string): number {
  const [, number = "", unit] = /([\d,.]*\d)\s*(s\b)?/.exec(text) ?? [];
  return Number(number.replaceAll(",", "")) * (unit ? 1000 : 1);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
