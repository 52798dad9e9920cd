import type { EmailDeps } from "../../../deps.ts";
import type { EmailContent } from "../../../models/email/email.ts";
import { hashAddress } from "../../../models/user/email-address.ts";

/**
 * Counts a requested email by kind and address, registered or not; invitations have separate limits. Returns false
 * beyond the limit `mail` (docs/contract.md, section 20.2). Redis key `service:mail:<kind>:<hash of the address>`;
 * after a loss of the key the count starts at zero.
 */
export async function limitEmails(
  { config, state, telemetry, addressKey }: EmailDeps,
  kind: EmailContent["kind"],
  email: string,
): Promise<boolean> {
  const { enabled, mail } = config.limits;
  if (!enabled) return true;
  const { count } = await state.count(`service:mail:${kind}:${hashAddress(addressKey, email)}`, mail.seconds * 1000);
  if (count <= mail.count) return true;
  telemetry.metrics.boundRefused("limit_mail");
  return false;
}
