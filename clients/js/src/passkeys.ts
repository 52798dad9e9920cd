/** The client with the WebAuthn ceremonies, for browsers. An entry of its own: the core does without this code. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { type Client, type ClientOptions, createClient as createCoreClient } from "./client.ts";
import type { LoginResponse, Passkey } from "./generated/types.gen.ts";
import type { CallOptions, ClientError, Result } from "./method.ts";

/** `cancelled`: the person closed the browser's dialog, or it timed out. `unsupported`: no WebAuthn here. */
export interface CeremonyError {
  readonly code: "cancelled" | "already_registered" | "unsupported" | "ceremony_failed";
  readonly message: string;
}

export type CeremonyResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: ClientError | CeremonyError };

export interface PasskeyClient extends Client {
  readonly passkeys: Client["passkeys"] & {
    /** Adds a passkey of this device to the signed-in user. */
    register(input?: { readonly name?: string }, options?: CallOptions): Promise<CeremonyResult<Passkey>>;
    /** Signs in. `autofill`: waits in the autofill of a field with `autocomplete="username webauthn"`. */
    signIn(input?: { readonly autofill?: boolean }, options?: CallOptions): Promise<CeremonyResult<LoginResponse>>;
  };
}

/** As `createClient` of the main entry, with `passkeys.register()` and `passkeys.signIn()`. */
export function createClient(options: ClientOptions): PasskeyClient {
  const client = createCoreClient(options);
  const { passkeys } = client;
  return {
    ...client,
    passkeys: {
      ...passkeys,
      register: ({ name } = {}, call) =>
        ceremony(async () => {
          const begun = await passkeys.beginRegistration(undefined, call);
          if (!begun.ok) return begun;
          const optionsJSON = publicKeyOf<PublicKeyCredentialCreationOptionsJSON>(begun.data);
          const credential = await startRegistration({ optionsJSON });
          const input = { credential: { ...credential }, ...(name === undefined ? {} : { name }) };
          return await passkeys.completeRegistration(input, call);
        }),
      signIn: ({ autofill = false } = {}, call) =>
        ceremony(async () => {
          const begun = await passkeys.beginSignIn(undefined, call);
          if (!begun.ok) return begun;
          const optionsJSON = publicKeyOf<PublicKeyCredentialRequestOptionsJSON>(begun.data);
          const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: autofill });
          return await passkeys.completeSignIn({ credential: { ...credential } }, call);
        }),
    },
  };
}

/** The service and the library write the same JSON of WebAuthn level 3 in types of their own. */
function publicKeyOf<Options>({ publicKey }: { readonly publicKey: unknown }): Options {
  return publicKey as Options;
}

async function ceremony<Data>(work: () => Promise<Result<Data>>): Promise<CeremonyResult<Data>> {
  if (!browserSupportsWebAuthn()) return refused("unsupported", "This browser has no WebAuthn.");
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
      return refused("already_registered", message);
    const name = error instanceof Error ? error.name : "";
    return refused(name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "ceremony_failed", message);
  }
}

function refused(code: CeremonyError["code"], message: string): { readonly ok: false; readonly error: CeremonyError } {
  return { ok: false, error: { code, message } };
}
