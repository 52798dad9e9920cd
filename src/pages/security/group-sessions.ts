import type { SecurityViewModel } from "./view-model.ts";

type Item = SecurityViewModel["sessions"]["items"][number];

/** The sessions of one device of a page of the list. */
export interface DeviceSessions {
  /** The session that was used last. */
  readonly latest: Item;
  readonly firstSeenAt: Date;
  readonly isCurrent: boolean;
  readonly sessions: readonly Item[];
  /** Without the current session. */
  readonly others: readonly Item[];
}

/** Groups the sessions with one user agent and one name, in the order of the list. */
export function groupByDevice(items: readonly Item[]): DeviceSessions[] {
  return Object.values(Object.groupBy(items, ({ userAgent, name }) => JSON.stringify([userAgent, name]))).flatMap(
    (sessions = []) => {
      const latest = sessions.reduce((last, each) => (each.lastUsedAt > last.lastUsedAt ? each : last));
      const first = sessions.reduce((oldest, each) => (each.createdAt < oldest.createdAt ? each : oldest));
      const others = sessions.filter(({ current }) => !current);
      return { latest, firstSeenAt: first.createdAt, isCurrent: others.length < sessions.length, sessions, others };
    },
  );
}
