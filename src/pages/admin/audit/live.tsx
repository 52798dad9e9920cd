/** The live view: the page is loaded again for half an hour, without scripts by the browser, with scripts in parts. */
import { AUDIT_LIVE_MINUTES, AUDIT_LIVE_REFRESH_SECONDS } from "../../../limits/console-limits.ts";
import { Tag } from "../../components/lists.tsx";
import { type Fields, pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";

const SECOND_MS = 1000;
const LIVE_MS = AUDIT_LIVE_MINUTES * 60 * SECOND_MS;

/**
 * The end of the live view in the query, in milliseconds; undefined after the end. The end is bounded, because every
 * refresh continues the session of an administrator who may have left.
 */
export function liveEndIn(query: Fields, now: number): number | undefined {
  const text = query.text("live");
  const end = /^\d{1,12}$/.test(text) ? Number(text) * SECOND_MS : 0;
  return end > now && end <= now + LIVE_MS ? end : undefined;
}

interface LiveProps {
  /** The page without the live view. */
  readonly path: string;
  readonly end: number | undefined;
}

/** The link that begins or ends the live view. */
export function LiveSwitch({ path, end }: LiveProps) {
  const { t, dates, site } = useView();
  if (end === undefined) {
    const until = Math.floor((site.clock.now() + LIVE_MS) / SECOND_MS);
    return (
      <a class="button" href={pathWith(path, { live: String(until) })}>
        {t.events.live}
      </a>
    );
  }
  const interval = dates.number(AUDIT_LIVE_REFRESH_SECONDS);
  return (
    <p class="line" data-refresh={AUDIT_LIVE_REFRESH_SECONDS}>
      <Tag kind="on">{t.events.live}</Tag>
      <span class="soft">{t.events.liveUntil({ seconds: interval, time: dates.clock(new Date(end)) })}</span>
      <a class="button" href={path}>
        {t.events.stopLive}
      </a>
    </p>
  );
}
