/** Passkeys of the software authenticator, over HTTP. */
import { Authenticator } from "./authenticator.ts";
import type { Client } from "./client.ts";

export const REGISTER_BEGIN = "/v1/users/me/passkeys/register/begin";
export const REGISTER_COMPLETE = "/v1/users/me/passkeys/register/complete";
export const STEP_UP_BEGIN = "/v1/auth/passkey/step-up/begin";
export const STEP_UP_COMPLETE = "/v1/auth/passkey/step-up/complete";

/** Registers a passkey for the user of the client's session. */
export async function addPasskey(
  client: Client,
  { aaguid, ...fields }: { readonly name?: string; readonly aaguid?: string } = {},
) {
  const begun = await client.post(REGISTER_BEGIN);
  if (begun.status !== 200) throw new Error(`the registration began with ${begun.status}: ${begun.text}`);
  const authenticator = new Authenticator(undefined, undefined, aaguid);
  const credential = authenticator.create(begun.body.publicKey);
  const registration = await client.post(REGISTER_COMPLETE, { credential, ...fields });
  return { authenticator, registration, passkeyId: String(registration.body?.id) };
}
