/** Displays the times of the page in the zone of the browser, for an account without a zone; UTC remains on hover. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const thisYear = new Date().getFullYear();

/** The format of the server (dates.ts, `second`): a clock of twelve hours has no leading zero. */
function displayed(at: Date, locale: string): string {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return new Intl.DateTimeFormat(locale, {
    ...(at.getFullYear() === thisYear ? {} : { year: "numeric" }),
    day: "numeric",
    month: "short",
    hour: hour12 ? "numeric" : "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);
}

export function displayLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    time.textContent = displayed(new Date(time.dateTime), time.dataset.local ?? "");
  }
  for (const name of document.querySelectorAll<HTMLElement>("[data-zone]")) {
    name.textContent = name.dataset.zone?.replace("%", ZONE) ?? null;
  }
}

displayLocalTimes();
