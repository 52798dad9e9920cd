import { policyHeaders } from "./content-policy.ts";

/** Content-addressed, so a name never changes its content. The CSP keeps a browser from running a picture (G20). */
export const PICTURE_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-disposition": "inline",
  ...policyHeaders({ "default-src": ["'none'"], sandbox: [] }),
  "cross-origin-resource-policy": "cross-origin",
};
