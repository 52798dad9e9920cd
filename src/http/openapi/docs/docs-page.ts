import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../../endpoint.ts";
import { requiresCaller } from "../../guards/any-caller.ts";
import { INFO, TAGS } from "../../openapi-parts.ts";
import { statusOf } from "../../problem-status.ts";
import { problemsOf } from "../openapi.ts";
import { exampleOf } from "../openapi-schema.ts";
import { DOCS_STYLE } from "./docs-style.ts";
import { EXAMPLE_LANGUAGES, type ExampleRequest, requestExample } from "./request-examples.ts";

export interface DocsPage {
  /** The origin of the deployment. */
  readonly base: string;
  readonly routePrefix: string;
  /** The colour of the deployment; undefined: the default. */
  readonly accent: string | undefined;
  /** The text of the script. */
  readonly script: string;
}

/**
 * The page at /docs: every endpoint with input, responses and an example. Without scripts the page has the same content
 * with curl alone; nothing is loaded from another origin.
 */
export function docsPage(endpoints: readonly Endpoint[], page: DocsPage): string {
  const groups = Object.entries(TAGS)
    .map(([tag, description]) => ({ tag, description, ofTag: endpoints.filter((each) => each.tag === tag) }))
    .filter(({ ofTag }) => ofTag.length > 0);
  const { base, routePrefix, accent, script } = page;
  const brand = accent === undefined ? "" : `:root { --brand: ${accent}; }`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(INFO.title)}: API</title><style>${DOCS_STYLE}${brand}</style></head>
<body data-base="${escapeHtml(base)}" data-session="${escapeHtml(routePrefix)}/auth/session">
<a class="skip" href="#main">Skip to content</a>
<header class="side"><strong>${escapeHtml(INFO.title)}</strong>
<div class="bar scripted"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-keyshortcuts="/" placeholder="sessions revoke">
<label for="language">Examples</label><select id="language">${languageOptions()}</select></div>
<nav aria-label="Endpoints">${groups.map(groupLink).join("")}</nav></header>
<main id="main"><h1>API</h1>
<p>Version ${escapeHtml(INFO.version)}. For machines: <a href="/openapi.json">OpenAPI 3.1</a>.
Requests and responses are JSON. An error is <code>{"error": {"code", "message", "type"}}</code>; branch on the code.
With cookies, POST, PUT and PATCH need the header <code>X-Service-CSRF</code> with the value of the cookie
<code>service_csrf</code>.</p>
<p class="soft" id="own" hidden>You're signed in: the examples have the IDs of your account and organization.</p>
<p id="none" role="status" hidden>No endpoint has these words.</p>
${groups.map((group) => sectionOf(group, base)).join("\n")}
</main><script type="module">${script}</script></body></html>
`;
}

function groupLink({ tag }: Group): string {
  return `<a href="#${idOf(tag)}">${escapeHtml(tag)}</a>`;
}

function languageOptions(): string {
  return Object.entries(EXAMPLE_LANGUAGES)
    .map(([key, name]) => `<option value="${key}">${name}</option>`)
    .join("");
}

interface Group {
  readonly tag: string;
  readonly description: string;
  readonly ofTag: readonly Endpoint[];
}

function sectionOf({ tag, description, ofTag }: Group, base: string): string {
  return `<section id="${idOf(tag)}"><h2>${escapeHtml(tag)}</h2><p class="soft">${escapeHtml(description)}.</p>
<div class="list">${ofTag.map((endpoint) => endpointBlock(endpoint, base)).join("\n")}</div></section>`;
}

const idOf = (tag: string) => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function endpointBlock(endpoint: Endpoint, base: string): string {
  const { method, path, summary, description, query, body, operationId } = endpoint;
  const text = escapeHtml(`${method} ${path} ${summary}`.toLowerCase());
  return `<details class="operation" id="${operationId}" data-text="${text}">
<summary><span class="method ${method}">${method}</span><code>${escapeHtml(path)}</code>
<span class="what">${escapeHtml(summary)}</span></summary>
<div class="inside">${description ? `<p>${escapeHtml(description)}</p>` : ""}
<p class="soft">Authentication: ${authenticationText(endpoint)} · <a href="#${operationId}">Link</a></p>
${exampleBlock(endpoint, base)}
${query ? `<h3>Query</h3>${fields(query)}` : ""}${body ? `<h3>Body</h3>${fields(body)}` : ""}
<h3>Responses</h3><table>${responseRows(endpoint)}${problemRows(endpoint)}</table></div></details>`;
}

/** No program sends the request of a browser that another party redirects. */
function exampleBlock(endpoint: Endpoint, base: string): string {
  if (endpoint.docs.request === "none") return "";
  const request = exampleRequest(endpoint);
  const example = escapeHtml(requestExample("curl", base, request));
  const data = escapeHtml(JSON.stringify(request));
  return `<h3>Example</h3><div class="code"><pre tabindex="0"><code data-request="${data}">${example}</code></pre>
<button type="button" class="scripted" data-copy>Copy</button></div>`;
}

function exampleRequest(endpoint: Endpoint): ExampleRequest {
  const { method, path, query, body, bodyType, upload } = endpoint;
  const required = Object.entries(query?.properties ?? {}).filter(([name]) => query?.required?.includes(name));
  const search = required.map(([name, schema]) => `${name}=${encodeURIComponent(String(exampleOf(schema)))}`);
  return {
    method,
    path: search.length === 0 ? path : `${path}?${search.join("&")}`,
    hasToken: requiresCaller(endpoint),
    ...(body && { body: exampleOf(body) }),
    ...(bodyType === "form" && { isForm: true }),
    ...(upload && { part: upload.part }),
  };
}

function authenticationText(endpoint: Endpoint): string {
  if (endpoint.docs.credential === "refresh_cookie") return "the refresh cookie";
  if (endpoint.auth === "none") return "none";
  return endpoint.auth === "optional" ? "optional" : "access cookie or Bearer token";
}

function fields({ properties, required = [] }: NonNullable<Endpoint["body"]>): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    const note = [typeText(property), required.includes(name) ? "" : "optional", property.note ?? property.description]
      .filter(Boolean)
      .join(", ");
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(note)}</td></tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

/** `string (uuid)`, `owner | admin | member`, `string | null`. */
function typeText({ anyOf, documented, type, format = documented?.format, ...schema }: TSchema): string {
  if (anyOf) return anyOf.map((each: TSchema) => ("const" in each ? each.const : typeText(each))).join(" | ");
  if (type === "array") return `list of ${typeText(schema.items)}`;
  return format ? `${type} (${format})` : (type ?? "");
}

function responseRows(endpoint: Endpoint): string {
  return Object.entries(endpoint.responses)
    .map(([status, response]) => {
      const members = Object.keys(response.schema?.properties ?? {});
      const shape = members.length > 0 ? `: <code>{${escapeHtml(members.join(", "))}}</code>` : "";
      return `<tr><td>${status}</td><td>${escapeHtml(response.description)}${shape}</td></tr>`;
    })
    .join("");
}

function problemRows(endpoint: Endpoint): string {
  return [...problemsOf(endpoint)]
    .sort((one, other) => statusOf(one) - statusOf(other))
    .map((code) => `<tr><td>${statusOf(code)}</td><td><code>${code}</code></td></tr>`)
    .join("");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
