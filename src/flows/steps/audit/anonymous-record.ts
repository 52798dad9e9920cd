import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import {
  ANONYMOUS_RECORDS_MAX,
  ANONYMOUS_RECORDS_PER_NETWORK_MAX,
  ANONYMOUS_RECORDS_PER_SUBJECT_MAX,
  ANONYMOUS_RECORDS_WINDOW_MS,
} from "../../../limits/oauth-limits.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";

export interface AnonymousRecord {
  readonly action: AuditAction;
  /** The client or host of the record. */
  readonly subject: string;
  readonly requestContext: RequestContext;
}

/**
 * Whether the audit record of a request without credentials is written: the first records of a subject, of a network
 * and of the action in a window. The trail is permanent, so that no third party may fill the trail. A record beyond one
 * bound does not count against the next.
 */
export async function admitsAnonymousRecord(
  { state }: Pick<Deps, "state">,
  { action, subject, requestContext: { network } }: AnonymousRecord,
): Promise<boolean> {
  const bounds = [
    [`${action}:subject:${subject}`, ANONYMOUS_RECORDS_PER_SUBJECT_MAX],
    [`network:${network}`, ANONYMOUS_RECORDS_PER_NETWORK_MAX],
    [action, ANONYMOUS_RECORDS_MAX],
  ] as const;
  for (const [key, max] of bounds) {
    const { count } = await state.count(`service:anonymous-records:${key}`, ANONYMOUS_RECORDS_WINDOW_MS);
    if (count > max) return false;
  }
  return true;
}
