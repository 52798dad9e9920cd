/**
 * The live view: loads the page again and replaces the parts with `data-live`, so that scroll position and focus stay.
 * The end of the live view comes from the server: a page without `data-refresh` stops the loop.
 */
import { displayLocalTimes } from "./local-times.ts";

const MS = 1000;
const refreshed = () => [...document.querySelectorAll<HTMLElement>("[data-live]")];

/** An opened entry or a focused link in the list must not vanish under the reader. */
function isInUse(part: HTMLElement): boolean {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

async function refresh(): Promise<boolean> {
  // The page of a form is kept as it was: the live view follows the page of the address.
  const address = new URL(location.href);
  address.searchParams.delete("shown");
  const response = await fetch(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  // The end of the session or of the live view: the browser displays the whole page.
  if (!response.ok || !page.querySelector("[data-refresh]")) {
    location.assign(response.url);
    return false;
  }
  for (const part of refreshed()) {
    const next = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next && !isInUse(part)) part.replaceChildren(...next.childNodes);
  }
  displayLocalTimes();
  return true;
}

async function follow(pauseMs: number): Promise<void> {
  for (let follows = true; follows; ) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // A hidden page asks for nothing; a failed request is repeated at the next interval.
    if (!document.hidden) follows = await refresh().catch(() => true);
  }
}

const seconds = Number(document.querySelector<HTMLElement>("[data-refresh]")?.dataset.refresh);
if (seconds > 0) void follow(seconds * MS);
