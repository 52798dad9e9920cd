/**
 * Content Security Policies. A source is a keyword, the hash of a text of this service, or the origin of a `StoredUrl`;
 * no other text of other parties reaches a policy. Only this file writes the headers (test/conventions).
 */
import { createHash } from "node:crypto";
import type { Origin } from "../base/stored-url.ts";

declare const IS_HASH: unique symbol;
/** The hash of an inline script or style. */
export type SourceHash = string & { readonly [IS_HASH]: true };

type Keyword = "'none'" | "'self'" | "'unsafe-inline'" | "data:" | "*";
type Source = Keyword | SourceHash | Origin;
type SourceDirective =
  | "default-src"
  | "script-src"
  | "style-src"
  | "img-src"
  | "connect-src"
  | "frame-src"
  | "form-action"
  | "base-uri";
type SandboxToken = "allow-popups" | "allow-top-navigation";

/** The directives in the order of the header. */
export type ContentPolicy = { readonly [Directive in SourceDirective]?: readonly Source[] } & {
  readonly "frame-ancestors"?: readonly ["'none'" | "'self'"];
  readonly sandbox?: readonly SandboxToken[];
};

/** The policy, and `X-Frame-Options` with the same meaning for browsers that ignore `frame-ancestors`. */
export function policyHeaders(policy: ContentPolicy): Readonly<Record<string, string>> {
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(" "));
  const ancestor = policy["frame-ancestors"]?.[0];
  return {
    "content-security-policy": directives.join("; "),
    ...(ancestor && { "x-frame-options": ancestor === "'none'" ? "DENY" : "SAMEORIGIN" }),
  };
}

export function sourceHash(text: string): SourceHash {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'` as SourceHash;
}
