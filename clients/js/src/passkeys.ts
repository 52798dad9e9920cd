/**
 * The client with the WebAuthn ceremonies, for browsers. A separate entry point, so that the core does not load this
 * code.
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { type ClientOptions, createClientOf, type SessionMethods, type SsoMethods, withSsoStart } from "./client.ts";
import { METHODS, type Methods, PASSKEYS } from "./generated/methods.gen.ts";
import type { LoginResponse, Passkey, SteppedUp } from "./generated/types.gen.ts";
import type { CallOptions, ClientError, Result } from "./method.ts";
import { failure } from "./request.ts";

/**
 * `cancelled`: the user closed the browser's dialog, the dialog timed out, or another ceremony replaced this ceremony.
 * `unsupported`: no WebAuthn in this browser, or no WebAuthn in the autofill.
 */
export interface CeremonyError {
  readonly code: "cancelled" | "already_registered" | "unsupported" | "ceremony_failed";
  readonly message: string;
}

export type CeremonyResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: ClientError | CeremonyError };

interface Ceremonies {
  /** Adds a passkey of this device to the signed-in user. */
  register(input?: { readonly name?: string }, options?: CallOptions): Promise<CeremonyResult<Passkey>>;
  /**
   * Signs in. `autofill`: waits in the autofill of a field with `autocomplete="username webauthn"` until the user
   * chooses a passkey, the signal of `options` aborts, or another ceremony begins.
   */
  signIn(input?: { readonly autofill?: boolean }, options?: CallOptions): Promise<CeremonyResult<LoginResponse>>;
  /** Steps the session up for five minutes with a passkey of the signed-in user. */
  stepUp(options?: CallOptions): Promise<CeremonyResult<SteppedUp>>;
}

/** The methods of passkeys and of the session alone. */
export interface PasskeyOnlyClient extends SessionMethods {
  readonly passkeys: Methods["passkeys"] & Ceremonies;
}

export interface PasskeyClient extends Omit<Methods, "sso">, PasskeyOnlyClient, SsoMethods {
  readonly passkeys: Methods["passkeys"] & Ceremonies;
}

/** As `createClient` of the main entry, with `passkeys.register()`, `passkeys.signIn()` and `passkeys.stepUp()`. */
export function createClient(options: ClientOptions): PasskeyClient {
  const client = withSsoStart(createClientOf<Methods>(METHODS, options));
  return { ...client, passkeys: withCeremonies(client.passkeys) };
}

/** As `createClient`, without the other operations of the service: a third smaller, for pages that only sign in. */
export function createPasskeyOnlyClient(options: ClientOptions): PasskeyOnlyClient {
  const client = createClientOf<Pick<Methods, "passkeys">>({ passkeys: PASSKEYS }, options);
  return { ...client, passkeys: withCeremonies(client.passkeys) };
}

function withCeremonies(passkeys: Methods["passkeys"]): Methods["passkeys"] & Ceremonies {
  return {
    ...passkeys,
    register: ({ name } = {}, call = {}) =>
      ceremony(call, browserSupportsWebAuthn, async () => {
        const begun = await passkeys.beginRegistration(undefined, call);
        if (!begun.ok) return begun;
        const optionsJSON = begun.data.publicKey as unknown as PublicKeyCredentialCreationOptionsJSON;
        const credential = await abortable(call, () => startRegistration({ optionsJSON }));
        const input = { credential: { ...credential }, ...(name === undefined ? {} : { name }) };
        const completed = await passkeys.completeRegistration(input, call);
        if (isRefused(completed)) await signalUnknown(optionsJSON.rp.id, credential.id);
        return completed;
      }),
    signIn: ({ autofill = false } = {}, call = {}) =>
      assertion(call, autofill, passkeys.beginSignIn, passkeys.completeSignIn),
    stepUp: (call = {}) => assertion(call, false, passkeys.beginStepUp, passkeys.completeStepUp),
  };
}

/** A response of 4xx: the service has not stored the passkey. After other failures the service may know the passkey. */
function isRefused(completed: Result<unknown>): boolean {
  return !completed.ok && completed.error.status >= 400 && completed.error.status < 500;
}

/**
 * The password manager deletes a passkey that the service refused (WebAuthn level 3, section 5.1.10). Never after a
 * sign-in: the service has one response for unknown credentials and every other failure.
 */
async function signalUnknown(rpId: string | undefined, credentialId: string): Promise<void> {
  const browser = PublicKeyCredential as {
    signalUnknownCredential?(options: { rpId: string | undefined; credentialId: string }): Promise<void>;
  };
  // Absent in older browsers. A refused signal leaves the result of the registration as it is.
  await browser.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined);
}

/** The ceremony with an existing passkey: options of the service, assertion of the browser, verification. */
function assertion<Data>(
  call: CallOptions,
  autofill: boolean,
  begin: (input: undefined, options: CallOptions) => Promise<Result<{ readonly publicKey: unknown }>>,
  complete: (input: { credential: Record<string, unknown> }, options: CallOptions) => Promise<Result<Data>>,
): Promise<CeremonyResult<Data>> {
  return ceremony(call, autofill ? browserSupportsWebAuthnAutofill : browserSupportsWebAuthn, async () => {
    const begun = await begin(undefined, call);
    if (!begun.ok) return begun;
    // Service and library write identical JSON (WebAuthn level 3) with separate types.
    const optionsJSON = begun.data.publicKey as PublicKeyCredentialRequestOptionsJSON;
    const options = { optionsJSON, useBrowserAutofill: autofill };
    const credential = await abortable(call, () => startAuthentication(options));
    return await complete({ credential: { ...credential } }, call);
  });
}

async function ceremony<Data>(
  { signal }: CallOptions,
  isSupported: () => boolean | Promise<boolean>,
  work: () => Promise<Result<Data>>,
): Promise<CeremonyResult<Data>> {
  try {
    return (await isSupported()) ? await work() : refused("unsupported", "This browser does not support it.");
  } catch (error) {
    if (signal?.aborted) return failure("aborted", "The caller aborted the ceremony.");
    const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
    if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
      return refused("already_registered", message);
    return refused(name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "ceremony_failed", message);
  }
}

/**
 * The library supports a single ceremony at a time: the library's abort applies to this ceremony only while this
 * ceremony waits.
 */
async function abortable<Credential>({ signal }: CallOptions, start: () => Promise<Credential>): Promise<Credential> {
  const abort = () => WebAuthnAbortService.cancelCeremony();
  signal?.addEventListener("abort", abort);
  try {
    return await start();
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function refused(code: CeremonyError["code"], message: string): { readonly ok: false; readonly error: CeremonyError } {
  return { ok: false, error: { code, message } };
}
