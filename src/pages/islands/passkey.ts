/** Shared parts of the two passkey islands: the client of the API, and the error line of the page. */
import {
  type CeremonyResult,
  createPasskeyOnlyClient,
  type PasskeyOnlyClient,
} from "../../../clients/js/src/passkeys.ts";

/** The API on the origin of the page, under the route prefix. */
export function clientOf(routePrefix: string): PasskeyOnlyClient {
  return createPasskeyOnlyClient({ baseUrl: "/", routePrefix });
}

export const hasWebAuthn = "PublicKeyCredential" in window;

type CeremonyError = Extract<CeremonyResult<unknown>, { ok: false }>["error"];

/** Undefined: the page displays no error. */
export function showError(error: CeremonyError | undefined): void {
  const line = document.querySelector<HTMLElement>("[data-passkey-error]");
  if (!line) return;
  const { failed = "", limited, registered } = line.dataset;
  const code = error?.code;
  line.textContent = (code === "rate_limited" ? limited : code === "already_registered" && registered) || failed;
  line.hidden = error === undefined;
}

/** The user closed the dialog of the browser, or a newer request replaced this request: no message is necessary. */
export function isCancelled({ code }: CeremonyError): boolean {
  return code === "cancelled" || code === "aborted";
}
