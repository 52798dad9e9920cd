import { lazily } from "../../base/lazily.ts";
import { ok } from "../../base/result.ts";
import type { Config } from "../../config/config.ts";
import { policyHeaders } from "../content-policy.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { textReply } from "../reply.ts";
import { docsPage } from "./docs-page.ts";
import { apiDocument, mountedPath } from "./openapi.ts";

/** The page has no script and loads nothing from another origin. */
const DOCS_HEADERS = policyHeaders({
  "default-src": ["'none'"],
  "style-src": ["'unsafe-inline'"],
  "frame-ancestors": ["'none'"],
});

/**
 * The OpenAPI document at /openapi.json and the page at /docs. The first request builds the document: few deployments
 * request the document, so the start does not wait for the document.
 */
export function documentRoutes(config: Config, endpoints: readonly Endpoint[]): Endpoint[] {
  const document = lazily(() => JSON.stringify(apiDocument(config, endpoints)));
  const page = lazily(() => docsPage(endpoints.map((each) => ({ ...each, path: mountedPath(config, each) }))));
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
      handle: () => ok(textReply(200, "text/html; charset=utf-8", page(), { headers: DOCS_HEADERS })),
    }),
  ];
}
