import { createHash } from "node:crypto";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../models/email/email.ts";

/**
 * Counts an e-mail that was asked for, of one kind and to one address, known or not; invitations have allowances of
 * their own. False beyond the limit: then none is written (decisions, section 5). Redis key `service:mail:<kind>:<hash
 * of the address>`; gone: the limit starts anew.
 */
export async function limitEmails(
  { config, state }: Pick<Deps, "config" | "state">,
  kind: EmailContent["kind"],
  email: string,
): Promise<boolean> {
  const { enabled, mail } = config.limits;
  if (!enabled) return true;
  const { count } = await state.count(`service:mail:${kind}:${hashedAddress(email)}`, mail.seconds * 1000);
  return count <= mail.count;
}

/** An address as keys of Redis have it: unreadable. */
export function hashedAddress(email: string): string {
  return createHash("sha256").update(email).digest("base64url").slice(0, 22);
}
