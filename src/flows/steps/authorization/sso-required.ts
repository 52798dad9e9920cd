/** The requirement of single sign-on by an organization (docs/contract.md, section 29.46). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { SessionAssurance } from "../../../models/member/member.ts";
import type { SessionView } from "../../../models/session/session.ts";

/** The problem of a covered member without single sign-on. The response to the client gets `continue_at`. */
export function ssoRequired(organizationId: string): Refusal<"sso_required"> {
  return {
    ...refusal("sso_required", "This organization requires single sign-on."),
    ssoOrganizationId: organizationId,
  };
}

/** The assurance of a session for an organization, which may differ from the organization of the session. */
export function assuranceIn(session: SessionView, organizationId: string): SessionAssurance {
  return {
    aal: session.aal,
    authTime: new Date(session.authTime),
    isBound: session.organizationBound && session.organizationId === organizationId,
  };
}
