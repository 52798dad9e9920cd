const NO_SEARCH = new URLSearchParams();

/** The query of a request. Bun builds `request.url` from the Host header, so nothing else of it is read, and it is not parsed. */
export function searchOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return start === -1 ? NO_SEARCH : new URLSearchParams(url.slice(start + 1));
}
