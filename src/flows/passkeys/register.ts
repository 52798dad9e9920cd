import { invalidInput } from "../../base/invalid-input.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { violatedConstraint } from "../../database/database.ts";
import type { EmailDeps } from "../../deps.ts";
import {
  PASSKEY_CHALLENGE_BYTES,
  PASSKEY_CHALLENGE_LIFETIME_MS,
  PASSKEYS_PER_USER_MAX,
} from "../../limits/credential-limits.ts";
import { STEP_UP_WINDOW_MS } from "../../limits/factor-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { authenticatorName } from "../../models/passkey/authenticator-names.ts";
import {
  type CeremonyOptions,
  type Credential,
  challengeOf,
  type NewCredential,
  registrationOptions,
  relyingParty,
  verifyRegistration,
} from "../../models/passkey/ceremony.ts";
import {
  consumeChallenge,
  countPasskeys,
  findRegistrant,
  insertChallenge,
  insertPasskey,
  type NewPasskey,
  type Passkey,
  type PasskeyName,
} from "../../models/passkey/passkey.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { asActingSession, authorizeCredentialChange } from "../steps/credentials/change-credentials.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";

const TOO_MANY = refusal("conflict", `There are ${PASSKEYS_PER_USER_MAX} passkeys already; delete one first.`);
const DEFAULT_NAME = "Passkey";

/**
 * POST /v1/users/me/passkeys/register/begin: `publicKey` of navigator.credentials.create() (WebAuthn level 3, section
 * 5.4). A passkey replaces both factors, so `authorizePasskeyRegistration` comes first, and the challenge stores the
 * epoch that the authorization read. `conflict` means the maximum number of passkeys.
 */
export async function beginRegistration(
  deps: EmailDeps,
  authorized: ActingSession,
): Promise<Result<CeremonyOptions, Refusal<"authentication_required" | "conflict">>> {
  const { userId } = authorized;
  const registrant = await deps.database.run("passkey.find_registrant", (sql) => findRegistrant(sql, userId));
  if (!registrant) return err(NOT_SIGNED_IN);
  if (registrant.credentials.length >= PASSKEYS_PER_USER_MAX) return err(TOO_MANY);
  const challenge = deps.random.bytes(PASSKEY_CHALLENGE_BYTES);
  const expiresAt = new Date(deps.clock.now() + PASSKEY_CHALLENGE_LIFETIME_MS);
  const subject = { userId, sessionId: null, credentialsEpoch: authorized.credentialsEpoch };
  await deps.database.run("passkey.insert_challenge", (sql) =>
    insertChallenge(sql, { ...subject, bytes: challenge, ceremony: "registration", expiresAt }),
  );
  const party = relyingParty(deps.config.urls.publicBaseUrl);
  return ok(await registrationOptions(party, { id: userId, ...registrant }, registrant.credentials, challenge));
}

export interface CompleteInput {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly authorized: ActingSession;
  readonly credential: Credential;
  /** Normalised. */
  readonly name: string | undefined;
  readonly client: RequestContext;
}

/**
 * POST /v1/users/me/passkeys/register/complete (docs/contract.md, section 9.2): consumes the challenge, also in a
 * failed ceremony, and stores the new key. `mfa_required` means that a second factor was enabled or the first passkey
 * was registered since the start, `invalid_input` a failed ceremony or a change of credentials since the start,
 * `conflict` a credential that is registered already.
 */
export async function completeRegistration(
  deps: EmailDeps,
  input: CompleteInput,
): Promise<Result<Passkey, Refusal<"authentication_required" | "conflict" | "invalid_input" | "mfa_required">>> {
  const { caller, authorized, credential } = input;
  const at = new Date(deps.clock.now());
  const bytes = challengeOf(credential);
  const consumed =
    bytes &&
    (await deps.database.run("passkey.consume_challenge", (sql) =>
      consumeChallenge(sql, { bytes, ceremony: "registration", userId: caller.userId, sessionId: null, at }),
    ));
  if (!bytes || !consumed) return err(ceremonyFailed("no pending challenge"));
  if (consumed.credentialsEpoch !== authorized.credentialsEpoch) return err(credentialsChanged(authorized));
  const verified = await verifyRegistration(relyingParty(deps.config.urls.publicBaseUrl), credential, bytes);
  if (!verified.ok) return err(ceremonyFailed(verified.cause));
  return await store(deps, input, verified.value, at);
}

