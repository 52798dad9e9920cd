import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { describeIssuer } from "../../flows/discovery/describe-issuer.ts";
import { readRevocations } from "../../flows/discovery/read-revocations.ts";
import { JWKS_MAX_AGE_SECONDS, REVOCATION_FEED_CACHE_SECONDS } from "../../limits/session-limits.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, reply } from "../reply.ts";
import { revocationsBody } from "../revocation-feed.ts";
import { IssuerDescription, Jwks, Revocations, RevocationsQuery } from "../schemas/discovery.ts";

const tag = "Discovery";
const PUBLIC_KEYS_CACHE = { "cache-control": `public, max-age=${JWKS_MAX_AGE_SECONDS}` };
const FEED_CACHE = `public, max-age=${REVOCATION_FEED_CACHE_SECONDS}`;

type DiscoveryDeps = Pick<Deps, "config" | "keyRing" | "revocations" | "auditLog" | "webhookSigner">;

/** docs/contract.md, chapter 18. */
export function discoveryRoutes(deps: DiscoveryDeps): Endpoint[] {
  return [...issuerRoutes(deps), ...revocationRoutes(deps)];
}

function issuerRoutes(deps: DiscoveryDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/.well-known/jwks.json",
      prefixed: false,
      crossOrigin: "any",
      operationId: "getJwks",
      docs: { clientMethod: "discovery.keys", section: "18.1" },
      tag,
      summary: "Public signing keys",
      auth: "none",
      responses: {
        200: {
          description: "RFC 7517: the next, the active and the retiring keys",
          schema: Jwks,
          headers: ["Cache-Control"],
        },
      },
      problems: [],
      handle: () => ok(reply(200, deps.keyRing.jwks(), { headers: PUBLIC_KEYS_CACHE })),
    }),
    endpoint({
      method: "GET",
      path: "/.well-known/openid-configuration",
      prefixed: false,
      crossOrigin: "any",
      operationId: "getIssuer",
      docs: { clientMethod: "discovery.issuer", section: "18.2" },
      tag,
      summary: "Discovery document",
      auth: "none",
      responses: {
        200: { description: "Metadata of the issuer", schema: IssuerDescription, headers: ["Cache-Control"] },
      },
      problems: [],
      handle: () => ok(reply(200, describeIssuer(deps), { headers: PUBLIC_KEYS_CACHE })),
    }),
  ];
}

function revocationRoutes(deps: DiscoveryDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/.well-known/service-revocations.json",
      prefixed: false,
      operationId: "getRevocations",
      docs: { clientMethod: "discovery.revocations", section: "18.3", conditional: true },
      tag,
      summary: "Session-revocation feed",
      description:
        "Sessions that ended before their access tokens expire. An entry stays until every token has expired.",
      auth: "none",
      input: { query: RevocationsQuery },
      responses: {
        200: {
          description: "Revoked sessions, all or those after `since`",
          schema: Revocations,
          headers: ["ETag", "Cache-Control"],
        },
        304: { description: "Unchanged since the ETag of If-None-Match", headers: ["ETag", "Cache-Control"] },
      },
      problems: [],
      async handle({ request, query }) {
        const feed = await readRevocations(deps, query.since);
        if (!feed.ok) return feed;
        const etag = `W/"${feed.value.version}"`;
        const headers = { "cache-control": FEED_CACHE, etag };
        // A 304 confirms that the feed is complete up to now, and a replica that receives no events cannot confirm
        // completeness.
        const unchanged = feed.value.ageMs === 0 && matches(request.headers.get("if-none-match"), etag);
        if (unchanged) return ok(emptyReply(304, { headers }));
        return ok(reply(200, revocationsBody(deps.config.urls.publicBaseUrl, feed.value), { headers }));
      },
    }),
  ];
}

/** Weak comparison of RFC 9110, section 13.1.2. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}
