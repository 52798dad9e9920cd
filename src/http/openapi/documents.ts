import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { lazily } from "../../base/lazily.ts";
import { ok } from "../../base/result.ts";
import { bundleForBrowsers } from "../../base/runtime.ts";
import type { Config } from "../../config/config.ts";
import { acceptsGzip } from "../accept.ts";
import { policyHeaders, sourceHash } from "../content-policy.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { bytesReply, textReply } from "../reply.ts";
import { docsPage } from "./docs/docs-page.ts";
import { apiDocument, mountedPath } from "./openapi.ts";

const CLIENT = join(import.meta.dirname, "docs/docs-client.ts");

/** The page with its one script, and loads nothing from another origin; the script reads the session of the reader. */
async function buildPage(config: Config, endpoints: readonly Endpoint[]) {
  const [bundle] = await bundleForBrowsers([CLIENT]);
  const script = bundle?.bytes.toString() ?? "";
  const { brand, urls } = config;
  const { publicBaseUrl: base, routePrefix } = urls;
  const mounted = endpoints.map((each) => ({ ...each, path: mountedPath(config, each) }));
  const html = docsPage(mounted, { base, routePrefix, accent: brand.accent, script });
  const headers = policyHeaders({
    "default-src": ["'none'"],
    "script-src": [sourceHash(script)],
    "style-src": ["'unsafe-inline'"],
    "connect-src": ["'self'"],
    "frame-ancestors": ["'none'"],
  });
  return { html: Buffer.from(html), gzipped: gzipSync(html, { level: 9 }), headers };
}

/**
 * The OpenAPI document at /openapi.json and the page at /docs. The first request builds the document: few deployments
 * request the document, so the start does not wait for the document.
 */
export function documentRoutes(config: Config, endpoints: readonly Endpoint[]): Endpoint[] {
  const document = lazily(() => JSON.stringify(apiDocument(config, endpoints)));
  const page = lazily(() => buildPage(config, endpoints));
  const shared = {
    method: "GET",
    prefixed: false,
    unsampled: true,
    tag: "Documents",
    auth: "none",
    problems: [],
  } as const;
  return [
    endpoint({
      ...shared,
      path: "/openapi.json",
      operationId: "getOpenApiDocument",
      docs: { clientMethod: null, section: "19.4" },
      summary: "This document",
      responses: { 200: { description: "OpenAPI 3.1" } },
      handle: () => ok(textReply(200, "application/json", document())),
    }),
    endpoint({
      ...shared,
      path: "/docs",
      operationId: "getDocs",
      docs: { clientMethod: null, section: "19.4" },
      summary: "The document as a page",
      responses: { 200: { description: "HTML" } },
      async handle({ request }) {
        const { html, gzipped, headers } = await page();
        const isGzip = acceptsGzip(request);
        const encoding = { vary: "accept-encoding", ...(isGzip && { "content-encoding": "gzip" }) };
        const parts = { headers: { ...headers, ...encoding } };
        return ok(bytesReply(200, "text/html; charset=utf-8", isGzip ? gzipped : html, parts));
      },
    }),
  ];
}
