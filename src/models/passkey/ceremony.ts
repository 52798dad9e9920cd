import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFETIME_MS } from "../../base/limits.ts";

/** Who asks for passkeys (WebAuthn level 3, section 4): both from the public base URL, never from a request. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export function relyingParty(publicBaseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicBaseUrl);
  return { id: hostname, origin };
}

type Bytes = Uint8Array<ArrayBuffer>;
type RegistrationResponse = Parameters<typeof verifyRegistrationResponse>[0]["response"];
type AuthenticationResponse = Parameters<typeof verifyAuthenticationResponse>[0]["response"];

/** A `PublicKeyCredential` as a browser wrote it; nothing of it is believed. */
export type Credential = Readonly<Record<string, unknown>>;

/** Why a ceremony was refused, for the log alone. */
export type Verified<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly cause: string };

/** Options of a ceremony as a browser takes them (WebAuthn level 3, section 5.1): JSON, written by the library. */
export type CeremonyOptions = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = PASSKEY_CHALLENGE_LIFETIME_MS;

/** `publicKey` of navigator.credentials.create(): a resident key with user verification, none of those the user has already. */
export async function registrationOptions(
  party: RelyingParty,
  user: { readonly id: string; readonly email: string; readonly displayName: string | null },
  existing: readonly { readonly credentialId: Buffer; readonly transports: readonly string[] }[],
  challenge: Buffer,
): Promise<CeremonyOptions> {
  const options = await generateRegistrationOptions({
    rpName: party.id,
    rpID: party.id,
    userID: userHandle(user.id),
    userName: user.email,
    userDisplayName: user.displayName ?? user.email,
    challenge: bytes(challenge),
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  });
  return { ...options };
}

/** `publicKey` of navigator.credentials.get(): no list of credentials, so that the answer says nothing about accounts. */
export async function signInOptions(party: RelyingParty, challenge: Buffer): Promise<CeremonyOptions> {
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytes(challenge),
    timeout: TIMEOUT_MS,
    userVerification: "required",
  });
  return { ...options };
}

/** The challenge that a credential claims to answer; `undefined` for what can be none of ours. */
export function challengeOf(credential: Credential): Buffer | undefined {
  try {
    const { clientDataJSON } = credential.response as { clientDataJSON: string };
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    const found = Buffer.from(String(challenge), "base64url");
    return found.length === PASSKEY_CHALLENGE_BYTES ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The credential id that a credential names, as bytes. */
export function credentialIdOf(credential: Credential): Buffer | undefined {
  return typeof credential.id === "string" ? Buffer.from(credential.id, "base64url") : undefined;
}

/** The user that the authenticator says the credential is of (WebAuthn: user handle). */
export function userHandleOf(credential: Credential): string | undefined {
  const handle = (credential.response as { userHandle?: unknown } | undefined)?.userHandle;
  if (typeof handle !== "string") return undefined;
  const hex = Buffer.from(handle, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export interface NewCredential {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly deviceType: "singleDevice" | "multiDevice";
  readonly backedUp: boolean;
  readonly aaguid: string;
}

const TRANSPORTS = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/** WebAuthn level 3, section 7.1: type, challenge, origin, RP id, user presence and verification, then the new key. */
export async function verifyRegistration(
  party: RelyingParty,
  credential: Credential,
  challenge: Buffer,
): Promise<Verified<NewCredential>> {
  return await attempt(async () => {
    const answer = await verifyRegistrationResponse({
      response: withoutAttestation(credential as unknown as RegistrationResponse),
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!answer.verified) return undefined;
    const { credential: fresh, aaguid, credentialDeviceType, credentialBackedUp } = answer.registrationInfo;
    return {
      credentialId: Buffer.from(fresh.id, "base64url"),
      publicKey: Buffer.from(fresh.publicKey),
      signCount: fresh.counter,
      transports: (fresh.transports ?? []).filter((transport) => TRANSPORTS.has(transport)),
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      aaguid,
    };
  });
}

/**
 * We ask for no attestation and trust none, so a statement that comes all the same is dropped unread: checking its
 * certificates would fetch revocation lists from addresses that the sender wrote into them.
 */
function withoutAttestation(credential: RegistrationResponse): RegistrationResponse {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(credential.response.attestationObject));
  const bare = new Map<string, unknown>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", decoded.get("authData")],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare as never));
  return { ...credential, response: { ...credential.response, attestationObject } };
}

export interface Assertion {
  readonly signCount: number;
  readonly backedUp: boolean;
}

/** WebAuthn level 3, section 7.2, but for the counter: who went back has shown a valid signature, and is told apart. */
export async function verifyAssertion(
  party: RelyingParty,
  credential: Credential,
  challenge: Buffer,
  stored: { readonly credentialId: Buffer; readonly publicKey: Buffer },
): Promise<Verified<Assertion>> {
  return await attempt(async () => {
    const answer = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponse,
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: stored.credentialId.toString("base64url"), publicKey: bytes(stored.publicKey), counter: 0 },
      requireUserVerification: true,
    });
    const { newCounter, credentialBackedUp } = answer.authenticationInfo;
    return answer.verified ? { signCount: newCounter, backedUp: credentialBackedUp } : undefined;
  });
}

/** WebAuthn level 3, section 6.1.1: a counter that is in use must grow; one that does not speaks of a copied key. */
export function counterRegressed(stored: number, presented: number): boolean {
  return (stored > 0 || presented > 0) && presented <= stored;
}

/** The library throws for every flaw; to us each of them is one and the same refusal. */
async function attempt<T>(work: () => Promise<T | undefined>): Promise<Verified<T>> {
  try {
    const value = await work();
    return value === undefined ? { ok: false, cause: "signature does not hold" } : { ok: true, value };
  } catch (error) {
    return { ok: false, cause: error instanceof Error ? error.message : "malformed" };
  }
}

function userHandle(userId: string): Bytes {
  return bytes(Buffer.from(userId.replaceAll("-", ""), "hex"));
}

function bytes(buffer: Buffer): Bytes {
  return new Uint8Array(buffer);
}
