/** Addresses of protected resource metadata (RFC 9728, section 3.1). */

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The path of the metadata at the origin of the resource: the well-known path before the path of the resource. */
export function metadataPath(resource: string): string {
  const { pathname, search } = new URL(resource);
  return `${WELL_KNOWN}${pathname === "/" ? "" : pathname}${search}`;
}

export function metadataUrl(resource: string): string {
  return `${new URL(resource).origin}${metadataPath(resource)}`;
}

/** The location at the root, which clients try if the resource has a path. */
export const ROOT_METADATA_PATH = WELL_KNOWN;
