/** Signing in with a passkey: by its button, and from the autofill of the e-mail field (conditional mediation). */
import { clientOf, hasWebAuthn, isCancelled, showError } from "./passkey.ts";

const form = document.querySelector<HTMLFormElement>("[data-passkey]");
const button = document.querySelector<HTMLButtonElement>("[data-passkey-button]");
const client = clientOf(form?.dataset.passkey ?? "");
let waiting = new AbortController();

async function signIn(autofill: boolean): Promise<void> {
  waiting.abort();
  waiting = new AbortController();
  const signedIn = await client.passkeys.signIn({ autofill }, { signal: waiting.signal });
  if (signedIn.ok) location.assign(form?.dataset.returnTo ?? "/");
  // In the background nothing was asked for, so nothing is said.
  else if (!autofill && !isCancelled(signedIn.error)) showError(signedIn.error);
}

if (hasWebAuthn) {
  button?.addEventListener("click", () => {
    showError(undefined);
    void signIn(false);
  });
  void signIn(true);
} else if (button) {
  button.hidden = true;
}
