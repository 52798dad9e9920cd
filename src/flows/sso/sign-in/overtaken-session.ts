import { coversMember } from "../../steps/channels/covers-member.ts";
import { endUncoveredSessions } from "../../steps/power/end-uncovered-sessions.ts";
import type { SignInResult } from "../../steps/sign-in/complete-sign-in.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/**
 * Whether a change between the decision and the session left the member with more power than the person behind the
 * connection has: a promotion of the member, or a loss of power of the person, an owner too. The session has ended
 * then. A change after the session ends the session itself, so the comparison follows the commit of the session.
 */
export async function isOvertakenByPower(
  deps: SsoDeps,
  { connection, client }: Pick<ProvisioningInput, "client" | "connection">,
  { session }: Pick<SignInResult, "session">,
): Promise<boolean> {
  const { id, userId } = session;
  const { organizationId } = connection;
  const isCovered = await deps.database.run("sso.compare_power", (sql) => coversMember(sql, connection, userId));
  if (isCovered) return false;
  const ended = await deps.database.transaction("sso.end_uncovered", (sql) =>
    endUncoveredSessions(deps, sql, { organizationId, userIds: [userId], actor: { userId }, client }),
  );
  await deps.revocations.announce(ended);
  return ended.some(({ sessionId }) => sessionId === id);
}
