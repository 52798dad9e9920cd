/**
 * The policy of the HTML part of an e-mail, which contains its styles: no script and no resource of a foreign site is
 * loaded. `ancestors`: the pages with a permitted frame. `sandbox`: the permitted navigation.
 */
export function mailPolicy(ancestors: "'none'" | "'self'", sandbox: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
    `sandbox ${sandbox}`.trim(),
  ].join("; ");
  return { "content-security-policy": policy, "x-frame-options": ancestors === "'none'" ? "DENY" : "SAMEORIGIN" };
}
