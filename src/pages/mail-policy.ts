import { type ContentPolicy, policyHeaders } from "../http/content-policy.ts";

/**
 * The policy of the HTML part of an email, which contains its styles: no script and no resource of a foreign site is
 * loaded. `ancestor`: the pages with a permitted frame. `sandbox`: the permitted navigation.
 */
export function mailPolicy(
  ancestor: "'none'" | "'self'",
  sandbox: NonNullable<ContentPolicy["sandbox"]>,
): Readonly<Record<string, string>> {
  return policyHeaders({
    "default-src": ["'none'"],
    "img-src": ["'self'"],
    "style-src": ["'unsafe-inline'"],
    "form-action": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": [ancestor],
    sandbox,
  });
}
