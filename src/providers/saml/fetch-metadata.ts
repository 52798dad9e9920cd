import { gunzipSync } from "node:zlib";
import { err, ok, type Result } from "../../base/result.ts";
import { IDENTITY_CALL_DEADLINE_MS } from "../../limits/provider-limits.ts";
import { SAML_METADATA_MAX_BYTES } from "../../limits/saml-limits.ts";
import { type GuardedFetch, guardedFetch } from "../guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "../guarded-post.ts";
import { decodeMetadata } from "./decode-metadata.ts";

const ACCEPTED_TYPES = "application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.8";
const SUCCESS = 200;

/** `cause` names only the address that the administrator wrote. */
export interface MetadataFailure {
  readonly cause: string;
}

/** A `fetch` with the bounds of metadata. */
export function metadataFetch(reach: Pick<GuardedPostOptions, "allows" | "loopback" | "proxy">): GuardedFetch {
  const bounds = { deadlineMs: IDENTITY_CALL_DEADLINE_MS, maxBytes: SAML_METADATA_MAX_BYTES };
  return guardedFetch(guardedPost({ ...reach, ...bounds }));
}

/**
 * Fetches the metadata of an identity provider over a checked connection (docs/contract.md, section 26.5). `fetch` has
 * the bounds of time and bytes; redirects are not followed, because a redirect could leave https.
 */
export async function fetchMetadata(fetch: GuardedFetch, url: string): Promise<Result<string, MetadataFailure>> {
  try {
    const response = await fetch(url, { headers: { accept: ACCEPTED_TYPES } });
    if (response.status !== SUCCESS) return err({ cause: `the response has the status ${response.status}` });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isCompressed = /^(?:x-)?gzip$/i.test(response.headers.get("content-encoding") ?? "");
    // The request asks for no compression, and some servers compress all the same.
    const plain = isCompressed ? gunzipSync(bytes, { maxOutputLength: SAML_METADATA_MAX_BYTES }) : bytes;
    return ok(decodeMetadata(plain));
  } catch (error) {
    return err({ cause: error instanceof Error ? error.message : "no response" });
  }
}
