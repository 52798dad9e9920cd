/** The actions of `/admin/organizations/:id`. */
import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { overrideFeatureFlag } from "../../../flows/feature-flags/administer.ts";
import { createInvitation } from "../../../flows/invitations/create.ts";
import { resendInvitation, revokeOrganizationInvitation } from "../../../flows/invitations/manage.ts";
import { changeRole, removeMember } from "../../../flows/members/change.ts";
import type { CheckDeps } from "../../../flows/organization-domains/check-domain.ts";
import { findOrganizationDomain } from "../../../flows/organization-domains/manage.ts";
import { transferDomain } from "../../../flows/organization-domains/transfer.ts";
import {
  administerDisplayedOrganization,
  administerOrganization,
  readOrganization,
} from "../../../flows/organizations/administer.ts";
import { endSsoPause, pauseSsoPolicy } from "../../../flows/sso/policy/pause.ts";
import { type OrganizationCaller, organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { grantsPower } from "../../../flows/steps/authorization/grants-power.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { TransferDomainBody } from "../../../http/schemas/organization-domains.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { actionsOf } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { confirmsChannels } from "../../fields.ts";
import { invitationName, memberName, memberRoleIn } from "../../organization-actions.ts";
import { changedForm, refusedForm } from "../../problem-messages.ts";
import { presentVersionIn } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { platformCaller, steppedUpAdmin, type TargetInput } from "../console-actions.tsx";
import { type OrganizationSection, organizationPath } from "./sections.tsx";

export type OrganizationDeps = SignInDeps &
  CheckDeps &
  SignedInUserDeps &
  Pick<Deps, "reads" | "featureFlags" | "ssoDirectory">;
export type OrganizationInput = TargetInput<OrganizationDeps, Organization>;

/** A refused form of a section. */
export interface RefusedSection {
  readonly section: OrganizationSection;
  readonly state: FormState;
}

const { action, confirmed, selection } = actionsOf<OrganizationInput, RefusedSection>();

/** An administrator acts in the organization without a membership. */
function inOrganization({ call, target }: OrganizationInput): Result<OrganizationCaller, never> {
  return ok(organizationCallerOf(call.admin, target.id));
}

const inSection =
  (section: OrganizationSection) =>
  ({ target }: OrganizationInput) =>
    organizationPath(target.id, section);
const inMembers = inSection("members");
const inInvitations = inSection("invitations");
const inSso = inSection("sso");

const higherRole = ({ t }: View) => ({ forbidden: t.organizations.higherRole });
const usedMeanwhile = ({ t }: View) => ({ conflict: t.team.used });
const ofMember = ({ t }: View) => ({ conflict: t.directory.lastOwner, forbidden: t.directory.higherRole });

const UNCHANGED = { name: undefined, tier: undefined, suspended: undefined };

export const saveSettings = action({
  step: "save",
  may: platformCaller,
  run: ({ deps, caller, client, fields, target: { id: organizationId } }) => {
    const settings = { ...UNCHANGED, name: fields.text("name"), tier: tierIn(fields.text("tier")) };
    const displayed = presentVersionIn(fields);
    return administerDisplayedOrganization(deps, { ...settings, displayed, caller, organizationId, client });
  },
  done: ["saved", ({ t }) => t.organizations.saved],
  problems: higherRole,
  /** After a change by another administrator, the form also has the stored settings. */
  async refused({ deps, call, fields, target, view }, refusal) {
    if (!isOf(refusal, ["conflict", "invalid_input"])) return undefined;
    const values = Object.fromEntries(["name", "tier", "version"].map((name) => [name, fields.text(name)]));
    const found = refusal.code === "conflict" ? await readOrganization(deps, call.admin, target.id) : undefined;
    if (!found?.ok) return { section: "overview", state: refusedForm(view, refusal, values) };
    const { name, tier } = found.value;
    return { section: "overview", state: changedForm(view, values, { name, tier }) };
  },
});

export const suspend = confirmed({
  step: "suspend",
  may: platformCaller,
  question({ target: { name }, view: { t } }) {
    const { suspendTitle, suspendText, suspend: text } = t.organizations;
    return { title: suspendTitle({ name }), text: suspendText, action: text, typedName: name };
  },
  run: ({ deps, caller, client, target: { id: organizationId } }) =>
    administerOrganization(deps, { ...UNCHANGED, suspended: true, caller, organizationId, client }),
  done: ["suspended", ({ t }) => t.organizations.suspendedNow],
  problems: higherRole,
});

export const restore = action({
  step: "restore",
  may: platformCaller,
  run: ({ deps, caller, client, target: { id: organizationId } }) =>
    administerOrganization(deps, { ...UNCHANGED, suspended: false, caller, organizationId, client }),
  done: ["restored", ({ t }) => t.organizations.restored],
  problems: higherRole,
});

export const overrideFlag = action({
  step: "flag",
  may: platformCaller,
  at: inSection("flags"),
  run: ({ deps, caller, client, fields, target: { id: organizationId } }) => {
    const [key, override] = [fields.text("key"), overrideIn(fields.text("override"))];
    return overrideFeatureFlag(deps, { caller, key, organizationId, override, client });
  },
  done: ["flag", ({ t }) => t.organizations.flagSaved],
  problems: higherRole,
});

export const inviteTo = action({
  step: "invite",
  may: inOrganization,
  at: inInvitations,
  stepUp: ({ fields }) => grantsPower(memberRoleIn(fields)),
  run: ({ deps, caller, client, fields }) =>
    createInvitation(deps, { caller, email: fields.text("email"), role: memberRoleIn(fields), client }),
  done: ["invited", ({ t }) => t.directory.invited],
  problems: higherRole,
  refused({ fields, view }, refusal) {
    if (!isOf(refusal, ["conflict", "invalid_input", "rate_limited"])) return undefined;
    const values = { email: fields.text("email"), role: fields.text("role") };
    const inUse = { values, errors: { email: view.t.directory.addressInUse } };
    const state = refusal.code === "conflict" ? inUse : refusedForm(view, refusal, values);
    return { section: "invitations", state };
  },
});

export const resendTo = action({
  step: "resend",
  may: inOrganization,
  at: inInvitations,
  run: ({ deps, caller, client, id }) => resendInvitation(deps, { caller, invitationId: id, client }),
  done: ["resent", ({ t }) => t.team.resent],
  problems: usedMeanwhile,
});

export const revokeInvitation = confirmed({
  step: "revoke",
  may: inOrganization,
  at: inInvitations,
  async question(request) {
    const email = await invitationName(request);
    const { revoke, revokeText, revokeTitle } = request.view.t.team;
    return email === undefined ? undefined : { title: revokeTitle({ email }), text: revokeText, action: revoke };
  },
  run: ({ deps, caller, client, id }) => revokeOrganizationInvitation(deps, { caller, invitationId: id, client }),
  done: ["revoked", ({ t }) => t.team.revoked],
  problems: usedMeanwhile,
});

export const resendSelectedTo = selection({
  step: "resend-selected",
  may: inOrganization,
  at: inInvitations,
  nameOf: invitationName,
  run: ({ deps, caller, client, id }) => resendInvitation(deps, { caller, invitationId: id, client }),
  problems: usedMeanwhile,
});

export const revokeSelectedInvitations = selection({
  step: "revoke-selected",
  may: inOrganization,
  at: inInvitations,
  nameOf: invitationName,
  run: ({ deps, caller, client, id }) => revokeOrganizationInvitation(deps, { caller, invitationId: id, client }),
  problems: usedMeanwhile,
});

export const changeRoleOf = action({
  step: "role",
  may: inOrganization,
  at: inMembers,
  stepUp: ({ fields }) => grantsPower(memberRoleIn(fields)),
  run: ({ deps, caller, client, fields, id }) =>
    changeRole(deps, { caller, userId: id, role: memberRoleIn(fields), confirm: confirmsChannels(fields), client }),
  done: ["role", ({ t }) => t.team.roleChanged],
  problems: ofMember,
});

export const removeFrom = confirmed({
  step: "remove",
  may: inOrganization,
  at: inMembers,
  async question(request) {
    const name = await memberName(request);
    const { directory, team } = request.view.t;
    if (name === undefined) return undefined;
    return { title: team.removeTitle({ name }), text: team.removeText, action: directory.remove };
  },
  run: ({ deps, caller, client, id }) => removeMember(deps, { caller, userId: id, client }),
  done: ["removed", ({ t }) => t.team.removed],
  problems: ofMember,
});

export const removeSelectedFrom = selection({
  step: "remove-selected",
  may: inOrganization,
  at: inMembers,
  nameOf: memberName,
  run: ({ deps, caller, client, id }) => removeMember(deps, { caller, userId: id, client }),
  problems: ofMember,
});

const validateTransfer = bodyValidator(TransferDomainBody);

/** The claim of a domain belongs to the organization of the page. */
export const transferClaim = action({
  step: "transfer",
  may: steppedUpAdmin,
  at: inSso,
  async run({ deps, call, caller, client, fields, id: domainId, target }) {
    const valid = validateTransfer({ reason: fields.text("reason").trim() });
    if (!valid.ok) return valid;
    const claim = await findOrganizationDomain(deps, { caller: organizationCallerOf(call.admin, target.id), domainId });
    return claim.ok ? await transferDomain(deps, { caller, domainId, reason: valid.value.reason, client }) : claim;
  },
  done: ["transferred", ({ t }) => t.ssoConnections.console.transferred],
  problems: ({ t }) => ({ conflict: t.ssoConnections.console.noConflict }),
  refused({ fields, view }, refusal) {
    if (refusal.code !== "invalid_input") return undefined;
    const values = { id: fields.text("id"), reason: fields.text("reason") };
    const state = refusedForm(view, refusal, values, {}, { reason: view.t.ssoConnections.console.reasonHint });
    return { section: "sso", state };
  },
});

export const pauseRequirement = action({
  step: "pause",
  may: steppedUpAdmin,
  at: inSso,
  run: ({ deps, caller, client, fields, target: { id: organizationId } }) =>
    pauseSsoPolicy(deps, { caller, organizationId, reason: fields.text("pause_reason"), client }),
  done: ["paused", ({ t }) => t.ssoPolicy.console.paused],
  problems: higherRole,
  refused({ fields, view }, refusal) {
    if (refusal.code !== "invalid_input") return undefined;
    const errors = { pause_reason: view.t.ssoPolicy.console.reasonHint };
    return { section: "sso", state: { values: { pause_reason: fields.text("pause_reason") }, errors } };
  },
});

export const endPause = action({
  step: "end-pause",
  may: steppedUpAdmin,
  at: inSso,
  run: ({ deps, caller, client, target: { id: organizationId } }) =>
    endSsoPause(deps, { caller, organizationId, client }),
  done: ["pauseEnded", ({ t }) => t.ssoPolicy.console.ended],
  problems: higherRole,
});

export const organizationActions = {
  ...{ saveSettings, suspend, restore, overrideFlag },
  ...{ inviteTo, resendTo, revokeInvitation, resendSelectedTo, revokeSelectedInvitations },
  ...{ changeRoleOf, removeFrom, removeSelectedFrom },
  ...{ transferClaim, pauseRequirement, endPause },
};

function isOf({ code }: Refusal, codes: readonly Refusal["code"][]): boolean {
  return codes.includes(code);
}

function tierIn(text: string): Organization["tier"] | undefined {
  return text === "standard" || text === "enterprise" ? text : undefined;
}

function overrideIn(text: string): "on" | "off" | "default" {
  return text === "on" || text === "off" ? text : "default";
}
