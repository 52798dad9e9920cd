/** Displays the times of the page in the zone of the browser, for an account without a zone; UTC remains on hover. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const language = document.documentElement.lang;
/** A clock of twelve hours has no leading zero. */
const { hour12 } = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions();
const format = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  hour: hour12 ? "numeric" : "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

export function displayLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    time.textContent = format.format(new Date(time.dateTime));
  }
  for (const name of document.querySelectorAll<HTMLElement>("[data-zone]")) {
    name.textContent = name.dataset.zone?.replace("%", ZONE) ?? null;
  }
}

displayLocalTimes();
