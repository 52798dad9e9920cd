/** Actions on selected members and invitations of an organization: of the organization's own pages and the console. */
import type { RequestContext } from "../base/request-context.ts";
import type { SignInDeps, StoreDeps } from "../deps.ts";
import { readInvitation, resendInvitation, revokeOrganizationInvitation } from "../flows/invitations/manage.ts";
import { removeMember } from "../flows/members/change.ts";
import { findOrganizationMember } from "../flows/members/list.ts";
import type { OrganizationCaller } from "../flows/steps/authorization/authorize-member.ts";
import type { Selection } from "./selection.ts";
import type { View } from "./view.tsx";

interface Input {
  readonly deps: SignInDeps;
  readonly caller: OrganizationCaller;
  readonly client: RequestContext;
  readonly view: View;
}

export const MEMBER_STEPS = ["remove-selected"] as const;
export const INVITATION_STEPS = ["resend-selected", "revoke-selected"] as const;

export type MemberStep = (typeof MEMBER_STEPS)[number];
export type InvitationStep = (typeof INVITATION_STEPS)[number];

export function isMemberStep(step: string): step is MemberStep {
  return (MEMBER_STEPS as readonly string[]).includes(step);
}

export function isInvitationStep(step: string): step is InvitationStep {
  return (INVITATION_STEPS as readonly string[]).includes(step);
}

type NameOf = Selection["nameOf"];

/** `caller`: holds `members.list`. */
export function memberNames(deps: StoreDeps, caller: OrganizationCaller): NameOf {
  return async (id) => {
    const member = await findOrganizationMember(deps, caller, id);
    return member && (member.displayName ?? member.email);
  };
}

/** `caller`: holds `members.list`. */
export function invitationNames(deps: StoreDeps, caller: OrganizationCaller): NameOf {
  return async (invitationId) => {
    const found = await readInvitation(deps, { caller, invitationId });
    return found.ok ? found.value.email : undefined;
  };
}

/** `caller`: holds `members.remove`. */
export function memberSelection({ deps, caller, client, view: { t } }: Input, step: MemberStep): Selection {
  return {
    step,
    nameOf: memberNames(deps, caller),
    act: (userId) => removeMember(deps, { caller, userId, client }),
    messages: {
      conflict: t.directory.lastOwner,
      ...(caller.platformRole === undefined ? {} : { forbidden: t.directory.higherRole }),
    },
  };
}

/** `caller`: holds `members.invite`. */
export function invitationSelection({ deps, caller, client, view: { t } }: Input, step: InvitationStep): Selection {
  const act = step === "resend-selected" ? resendInvitation : revokeOrganizationInvitation;
  return {
    step,
    nameOf: invitationNames(deps, caller),
    act: (invitationId) => act(deps, { caller, invitationId, client }),
    messages: { conflict: t.team.used },
  };
}
