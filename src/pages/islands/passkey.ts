/** What the two passkey islands share: the client of the API, and the error line of the page. */
import { type CeremonyResult, createClient, type PasskeyClient } from "../../../clients/js/src/passkeys.ts";

/** Of the API on the page's own origin, under its route prefix. */
export function clientOf(routePrefix: string): PasskeyClient {
  return createClient({ baseUrl: "/", routePrefix });
}

export const hasWebAuthn = "PublicKeyCredential" in window;

type CeremonyError = Extract<CeremonyResult<unknown>, { ok: false }>["error"];

/** Undefined: there is none any more. */
export function showError(error: CeremonyError | undefined): void {
  const line = document.querySelector<HTMLElement>("[data-passkey-error]");
  if (!line) return;
  const { failed = "", limited = "" } = line.dataset;
  line.textContent = error?.code === "rate_limited" ? limited : failed;
  line.hidden = error === undefined;
}

/** The person closed the browser's dialog, or a newer request replaced this one: there is nothing to say. */
export function isCancelled({ code }: CeremonyError): boolean {
  return code === "cancelled" || code === "aborted";
}
