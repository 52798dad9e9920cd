/** A path of this origin with query values. */
export function pathWith(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value);
  if (given.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(given as [string, string][])}`;
}

/** The path and query of a request. */
export function pathOf({ url }: Request): string {
  return url.slice(url.indexOf("/", "https://".length));
}

export const STEP_UP = "/step-up";

/** The step-up page, which returns to `returnTo` after a second factor. */
export function stepUpPath(returnTo: string): string {
  return pathWith(STEP_UP, { return_to: returnTo });
}
