/**
 * Tells the browser the accepted passkeys and the names of the user (WebAuthn level 3, section 5.1.10): a password
 * manager then offers no removed passkey, and displays the present address.
 */

/** Absent in older browsers, and in the DOM types of the compiler. */
interface SignalMethods {
  signalAllAcceptedCredentials?(options: object): Promise<void>;
  signalCurrentUserDetails?(options: object): Promise<void>;
}

async function signal({ accepted, details }: { readonly accepted: object; readonly details: object }): Promise<void> {
  const browser = (window as { readonly PublicKeyCredential?: SignalMethods }).PublicKeyCredential;
  await browser?.signalAllAcceptedCredentials?.(accepted);
  await browser?.signalCurrentUserDetails?.(details);
}

const node = document.querySelector<HTMLElement>("[data-passkey-signals]");
// Without the signal the password manager keeps its entries: the user has no use for a message.
if (node) signal(JSON.parse(node.dataset.passkeySignals ?? "")).catch(() => undefined);
