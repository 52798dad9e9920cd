/** Shared parts of the passkey islands: the support of the browser, and the error line of the page. */
import type { CeremonyResult } from "../../../clients/js/src/passkeys.ts";

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
