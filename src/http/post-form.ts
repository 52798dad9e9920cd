/** A page that posts a form to another origin: the POST binding of SAML 2.0 (bindings, section 3.5). */

import { originOf, storedUrl } from "../base/stored-url.ts";
import { continueLabel, FALLBACK_LANGUAGE, spokenLanguage } from "../vocabulary/languages.ts";
import { clientLocale } from "./client-locale.ts";
import { policyHeaders, sourceHash } from "./content-policy.ts";
import { type Reply, textReply } from "./reply.ts";

const SCRIPT = "document.forms[0].submit()";
const SCRIPT_HASH = sourceHash(SCRIPT);
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The browser posts `fields` to `target` at once; without scripts, after a press of the button. */
export function postFormReply(
  request: Request,
  target: string,
  fields: Readonly<Record<string, string>>,
  cookies: readonly string[],
): Reply<200, undefined> {
  const language = spokenLanguage(clientLocale(request) ?? FALLBACK_LANGUAGE) ?? FALLBACK_LANGUAGE;
  const label = continueLabel(language);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${label}</title></head>`,
    `<body><main><h1>${label}</h1><form method="post" action="${escapeHtml(target)}">`,
    `${inputs.join("")}<button type="submit">${label}</button></form></main>`,
    `<script>${SCRIPT}</script></body></html>`,
  ].join("");
  return textReply(200, "text/html; charset=utf-8", html, { headers: headersFor(target), cookies });
}

/** The form may leave this origin for the origin of the target only. */
function headersFor(target: string): Readonly<Record<string, string>> {
  const url = storedUrl(target);
  return policyHeaders({
    "default-src": ["'none'"],
    "script-src": [SCRIPT_HASH],
    "form-action": [url ? originOf(url) : "'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
