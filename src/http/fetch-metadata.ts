/** Fetch Metadata Request Headers (W3C): the site that began a request. Scripts cannot set the headers. */

const FETCH_SITE = "sec-fetch-site";
const OWN_SITES: ReadonlySet<string | null> = new Set(["same-origin", "none"]);
const EMBEDDED_DESTINATIONS: ReadonlySet<string | null> = new Set(["iframe", "frame", "embed", "object"]);

/**
 * Whether this origin or the user (address bar, bookmark) began the navigation, and every redirect on the way was of
 * this origin: the value of a chain that another site began stays `cross-site`.
 */
export function isOwnNavigation({ headers }: Request): boolean {
  return OWN_SITES.has(headers.get(FETCH_SITE));
}

/** False for browsers before 2023, and for every browser where the address is neither https nor localhost. */
export function sendsFetchSite({ headers }: Request): boolean {
  return headers.has(FETCH_SITE);
}

/** Whether the response is displayed within another document, where a page of this service is not rendered. */
export function isEmbedded({ headers }: Request): boolean {
  return EMBEDDED_DESTINATIONS.has(headers.get("sec-fetch-dest"));
}

/** Whether a document of another origin displays the response in a frame. */
export function isInForeignFrame(request: Request): boolean {
  return isEmbedded(request) && request.headers.get(FETCH_SITE) !== "same-origin";
}
