import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../endpoint.ts";
import { INFO, TAGS } from "../openapi-parts.ts";
import { statusOf } from "../problem-status.ts";
import { problemsOf } from "./openapi.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #2563eb; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 58rem; margin: 0 auto; padding: 2rem 1.25rem 5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem; }
code, pre { font: .86em/1.5 ui-monospace, monospace; }
pre { background: var(--soft); padding: .8rem 1rem; border-radius: 6px; overflow: auto; }
details { border-top: 1px solid var(--line); } details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: .55rem 0; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary:hover { background: var(--soft); } .method { font-weight: 700; min-width: 4.2rem; color: var(--accent); }
.what { opacity: .75; margin-left: auto; } .inside { padding: 0 0 1rem 1rem; }
.inside h3 { font-size: .85rem; margin: 1rem 0 .3rem; text-transform: uppercase; letter-spacing: .04em; opacity: .7; }
table { border-collapse: collapse; width: 100%; }
td { padding: .25rem .8rem .25rem 0; vertical-align: top; border-top: 1px solid var(--line); }
td:first-child { white-space: nowrap; width: 1%; }
`;

/** The page at /docs: every endpoint with input and responses. The page has no script and loads nothing. */
export function docsPage(endpoints: readonly Endpoint[]): string {
  const sections = Object.entries(TAGS).map(([tag, description]) => {
    const ofTag = endpoints.filter((each) => each.tag === tag);
    return `<h2>${escapeHtml(tag)}</h2>\n<p>${escapeHtml(description)}.</p>\n${ofTag.map(endpointBlock).join("\n")}`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(INFO.title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(INFO.title)}</h1>
<p>Version ${escapeHtml(INFO.version)}. For machines: <a href="/openapi.json">OpenAPI 3.1</a>.
Requests and responses are JSON. An error is <code>{"error": {"code", "message", "type"}}</code>; branch on the code.
With cookies, POST, PUT and PATCH need the header <code>X-Service-CSRF</code> with the value of the cookie
<code>service_csrf</code>.</p>
${sections.join("\n")}
</body></html>
`;
}

function endpointBlock(endpoint: Endpoint): string {
  const { method, path, summary, description, query, body } = endpoint;
  return `<details><summary><span class="method">${method}</span><code>${escapeHtml(path)}</code>
<span class="what">${escapeHtml(summary)}</span></summary>
<div class="inside">${description ? `<p>${escapeHtml(description)}</p>` : ""}
<p>Authentication: ${authenticationText(endpoint)}</p>
${query ? `<h3>Query</h3>${fields(query)}` : ""}${body ? `<h3>Body</h3>${fields(body)}` : ""}
<h3>Responses</h3><table>${responseRows(endpoint)}${problemRows(endpoint)}</table></div></details>`;
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
