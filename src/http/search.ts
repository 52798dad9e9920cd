const NO_SEARCH = new URLSearchParams();

/** The query of a request. Bun builds the rest of `request.url` from the Host header, so the rest is not read. */
export function searchOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return start === -1 ? NO_SEARCH : new URLSearchParams(url.slice(start + 1));
}
