import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { seal } from "../../base/seal.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { TOTP_SECRET_BYTES, TOTP_SETUP_KEPT_MS } from "../../limits/factor-limits.ts";
import type { PendingSecret } from "../../models/conditions/pending-secret.ts";
import type { SessionView } from "../../models/session/session.ts";
import { beginTotpFactor, encodeSecret, openSecret, otpauthUri, totpIdentity } from "../../models/totp/totp.ts";
import type { FactorOwner } from "../../vocabulary/factor-owner.ts";

export const MFA_ENABLED = refusal("conflict", "Multi-factor authentication is already enabled.");

export interface MfaSetup {
  /** Base32, for typing. */
  readonly secret: string;
  readonly otpauthUri: string;
}

type SetupDeps = Pick<EmailDeps, "random" | "sealing">;

/**
 * The unconfirmed secret that a set-up keeps: none at the API; `recent` at the page of the set-up, which a second tab
 * may open, and after a wrong code: a secret of the same session, for `TOTP_SETUP_KEPT_MS`.
 */
export type KeptSecret = "none" | "recent";

/**
 * POST /v1/auth/mfa/setup (docs/contract.md, section 8.3): stores a new secret in place of an unconfirmed secret. The
 * secret takes effect after a code was verified at enable.
 */
export async function setUpMfa(
  deps: SetupDeps & Pick<EmailDeps, "clock" | "config" | "database">,
  caller: SessionView,
  kept: KeptSecret = "none",
): Promise<Result<MfaSetup, Refusal<"conflict">>> {
  const { userId } = caller;
  const owner = { userId, organizationId: null };
  const pending = newPendingSecret(deps, owner, caller.id, kept);
  const stored = await deps.database.run("mfa.set_up", (sql) => beginTotpFactor(sql, userId, pending));
  return stored ? ok(describeSetup(deps, caller, openedSecret(deps, owner, stored))) : err(MFA_ENABLED);
}

/** Makes the secret of an authenticator app, sealed for the owner, in a session. */
export function newPendingSecret(
  { clock, random, sealing }: SetupDeps & Pick<EmailDeps, "clock">,
  owner: FactorOwner,
  sessionId: string,
  kept: KeptSecret,
): PendingSecret {
  const now = clock.now();
  const secret = encodeSecret(random.bytes(TOTP_SECRET_BYTES));
  const keepSince = kept === "none" ? now : now - TOTP_SETUP_KEPT_MS;
  return {
    sealedSecret: seal(sealing, random, totpIdentity(owner), Buffer.from(secret)),
    at: new Date(now),
    sessionId,
    keepSince: new Date(keepSince),
  };
}

/** The stored secret as text, which the same statement sealed or an earlier set-up of the same owner. */
export function openedSecret({ sealing }: Pick<SetupDeps, "sealing">, owner: FactorOwner, sealed: Buffer): string {
  const secret = openSecret(sealing, owner, sealed);
  if (secret === undefined) throw new Error("the pending secret of an authenticator app does not open");
  return secret;
}

/**
 * Describes the secret of a set-up. `organizationName`: of a factor for one organization, so that an authenticator app
 * keeps the entries of a user apart.
 */
export function describeSetup(
  { config }: Pick<Deps, "config">,
  caller: SessionView,
  secret: string,
  organizationName?: string,
): MfaSetup {
  const host = new URL(config.urls.publicBaseUrl).hostname;
  // A colon ends the issuer in the label of the URI.
  const issuer = organizationName === undefined ? host : `${host} ${organizationName.replaceAll(":", " ")}`;
  return { secret, otpauthUri: otpauthUri(issuer, caller.email, secret) };
}
