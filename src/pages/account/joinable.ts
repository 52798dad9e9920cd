/** The organizations that the user can join by a verified domain (docs/contract.md, section 34.3). */
import { refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import { type JoinDeps, listJoinableOrganizations } from "../../flows/domain-join/join-organization.ts";
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { ActionInput } from "../action.ts";

const NOT_HERE = refusal("forbidden", "This session joins no organization.");

/** A session of single sign-on stays in its organization, and a session without a required factor joins none. */
function joins({ organizationBound, enrolmentOnly }: SessionView): boolean {
  return !(organizationBound || enrolmentOnly);
}

/** Authorizes the session of an account to join an organization. */
export function mayJoin({ call: { caller } }: Pick<ActionInput, "call">) {
  return joins(caller.session) ? ok(caller.session) : err(NOT_HERE);
}

export async function readJoinable(
  deps: Pick<JoinDeps, "addressKey" | "clock" | "database">,
  session: SessionView,
): Promise<readonly JoinableOrganization[]> {
  return joins(session) ? await listJoinableOrganizations(deps, session) : [];
}
