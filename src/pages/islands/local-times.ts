/** Displays the times of the page in the zone of the browser, for an account without a zone; UTC remains on hover. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The format of the server (dates.ts, `second`), with the year in the same cases. */
function displayed(at: Date, locale: string, text: string): string {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return new Intl.DateTimeFormat(locale, {
    ...(text.includes(String(at.getUTCFullYear())) ? { year: "numeric" } : {}),
    day: "numeric",
    month: "short",
    // A clock of twelve hours has no leading zero.
    hour: hour12 ? "numeric" : "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);
}

export function displayLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    time.textContent = displayed(new Date(time.dateTime), time.dataset.local ?? "", time.textContent ?? "");
  }
  for (const name of document.querySelectorAll<HTMLElement>("[data-zone]")) {
    name.textContent = name.dataset.zone?.replace("%", () => ZONE) ?? null;
  }
}

displayLocalTimes();
