import type { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { uuidOfHex } from "../../base/random.ts";
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFETIME_MS } from "../../limits/credential-limits.ts";

/** The relying party (WebAuthn level 3, section 4), from the public base URL and never from a request. */
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

/** A `PublicKeyCredential` as sent by the browser, not validated. */
export type Credential = Readonly<Record<string, unknown>>;

/** Why a ceremony was refused, for the log alone. */
export type Verified<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly cause: string };

/** Options of a ceremony as a browser takes them (WebAuthn level 3, section 5.1): JSON, written by the library. */
export type CeremonyOptions = Readonly<Record<string, unknown>>;

/** Loaded by the first ceremony: the module is a sixth of the code that a start would otherwise load. */
const webAuthn = () => import("@simplewebauthn/server");
const webAuthnHelpers = () => import("@simplewebauthn/server/helpers");

const TIMEOUT_MS = PASSKEY_CHALLENGE_LIFETIME_MS;
/** WebAuthn level 3, section 7.1. PostgreSQL cannot index a much longer value. */
const CREDENTIAL_ID_BYTES_MAX = 1023;

interface UserEntity {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
}

/**
 * `publicKey` of navigator.credentials.create(): a resident key with user verification that the user does not have yet.
 */
export async function registrationOptions(
  party: RelyingParty,
  user: UserEntity,
  existing: readonly CredentialDescriptor[],
  challenge: Buffer,
): Promise<CeremonyOptions> {
  const { generateRegistrationOptions } = await webAuthn();
  const { name, displayName } = userNames(user);
  const options = await generateRegistrationOptions({
    rpName: party.id,
    rpID: party.id,
    userID: userHandle(user.id),
    userName: name,
    userDisplayName: displayName,
    challenge: bytes(challenge),
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: existing.map(descriptor),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  });
  return { ...options };
}

/**
 * `publicKey` of navigator.credentials.get(). `allowed`: the passkeys of the user of a step-up; absent at a sign-in, so
 * that the options reveal no account.
 */
export async function assertionOptions(
  party: RelyingParty,
  challenge: Buffer,
  allowed?: readonly CredentialDescriptor[],
): Promise<CeremonyOptions> {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytes(challenge),
    timeout: TIMEOUT_MS,
    userVerification: "required",
    ...(allowed && { allowCredentials: allowed.map(descriptor) }),
  });
  return { ...options };
}

/** WebAuthn level 3, section 5.8.3. */
export interface CredentialDescriptor {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

function descriptor({ credentialId, transports }: CredentialDescriptor) {
  return { id: credentialId.toString("base64url"), transports: [...transports] };
}

/** What the browser learns about the passkeys of a user (WebAuthn level 3, section 5.1.10). */
export interface BrowserSignals {
  /** Argument of `PublicKeyCredential.signalAllAcceptedCredentials`. */
  readonly accepted: {
    readonly rpId: string;
    readonly userId: string;
    readonly allAcceptedCredentialIds: readonly string[];
  };
  /** Argument of `PublicKeyCredential.signalCurrentUserDetails`. */
  readonly details: {
    readonly rpId: string;
    readonly userId: string;
    readonly name: string;
    readonly displayName: string;
  };
}

/** `credentials`: all passkeys of the user. A browser hides a passkey outside the list. */
export function browserSignals(
  { id: rpId }: RelyingParty,
  user: UserEntity,
  credentials: readonly CredentialDescriptor[],
): BrowserSignals {
  const userId = Buffer.from(userHandle(user.id)).toString("base64url");
  const { name, displayName } = userNames(user);
  const allAcceptedCredentialIds = credentials.map((credential) => descriptor(credential).id);
  return { accepted: { rpId, userId, allAcceptedCredentialIds }, details: { rpId, userId, name, displayName } };
}

/** The names that a password manager displays beside a passkey. */
function userNames({ email, displayName }: UserEntity) {
  return { name: email, displayName: displayName ?? email };
}

/** The challenge that a credential names; undefined for a malformed credential. */
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

/** The user id in the user handle of the authenticator. */
export function userHandleOf(credential: Credential): string | undefined {
  const handle = (credential.response as { userHandle?: unknown } | undefined)?.userHandle;
  if (typeof handle !== "string") return undefined;
  return uuidOfHex(Buffer.from(handle, "base64url").toString("hex"));
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

/**
 * WebAuthn level 3, section 7.1: type, challenge, origin, RP id, user presence and verification, then the new key and
 * the length of its id.
 */
export async function verifyRegistration(
  party: RelyingParty,
  credential: Credential,
  challenge: Buffer,
): Promise<Verified<NewCredential>> {
  return await attempt(async () => {
    const { verifyRegistrationResponse } = await webAuthn();
    const verification = await verifyRegistrationResponse({
      response: await withoutAttestation(credential as unknown as RegistrationResponse),
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verification.verified) return undefined;
    const { credential: registered, aaguid, credentialDeviceType, credentialBackedUp } = verification.registrationInfo;
    const credentialId = Buffer.from(registered.id, "base64url");
    if (credentialId.length > CREDENTIAL_ID_BYTES_MAX) throw new Error("the credential id is too long");
    return {
      credentialId,
      publicKey: Buffer.from(registered.publicKey),
      signCount: registered.counter,
      transports: (registered.transports ?? []).filter((transport) => TRANSPORTS.has(transport)),
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      aaguid,
    };
  });
}

/**
 * No attestation is requested or trusted, so a statement is removed before the library reads the response: checking the
 * certificates would fetch revocation lists from addresses that the client chose (server-side request forgery).
 */
async function withoutAttestation(credential: RegistrationResponse): Promise<RegistrationResponse> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await webAuthnHelpers();
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

/**
 * WebAuthn level 3, section 7.2, without the counter: `counterRegressed` checks the counter, since a regression is
 * recorded separately.
 */
export async function verifyAssertion(
  party: RelyingParty,
  credential: Credential,
  challenge: Buffer,
  stored: { readonly credentialId: Buffer; readonly publicKey: Buffer },
): Promise<Verified<Assertion>> {
  return await attempt(async () => {
    const { verifyAuthenticationResponse } = await webAuthn();
    const verification = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponse,
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: stored.credentialId.toString("base64url"), publicKey: bytes(stored.publicKey), counter: 0 },
      requireUserVerification: true,
    });
    const { newCounter, credentialBackedUp } = verification.authenticationInfo;
    return verification.verified ? { signCount: newCounter, backedUp: credentialBackedUp } : undefined;
  });
}

/**
 * WebAuthn level 3, section 6.1.1: a counter in use must grow; a counter that does not grow indicates a cloned
 * authenticator.
 */
export function counterRegressed(stored: number, presented: number): boolean {
  return (stored > 0 || presented > 0) && presented <= stored;
}

/** Every failure throws, in the library and here; every exception becomes one problem. */
async function attempt<T>(work: () => Promise<T | undefined>): Promise<Verified<T>> {
  try {
    const value = await work();
    return value === undefined ? { ok: false, cause: "the signature is not valid" } : { ok: true, value };
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
