/**
 * The sign-in with a passkey without the client of the API, which is seven times as large: the sign-in page has no
 * session to renew and sends two requests.
 */
import type { CeremonyResult } from "../../../clients/js/src/passkeys.ts";

type Outcome = CeremonyResult<unknown>;

/** As in the client of the API. */
const TIMEOUT_MS = 15_000;

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

const toText = (bytes: ArrayBuffer | null) =>
  bytes &&
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const failed = (code: "cancelled" | "ceremony_failed" | "unsupported", message = ""): Outcome => ({
  ok: false,
  error: { code, message },
});

async function post(path: string, body: string | undefined, signal: AbortSignal): Promise<Outcome> {
  const control = new AbortController();
  const abort = () => control.abort();
  // The error of the fetch: no cancellation by the user.
  const timer = setTimeout(() => control.abort(new Error("timeout")), TIMEOUT_MS);
  signal.addEventListener("abort", abort);
  const csrf = /(?:^|; )service_csrf=([^;]+)/.exec(document.cookie)?.[1];
  const headers = {
    accept: "application/json",
    ...(body && { "content-type": "application/json" }),
    ...(csrf && { "x-service-csrf": csrf }),
  };
  try {
    const response = await fetch(path, { method: "POST", headers, signal: control.signal, ...(body && { body }) });
    const data = await response.json();
    if (response.ok) return { ok: true, data };
    const { continue_at: continueAt, ...error } = data.error;
    return { ok: false, error: { ...error, continueAt } };
  } finally {
    clearTimeout(timer);
  }
}

/** One session at a time: of two crossing responses the later response would win (clients/js, session-lock.ts). */
const LOCK = `identity-service-client ${location.origin}`;

const locked = (work: () => Promise<Outcome>): Promise<Outcome> =>
  navigator.locks ? navigator.locks.request(LOCK, work) : work();

/** `autofill`: the browser offers passkeys in the autofill of the field until the user selects a passkey. */
export async function signInWithPasskey(prefix: string, autofill: boolean, signal: AbortSignal): Promise<Outcome> {
  try {
    if (autofill && !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return failed("unsupported");
    const begun = await post(`${prefix}/auth/passkey/login/begin`, undefined, signal);
    if (!begun.ok) return begun;
    const { publicKey } = begun.data as { publicKey: PublicKeyCredentialRequestOptionsJSON };
    // The user is not known yet: the service names no passkey, and the browser offers all passkeys of the origin.
    const { allowCredentials, hints, extensions, ...options } = publicKey;
    const asked = { ...options, challenge: toBytes(options.challenge) } as PublicKeyCredentialRequestOptions;
    const mediation = autofill ? ({ mediation: "conditional" } as const) : {};
    const credential = (await navigator.credentials.get({
      ...mediation,
      publicKey: asked,
      signal,
    })) as PublicKeyCredential;
    const response = credential.response as AuthenticatorAssertionResponse;
    const body = JSON.stringify({
      credential: {
        id: credential.id,
        rawId: toText(credential.rawId),
        type: credential.type,
        authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
        clientExtensionResults: credential.getClientExtensionResults(),
        response: {
          authenticatorData: toText(response.authenticatorData),
          clientDataJSON: toText(response.clientDataJSON),
          signature: toText(response.signature),
          userHandle: toText(response.userHandle) ?? undefined,
        },
      },
    });
    return await locked(() => post(`${prefix}/auth/passkey/login/complete`, body, signal));
  } catch (error) {
    const { name, message } = error as Error;
    return failed(name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "ceremony_failed", message);
  }
}
