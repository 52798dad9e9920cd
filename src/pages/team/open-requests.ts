import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listOpenRequests } from "../../flows/domain-join/decide-request.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { OPEN_JOIN_REQUESTS_MAX } from "../../limits/domain-join-limits.ts";
import type { JoinRequest } from "../../models/domain-join/join-request.ts";
import { holds } from "../../vocabulary/member-power.ts";

/** The open requests to join; none for a reader who cannot decide. */
export async function readJoinRequests(
  deps: Pick<Deps, "clock" | "database">,
  caller: OrganizationCaller,
): Promise<readonly JoinRequest[]> {
  if (!holds(caller, "members.invite")) return [];
  return (await listOpenRequests(deps, caller, clampPage(1, OPEN_JOIN_REQUESTS_MAX))).items;
}

/** The displayed name of the user who asks to join. */
export function applicantName({ displayName, email }: JoinRequest): string {
  return displayName ?? email;
}
