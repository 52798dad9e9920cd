/** A path of this origin with query values. */
export function pathWith(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value);
  if (given.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(given as [string, string][])}`;
}

/** The query parameter with the key of the page of a form (kept-pages.ts). */
export const SHOWN = "shown";
const SHOWN_PARAMETER = /[?&]shown=[\w.-]*/;

/** The path and query of a request, as sent. */
export function addressOf({ url }: Request): string {
  return url.slice(url.indexOf("/", "https://".length));
}

/** The path and query of a request, without the key of the page of a form. */
export function pathOf(request: Request): string {
  return withoutShown(addressOf(request));
}

/** An address without the key of the page of a form. */
export function withoutShown(address: string): string {
  const match = SHOWN_PARAMETER.exec(address);
  if (!match) return address;
  const rest = address.slice(match.index + match[0].length);
  const isFirst = match[0].startsWith("?");
  return `${address.slice(0, match.index)}${isFirst && rest.startsWith("&") ? `?${rest.slice(1)}` : rest}`;
}

/** The trail of the platform, in the console. */
export const AUDIT = "/admin/audit";

export const STEP_UP = "/step-up";

/** The step-up page, which returns to `returnTo` after a second factor. */
export function stepUpPath(returnTo: string): string {
  return pathWith(STEP_UP, { return_to: returnTo });
}
