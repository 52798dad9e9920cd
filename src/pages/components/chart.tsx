import type { AuditChart } from "../../flows/audit/chart.ts";
import { useView } from "../view.tsx";

const BAR = 10;
const HEIGHT = 100;
const MIN_HEIGHT = 1.5;

interface ChartProps {
  readonly chart: AuditChart;
  /** The name of the picture. Default: events. */
  readonly label?: string;
  /** Whether the counts have no failures. */
  readonly hasOneKind?: boolean;
}

/** Counts per hour or day: bars on one baseline, a caption with the numbers, and the numbers as a table. */
export function Chart({ chart, label: name, hasOneKind = false }: ChartProps) {
  const { t, dates } = useView();
  const { buckets, unit, total, failures, from, to } = chart;
  const most = Math.max(0, ...buckets.map(({ count }) => count));
  const ofEvents = unit === "hour" ? t.audit.perHour : t.audit.perDay;
  const ofCounts = unit === "hour" ? t.overview.perHour : t.overview.perDay;
  const say = name === undefined ? ofEvents : ofCounts;
  const caption = say({ total, from: dates.hour(from), to: dates.hour(to), most: dates.number(most) });
  const label = unit === "hour" ? dates.hour : dates.utcDate;
  const failedIn = (failed: number) => (hasOneKind ? "" : `, ${t.events.failed} ${dates.number(failed)}`);
  const marks = [buckets[0], buckets.at(-1)].flatMap((bucket) => bucket ?? []);
  return (
    <figure class="chart">
      {!hasOneKind && (
        <p class="line">
          <span class="key">
            {t.events.succeeded} {dates.number(total - failures)}
          </span>{" "}
          <span class="key no">
            {t.events.failed} {dates.number(failures)}
          </span>
        </p>
      )}
      <svg
        viewBox={`0 0 ${buckets.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={name ?? t.audit.chartLabel}
      >
        {buckets.map(({ at, count, failures: failed }, index) => (
          <Bar
            key={at}
            x={index * BAR}
            succeeded={heightOf(count - failed, most)}
            failed={heightOf(failed, most)}
            text={`${label(at)} (UTC): ${dates.number(count)}${failedIn(failed)}`}
          />
        ))}
      </svg>
      <p class="axis" aria-hidden="true">
        {marks.map(({ at }, index) => (
          <span key={at}>{index < marks.length - 1 ? label(at) : `${label(at)} (UTC)`}</span>
        ))}
      </p>
      <figcaption class="soft">{caption}</figcaption>
      <details class="in">
        <summary>{t.audit.asTable}</summary>
        <table class="table small">
          <thead>
            <tr>
              <th scope="col">{t.audit.begin}</th>
              <th scope="col">{hasOneKind ? t.overview.count : t.audit.events}</th>
              {!hasOneKind && <th scope="col">{t.events.failed}</th>}
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ at, count, failures: failed }) => (
              <tr key={at}>
                <td class="num">{label(at)}</td>
                <td class="num">{dates.number(count)}</td>
                {!hasOneKind && <td class="num">{dates.number(failed)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The smallest count has a visible height. */
function heightOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(MIN_HEIGHT, (count / most) * HEIGHT);
}

interface BarProps {
  readonly x: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly text: string;
}

/** A bar with a text on hover, also above a low bar. Failures are on top. */
function Bar({ x, succeeded, failed, text }: BarProps) {
  const top = Math.max(0, HEIGHT - succeeded - failed);
  return (
    <g>
      <title>{text}</title>
      <rect class="hit" x={x} y={0} width={BAR} height={HEIGHT} />
      {succeeded > 0 && <rect class="bar ok" x={x + 1} y={HEIGHT - succeeded} width={BAR - 2} height={succeeded} />}
      {failed > 0 && <rect class="no" x={x + 1} y={top} width={BAR - 2} height={failed} />}
    </g>
  );
}
