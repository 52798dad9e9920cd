const NO_SEARCH = new URLSearchParams();

/** The query of a request. Bun builds the rest of `request.url` from the Host header, so the rest is not read. */
export function searchOf(request: Request): URLSearchParams {
  const search = encodedSearchOf(request);
  return search === "" ? NO_SEARCH : new URLSearchParams(search);
}

/** The query as sent, for a signature that covers the encoded values. */
export function encodedSearchOf({ url }: Request): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** A filter with two values as a boolean; undefined without the filter. */
export function isValue(value: string | undefined, yes: string): boolean | undefined {
  return value === undefined ? undefined : value === yes;
}
