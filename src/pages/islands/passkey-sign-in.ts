/** Sign-in with a passkey: by the button, and from the autofill of the email field (conditional mediation). */
import { hasWebAuthn, isCancelled, showError } from "./passkey.ts";
import { signInWithPasskey } from "./passkey-assertion.ts";

/** Renewal before the challenge expires (PASSKEY_CHALLENGE_LIFETIME_MS), with time for the user to confirm. */
const RENEWAL_MS = 4 * 60 * 1000;
/** Minimum time between two renewals: a browser that refuses immediately would otherwise cause an endless loop. */
const RETRIES_MAX = 5;

const form = document.querySelector<HTMLFormElement>("[data-passkey]");
const button = document.querySelector<HTMLButtonElement>("[data-passkey-button]");
let waiting = new AbortController();
let renewal: ReturnType<typeof setTimeout> | undefined;
let retries = 0;

async function signIn(autofill: boolean): Promise<void> {
  clearTimeout(renewal);
  waiting.abort();
  const mine = new AbortController();
  waiting = mine;
  if (autofill) renewal = setTimeout(offerAutofill, RENEWAL_MS);
  const signedIn = await signInWithPasskey(form?.dataset.passkey ?? "", autofill, mine.signal);
  if (signedIn.ok) return location.assign(form?.dataset.returnTo ?? "/");
  // A newer ceremony replaced this ceremony.
  if (mine.signal.aborted) return;
  const { error } = signedIn;
  if (error.code === "sso_required" && error.continueAt) return location.assign(withReturn(error.continueAt));
  // Only the completion returns `authentication_required`: the user has selected a passkey. Without a selection,
  // autofill displays no message.
  const isRefused = error.code === "authentication_required";
  if (autofill ? isRefused : !isCancelled(error)) showError(error);
  if (!autofill) offerAutofill();
  else if (isRefused || isCancelled(error)) retryAutofill();
}

/** The single sign-on of an organization that does not admit passkeys. */
function withReturn(startPath: string): string {
  const start = new URL(startPath, location.href);
  start.searchParams.set("redirect_to", form?.dataset.returnTo ?? "/");
  return start.href;
}

function offerAutofill(): void {
  retries = 0;
  void signIn(true);
}

function retryAutofill(): void {
  retries += 1;
  if (retries <= RETRIES_MAX) void signIn(true);
}

if (hasWebAuthn) {
  button?.addEventListener("click", () => {
    showError(undefined);
    void signIn(false);
  });
  offerAutofill();
} else if (button) {
  // The separator of the offer disappears with the button.
  (button.closest<HTMLElement>("[data-passkey-offer]") ?? button).hidden = true;
}
