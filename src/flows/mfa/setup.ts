import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { seal } from "../../base/seal.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { TOTP_SECRET_BYTES } from "../../limits/factor-limits.ts";
import type { SessionView } from "../../models/session/session.ts";
import { beginTotpFactor, encodeSecret, otpauthUri, totpIdentity } from "../../models/totp/totp.ts";

export const MFA_ENABLED = refusal("conflict", "Multi-factor authentication is already enabled.");

export interface MfaSetup {
  /** Base32, for typing. */
  readonly secret: string;
  readonly otpauthUri: string;
}

/**
 * POST /v1/auth/mfa/setup (docs/contract.md, section 8.3): stores a new secret in place of an unconfirmed secret. The
 * secret takes effect after a code was verified at enable.
 */
export async function setUpMfa(deps: EmailDeps, caller: SessionView): Promise<Result<MfaSetup, Refusal<"conflict">>> {
  const secret = encodeSecret(deps.random.bytes(TOTP_SECRET_BYTES));
  const sealed = seal(deps.sealing, deps.random, totpIdentity(caller.userId), Buffer.from(secret));
  const at = new Date(deps.clock.now());
  const isStored = await deps.database.run("mfa.set_up", (sql) => beginTotpFactor(sql, caller.userId, sealed, at));
  if (!isStored) return err(MFA_ENABLED);
  return ok(describeSetup(deps, caller, secret));
}

/** Describes a secret that `setUpMfa` returned, to display the secret again after a wrong code. */
export function describeSetup({ config }: Pick<Deps, "config">, caller: SessionView, secret: string): MfaSetup {
  const issuer = new URL(config.urls.publicBaseUrl).hostname;
  return { secret, otpauthUri: otpauthUri(issuer, caller.email, secret) };
}
