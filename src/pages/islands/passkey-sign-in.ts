/** Signing in with a passkey: by its button, and from the autofill of the e-mail field (conditional mediation). */
import { isCancelled, post, showError } from "./passkey.ts";

const form = document.querySelector<HTMLFormElement>("[data-passkey]");
const button = document.querySelector<HTMLButtonElement>("[data-passkey-button]");
const prefix = form?.dataset.passkey ?? "";
let waiting = new AbortController();

async function signIn(mediation: CredentialMediationRequirement): Promise<void> {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  try {
    const begun = await post(`${prefix}/auth/passkey/login/begin`);
    if (!begun.ok) throw new Error("begin");
    const { publicKey } = await begun.json();
    const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey);
    const credential = await navigator.credentials.get({ publicKey: options, mediation, signal });
    showError(true);
    const done = await post(`${prefix}/auth/passkey/login/complete`, { credential });
    if (!done.ok) throw new Error("complete");
    location.assign(form?.dataset.returnTo ?? "/");
  } catch (error) {
    // In the background nothing was asked for, so nothing is said.
    if (mediation === "conditional" || isCancelled(error)) return;
    showError(false);
  }
}

if ("PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential) {
  button?.addEventListener("click", () => void signIn("optional"));
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) void signIn("conditional");
} else if (button) {
  button.hidden = true;
}
