/** The actions of `/team`: invitations, roles and removals of members, requests to join. */
import type { Deps, SignInDeps } from "../../deps.ts";
import { approveRequest, denyRequest } from "../../flows/domain-join/decide-request.ts";
import { createInvitation } from "../../flows/invitations/create.ts";
import { readInvitation, resendInvitation, revokeOrganizationInvitation } from "../../flows/invitations/manage.ts";
import { authorizeRemoval, changeRole, removeMember } from "../../flows/members/change.ts";
import { grantsPower } from "../../flows/steps/authorization/grants-power.ts";
import { clearedCookies } from "../../http/cookies.ts";
import { type ActionInput, actionsOf, permission } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { confirmsChannels, type Fields } from "../fields.ts";
import { invitationName, memberName, memberRoleIn } from "../organization-actions.ts";
import { seeResult, uuidIn } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import { ROLES_FIELD } from "../roles/role-boxes.tsx";
import type { View } from "../view.tsx";
import { applicantName, readJoinRequests } from "./open-requests.ts";

export interface TeamInput extends ActionInput {
  readonly deps: SignInDeps & ActionInput["deps"] & Pick<Deps, "reads">;
}

const { action, asks, confirmed, selection } = actionsOf<TeamInput>();

const mayInvite = permission("members.invite");
const usedMeanwhile = ({ t }: View) => ({ conflict: t.team.used });
const lastOwner = ({ t }: View) => ({ conflict: t.team.lastOwner });
const outdated = ({ t: { joining } }: View) => ({ conflict: joining.outdated, not_found: joining.outdated });

export const invite = action({
  step: "invite",
  may: mayInvite,
  stepUp: ({ fields }) => grantsPower(memberRoleIn(fields), roleIdsIn(fields)),
  run: ({ deps, caller, client, fields }) =>
    createInvitation(deps, {
      ...{ caller, client, email: fields.text("email") },
      ...{ role: memberRoleIn(fields), roleIds: roleIdsIn(fields) },
    }),
  done: ["invited", ({ t }) => t.team.invited],
  refused({ fields, view }, refusal): FormState {
    const roles = fields.all(ROLES_FIELD).join(" ");
    const values = { email: fields.text("email"), role: memberRoleIn(fields), [ROLES_FIELD]: roles };
    if (refusal.code === "conflict") return { values, errors: { email: view.t.team.alreadyThere } };
    return refusedForm(view, refusal, values, {}, { role_ids: view.t.groups.tooManyRoles });
  },
});

export const resend = action({
  step: "resend",
  may: mayInvite,
  run: ({ deps, caller, client, id }) => resendInvitation(deps, { caller, invitationId: id, client }),
  done: ["resent", ({ t }) => t.team.resent],
  problems: usedMeanwhile,
});

export const revoke = confirmed({
  step: "revoke",
  may: mayInvite,
  async question({ deps, caller, id, view: { t } }) {
    const found = await readInvitation(deps, { caller, invitationId: id });
    if (!found.ok) return undefined;
    return { title: t.team.revokeTitle({ email: found.value.email }), text: t.team.revokeText, action: t.team.revoke };
  },
  run: ({ deps, caller, client, id }) => revokeOrganizationInvitation(deps, { caller, invitationId: id, client }),
  done: ["revoked", ({ t }) => t.team.revoked],
  problems: usedMeanwhile,
});

export const resendSelected = selection({
  step: "resend-selected",
  may: mayInvite,
  nameOf: invitationName,
  run: ({ deps, caller, client, id }) => resendInvitation(deps, { caller, invitationId: id, client }),
  problems: usedMeanwhile,
});

export const revokeSelected = selection({
  step: "revoke-selected",
  may: mayInvite,
  nameOf: invitationName,
  run: ({ deps, caller, client, id }) => revokeOrganizationInvitation(deps, { caller, invitationId: id, client }),
  problems: usedMeanwhile,
});

export const changeMemberRole = action({
  step: "role",
  may: permission("members.role"),
  stepUp: ({ fields }) => grantsPower(memberRoleIn(fields)),
  run: ({ deps, caller, client, fields, id }) =>
    changeRole(deps, { caller, userId: id, role: memberRoleIn(fields), confirm: confirmsChannels(fields), client }),
  done: ["role", ({ t }) => t.team.roleChanged],
  problems: lastOwner,
});

const mayRemove = ({ deps, call: { caller }, id }: TeamInput & { readonly id: string }) => {
  const { organizationId } = caller.session;
  return authorizeRemoval(deps, caller, { organizationId, userId: id, permission: "members.remove" });
};

export const leave = confirmed({
  step: "leave",
  may: mayRemove,
  question: {
    async ask({ call, id, profile, view: { t } }) {
      const { organizationId, userId } = call.caller.session;
      const left = profile.organizations.find((each) => each.id === organizationId);
      if (!left || id !== userId) return undefined;
      return { title: t.team.leaveNamed({ name: left.name }), text: t.team.leaveText, action: t.team.leave };
    },
  },
  run: ({ deps, caller, client, id }) => removeMember(deps, { caller, userId: id, client }),
  // Leaving has ended the session.
  reply: ({ deps }) => seeResult("/sign-in", "left", clearedCookies(deps.config)),
  problems: lastOwner,
});

export const remove = confirmed({
  step: "remove",
  may: mayRemove,
  question: asks(permission("members.list"), async (request) => {
    const { team, common } = request.view.t;
    const name = await memberName(request);
    return name === undefined
      ? undefined
      : { title: team.removeTitle({ name }), text: team.removeText, action: common.remove };
  }),
  run: ({ deps, caller, client, id }) => removeMember(deps, { caller, userId: id, client }),
  done: ["removed", ({ t }) => t.team.removed],
  problems: lastOwner,
});

export const removeSelected = selection({
  step: "remove-selected",
  mayAsk: permission("members.list"),
  may: permission("members.remove"),
  nameOf: memberName,
  run: ({ deps, caller, client, id }) => removeMember(deps, { caller, userId: id, client }),
  problems: ({ t }) => ({ conflict: t.directory.lastOwner }),
});

export const approveJoin = action({
  step: "approve-join",
  may: mayInvite,
  run: ({ deps, caller, client, id }) => approveRequest(deps, { caller, id, client }),
  done: ["approved", ({ t }) => t.joining.approved],
  problems: outdated,
});

/** A denial keeps the user out for a time. */
export const denyJoin = confirmed({
  step: "deny-join",
  may: mayInvite,
  async question({ deps, caller, id, view: { t } }) {
    const request = (await readJoinRequests(deps, caller)).find((each) => each.id === id);
    const { deny, denyText, denyTitle } = t.joining;
    return request && { title: denyTitle({ name: applicantName(request) }), text: denyText, action: deny };
  },
  run: ({ deps, caller, client, id }) => denyRequest(deps, { caller, id, client }),
  done: ["denied", ({ t }) => t.joining.deniedNow],
  problems: outdated,
});

export const teamActions = {
  ...{ invite, resend, revoke, resendSelected, revokeSelected },
  ...{ changeMemberRole, leave, remove, removeSelected, approveJoin, denyJoin },
};

function roleIdsIn(fields: Fields): readonly string[] {
  return fields.all(ROLES_FIELD).map(uuidIn);
}
