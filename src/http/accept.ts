/** Content negotiation by Accept (RFC 9110, section 12.5.1). */
import Negotiator from "negotiator";

/** Whether Accept prefers JSON to HTML; a browser prefers HTML. */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.get("accept");
  if (accept === null) return false;
  return new Negotiator({ headers: { accept } }).mediaType(["text/html", "application/json"]) === "application/json";
}

/** Whether a browser asks for a page: only then does Accept name HTML. */
export function wantsHtml(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false;
}

export function acceptsGzip({ headers }: Request): boolean {
  return /\bgzip\b/.test(headers.get("accept-encoding") ?? "");
}