function ceremonyFailed(cause: string) {
  return invalidInput("credential", "incorrect", "the registration failed; begin again", cause);
}

/** The refusal of a registration that began before the credentials changed. */
function credentialsChanged({ mfaEnabled }: ActingSession) {
  const cause = "the credentials changed since it began";
  return mfaEnabled
    ? refusal("mfa_required", "Confirm your second factor and begin again.", cause)
    : ceremonyFailed(cause);
}

/** The second of two registrations of a first passkey needs the step-up of a later passkey. */
const NOT_THE_FIRST = refusal("mfa_required", "Confirm with a passkey or your second factor and begin again.");

/**
 * Whether the session stepped up before the start, by the longest time since then: the step-up of the start has at most
 * expired while the challenge was valid.
 */
function steppedUpAtStart({ mfaVerifiedAt }: ActingSession, at: Date): boolean {
  const window = STEP_UP_WINDOW_MS + PASSKEY_CHALLENGE_LIFETIME_MS;
  return mfaVerifiedAt !== null && at.getTime() - mfaVerifiedAt < window;
}

/**
 * Runs in a transaction that requires the authorized epoch and assurance level, and sees the passkeys of a concurrent
 * registration that committed first, so that the maximum and the step-up of a later passkey hold.
 */
async function store(
  deps: EmailDeps,
  { caller, authorized, name, client }: CompleteInput,
  credential: NewCredential,
  at: Date,
): Promise<Result<Passkey, Refusal<"authentication_required" | "conflict" | "invalid_input" | "mfa_required">>> {
  const passkey: NewPasskey = {
    id: deps.random.uuid(),
    userId: caller.userId,
    name: name === undefined ? modelName(credential) : { kind: "given", text: name },
    at,
    credential,
  };
  const notice = { kind: "passkey_added" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const entry = userAuditEvent(deps, caller, client, {
    action: "auth.passkey.registered",
    at,
    resource: { type: "passkey", id: passkey.id },
    metadata: { device_type: credential.deviceType, aaguid: credential.aaguid },
  });
  try {
    const registered = await asActingSession(deps, "passkey.register", authorized, async (sql) => {
      const existing = await countPasskeys(sql, caller.userId);
      if (existing > 0 && !steppedUpAtStart(authorized, at)) return err(NOT_THE_FIRST);
      if (existing >= PASSKEYS_PER_USER_MAX) return err(TOO_MANY);
      const [row] = await sql<{ name: string }[]>`
        with registered as (${insertPasskey(sql, passkey)}),
        email as (${insertEmail(sql, mail, sql`from registered`)}),
        audit as (${insertAudit(sql, entry, sql`from registered`)})
        select name from registered`;
      return row ? ok(row.name) : undefined;
    });
    if (registered === undefined) return await refuseChanged(deps, caller);
    if (!registered.ok) return registered;
    deps.outbox.wake();
    return ok(displayed(passkey, registered.value));
  } catch (error) {
    if (violatedConstraint(error) !== "passkeys_credential_id_key") throw error;
    return err(refusal("conflict", "This passkey is registered already."));
  }
}

function displayed({ id, at, credential }: NewPasskey, name: string): Passkey {
  const { transports, deviceType, backedUp, aaguid } = credential;
  return { id, name, createdAt: at, lastUsedAt: null, transports: [...transports], deviceType, backedUp, aaguid };
}

function modelName({ aaguid }: NewCredential): PasskeyName {
  return { kind: "model", text: authenticatorName(aaguid) ?? DEFAULT_NAME };
}

/** Returns the problem after a concurrent change of the session or the credentials, by the present state. */
async function refuseChanged(
  deps: EmailDeps,
  caller: SessionView,
): Promise<Result<never, Refusal<"authentication_required" | "invalid_input" | "mfa_required">>> {
  const authorized = await authorizeCredentialChange(deps, caller);
  return authorized.ok ? err(credentialsChanged(authorized.value)) : authorized;
}
