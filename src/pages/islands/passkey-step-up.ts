/** Steps the session up with a passkey, and returns to the action that required the step-up. */
import { hasWebAuthn, isCancelled, showError } from "./passkey.ts";
import { clientOf } from "./passkey-client.ts";

async function stepUp({ passkeyStepUp = "", returnTo = "/" }: DOMStringMap): Promise<void> {
  showError(undefined);
  const steppedUp = await clientOf(passkeyStepUp).passkeys.stepUp();
  if (steppedUp.ok) location.assign(returnTo);
  else if (!isCancelled(steppedUp.error)) showError(steppedUp.error);
}

const button = document.querySelector<HTMLButtonElement>("[data-passkey-step-up]");
if (button && hasWebAuthn) button.addEventListener("click", () => void stepUp(button.dataset));
else if (button) button.hidden = true;
