/** Registers a passkey of this device, after a step-up if the API requires a step-up. */
import { hasWebAuthn, isCancelled, showError } from "./passkey.ts";
import { clientOf } from "./passkey-client.ts";

const here = "/account/security";

/**
 * `next`: the page after the registration; default: `/account/security` with the result. `confirmAt`: the page on which
 * the user confirms first, `/step-up`, or `/sign-in` for a user without a factor and a passkey.
 */
async function add({ passkeyAdd = "", next, confirmAt = "" }: DOMStringMap): Promise<void> {
  showError(undefined);
  const added = await clientOf(passkeyAdd).passkeys.register();
  if (added.ok && next) location.assign(next);
  else if (added.ok) document.querySelector<HTMLFormElement>("form[data-passkey-added]")?.submit();
  else if (added.error.code === "mfa_required") location.assign(`${confirmAt}?return_to=${encodeURIComponent(here)}`);
  // The session has ended: the page itself leads to the sign-in.
  else if (added.error.code === "authentication_required") location.assign(here);
  else if (!isCancelled(added.error)) showError(added.error);
}

const button = document.querySelector<HTMLButtonElement>("[data-passkey-add]");
if (button && hasWebAuthn) button.addEventListener("click", () => void add(button.dataset));
else if (button) {
  (button.closest<HTMLElement>("[data-passkey-offer]") ?? button).hidden = true;
  const reason = document.querySelector<HTMLElement>("[data-passkey-unsupported]");
  if (reason) reason.hidden = false;
}
