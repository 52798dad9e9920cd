import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { seal } from "../../base/seal.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { TOTP_SECRET_BYTES } from "../../limits/factor-limits.ts";
import type { SessionView } from "../../models/session/session.ts";
import { beginTotpFactor, encodeSecret, otpauthUri, totpIdentity } from "../../models/totp/totp.ts";
import type { FactorOwner } from "../../vocabulary/factor-owner.ts";

export const MFA_ENABLED = refusal("conflict", "Multi-factor authentication is already enabled.");

export interface MfaSetup {
  /** Base32, for typing. */
  readonly secret: string;
  readonly otpauthUri: string;
}

type SetupDeps = Pick<EmailDeps, "random" | "sealing">;

/**
 * POST /v1/auth/mfa/setup (docs/contract.md, section 8.3): stores a new secret in place of an unconfirmed secret. The
 * secret takes effect after a code was verified at enable.
 */
export async function setUpMfa(deps: EmailDeps, caller: SessionView): Promise<Result<MfaSetup, Refusal<"conflict">>> {
  const { userId } = caller;
  const { secret, sealed } = newTotpSecret(deps, { userId, organizationId: null });
  const at = new Date(deps.clock.now());
  const isStored = await deps.database.run("mfa.set_up", (sql) => beginTotpFactor(sql, userId, sealed, at));
  if (!isStored) return err(MFA_ENABLED);
  return ok(describeSetup(deps, caller, secret));
}

/** Makes the secret of an authenticator app, as text and sealed for the owner. */
export function newTotpSecret(
  { random, sealing }: SetupDeps,
  owner: FactorOwner,
): { readonly secret: string; readonly sealed: Buffer } {
  const secret = encodeSecret(random.bytes(TOTP_SECRET_BYTES));
  return { secret, sealed: seal(sealing, random, totpIdentity(owner), Buffer.from(secret)) };
}

/**
 * Describes a secret that `setUpMfa` returned, to display the secret again after a wrong code. `organizationName`: of a
 * factor for one organization, so that an authenticator app keeps the entries of a user apart.
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
