/** Versions of resources as weak entity tags (RFC 7644, section 3.14; RFC 9110, section 13.1). */

export function entityTag(version: number): string {
  return `W/"${version}"`;
}

/** Whether If-Match or If-None-Match names the version. Clients omit `W/`, and some omit the quotation marks. */
export function matchesEntityTag(header: string, version: number): boolean {
  const tags = header.split(",").map((each) =>
    each
      .trim()
      .replace(/^W\//i, "")
      .replace(/^"(.*)"$/, "$1"),
  );
  return tags.includes("*") || tags.includes(String(version));
}
