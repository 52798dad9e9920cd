import type { AuditChart } from "../../flows/audit/chart.ts";
import { useView } from "../view.tsx";

const BAR = 10;
const HEIGHT = 100;

/** Events per hour or day: bars on one baseline, a caption with the numbers, and the numbers as a table. */
export function Chart({ chart }: { readonly chart: AuditChart }) {
  const { t, dates } = useView();
  const { buckets, unit, total, from, to } = chart;
  const most = Math.max(0, ...buckets.map(({ count }) => count));
  const say = unit === "hour" ? t.audit.perHour : t.audit.perDay;
  const caption = say(dates.number(total), dates.hour(from), dates.hour(to), dates.number(most));
  const label = unit === "hour" ? dates.hour : dates.date;
  const marks = [buckets[0], buckets[buckets.length >> 1], buckets.at(-1)].flatMap((bucket) => bucket ?? []);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${buckets.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.audit.chartLabel}
      >
        {buckets.map(({ at, count }, index) => (
          <Bar
            key={at}
            x={index * BAR}
            share={most > 0 ? count / most : 0}
            text={`${label(at)} (UTC): ${dates.number(count)}`}
          />
        ))}
      </svg>
      <p class="axis" aria-hidden="true">
        {marks.map(({ at }, index) => (
          <span key={at}>{index < marks.length - 1 ? label(at) : `${label(at)} (UTC)`}</span>
        ))}
      </p>
      <figcaption class="soft">{caption}</figcaption>
      <details>
        <summary>{t.audit.asTable}</summary>
        <table class="table small">
          <thead>
            <tr>
              <th scope="col">{t.audit.begin}</th>
              <th scope="col">{t.audit.events}</th>
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ at, count }) => (
              <tr key={at}>
                <td class="num">{label(at)}</td>
                <td class="num">{dates.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** A bar with a text on hover, also above a low bar. The smallest count has a visible bar. */
function Bar({ x, share, text }: { readonly x: number; readonly share: number; readonly text: string }) {
  const height = share === 0 ? 0 : Math.max(1.5, share * HEIGHT);
  return (
    <g>
      <title>{text}</title>
      <rect class="hit" x={x} y={0} width={BAR} height={HEIGHT} />
      {height > 0 && <rect class="bar" x={x + 1} y={HEIGHT - height} width={BAR - 2} height={height} />}
    </g>
  );
}
