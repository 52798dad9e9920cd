import { createHash } from "node:crypto";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../models/email/email.ts";

/**
 * Counts a requested e-mail of one kind to one address, registered or not; invitations have limits of their own.
 * Returns false beyond the limit `mail` (docs/contract.md, section 20.2). Redis key `service:mail:<kind>:<hash of the
 * address>`; if it is lost the count starts at zero.
 */
export async function limitEmails(
  { config, state, telemetry }: Pick<Deps, "config" | "state" | "telemetry">,
  kind: EmailContent["kind"],
  email: string,
): Promise<boolean> {
  const { enabled, mail } = config.limits;
  if (!enabled) return true;
  const { count } = await state.count(`service:mail:${kind}:${hashedAddress(email)}`, mail.seconds * 1000);
  if (count <= mail.count) return true;
  telemetry.metrics.boundRefused("limit_mail");
  return false;
}

/** An address in the form of Redis keys. */
export function hashedAddress(email: string): string {
  return createHash("sha256").update(email).digest("base64url").slice(0, 22);
}
