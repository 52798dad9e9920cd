/** Registers a passkey of this device, after a step-up where the API asks for one. */
import { isCancelled, post, showError } from "./passkey.ts";

const button = document.querySelector<HTMLButtonElement>("[data-passkey-add]");
const prefix = button?.dataset.passkeyAdd ?? "";
const here = "/account/security";

async function add(): Promise<void> {
  showError(true);
  try {
    const begun = await post(`${prefix}/users/me/passkeys/register/begin`);
    // The access token expired, or the second factor is asked for: both lead back here.
    if (begun.status === 401) {
      const { error } = await begun.json();
      location.assign(error.code === "mfa_required" ? `/step-up?return_to=${encodeURIComponent(here)}` : here);
      return;
    }
    if (!begun.ok) throw new Error("begin");
    const { publicKey } = await begun.json();
    const options = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey);
    const credential = await navigator.credentials.create({ publicKey: options });
    const name = button?.dataset.passkeyName;
    const done = await post(`${prefix}/users/me/passkeys/register/complete`, { credential, name });
    if (!done.ok) throw new Error("complete");
    location.assign(`${here}?done=passkey_added`);
  } catch (error) {
    if (!isCancelled(error)) showError(false);
  }
}

if (button && "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential) {
  button.addEventListener("click", () => void add());
} else if (button) {
  button.hidden = true;
}
