/**
 * The Prometheus text format (version 0.0.4), as far as required to join the metrics of several processes: the output
 * of the exporter of OpenTelemetry, without time stamps.
 */

/** A metric: the comment lines, and the values of the series by name and labels as written. */
interface Family {
  readonly comments: string[];
  type: string;
  readonly series: Map<string, number>;
}

/** Metrics by name, in the order of the text. */
export type Exposition = Map<string, Family>;

/** The metrics of a process among several processes. */
export interface ProcessMetrics {
  /** From 1, unchanged after a restart: a closed set of label values. */
  readonly number: number;
  /** The response of the process; undefined without a response. */
  readonly exposition: Exposition | undefined;
  /** Counters and histograms of the process and of the replaced processes, as far as known. */
  readonly totals: Exposition;
}

const PROCESS_LABEL = "service_process";
/**
 * Describes the service, not a process, and is joined with other series by `instance`: a single line for all processes.
 */
const TARGET_INFO = "target_info";
const SUMMED = new Set(["counter", "histogram"]);
const COMMENT = /^# (HELP|TYPE|UNIT) (\S+) ?(.*)$/;

export function parseExposition(text: string): Exposition {
  const exposition: Exposition = new Map();
  let family: Family | undefined;
  for (const line of text.split("\n")) {
    const [comment, keyword, name = "", content = ""] = COMMENT.exec(line) ?? [];
    if (comment) {
      family = exposition.get(name) ?? { comments: [], type: "untyped", series: new Map() };
      exposition.set(name, family);
      family.comments.push(comment);
      if (keyword === "TYPE") family.type = content;
    } else if (line !== "" && !line.startsWith("#")) {
      // Label values may contain spaces, values do not.
      const end = line.lastIndexOf(" ");
      family?.series.set(line.slice(0, end), Number(line.slice(end + 1).replace("Inf", "Infinity")));
    }
  }
  return exposition;
}

/** Counters and histograms of the two texts, added. */
export function addTotals(a: Exposition, b: Exposition): Exposition {
  const sums: Exposition = new Map();
  for (const exposition of [a, b]) {
    for (const [name, family] of exposition) {
      if (!SUMMED.has(family.type)) continue;
      for (const [series, value] of family.series) addValue(sums, name, family, series, value);
    }
  }
  return sums;
}

/**
 * A single text for all processes: counters and histograms are summed; every gauge has the label `service_process`.
 * Totals are added in the order of the processes, so that a sum never falls by a rounding error, which would look like
 * a reset.
 */
export function joinExpositions(processes: readonly ProcessMetrics[]): string {
  const joined: Exposition = new Map();
  for (const { exposition } of processes) {
    for (const [name, family] of exposition ?? [])
      if (!joined.has(name)) joined.set(name, { ...family, series: new Map() });
  }
  for (const { totals } of processes) {
    for (const [name, family] of totals)
      for (const [series, value] of family.series) addValue(joined, name, family, series, value);
  }
  for (const { number, exposition } of processes) {
    for (const [name, family] of exposition ?? []) {
      if (SUMMED.has(family.type)) continue;
      for (const [series, value] of family.series)
        joined.get(name)?.series.set(name === TARGET_INFO ? series : withLabel(series, number), value);
    }
  }
  const up = processes.map(
    ({ number, exposition }) => [withLabel("service_process_up", number), exposition ? 1 : 0] as const,
  );
  joined.set("service_process_up", {
    comments: [
      "# HELP service_process_up 1 if the process responded with its metrics in time",
      "# TYPE service_process_up gauge",
    ],
    type: "gauge",
    series: new Map(up),
  });
  return write(joined);
}

function addValue(to: Exposition, name: string, { comments, type }: Family, series: string, value: number): void {
  const family = to.get(name) ?? { comments, type, series: new Map() };
  to.set(name, family);
  family.series.set(series, (family.series.get(series) ?? 0) + value);
}

function withLabel(series: string, number: number): string {
  const label = `${PROCESS_LABEL}="${number}"`;
  return series.endsWith("}") ? `${series.slice(0, -1)},${label}}` : `${series}{${label}}`;
}

function write(exposition: Exposition): string {
  const lines = [...exposition.values()].flatMap(({ comments, series }) => [
    ...comments,
    ...[...series].map(([name, value]) => `${name} ${String(value).replace("Infinity", "Inf")}`),
  ]);
  return `${lines.join("\n")}\n`;
}
