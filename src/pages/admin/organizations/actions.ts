/** The actions of the page of an organization, and the section that displays the result of each. */
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { overrideFeatureFlag } from "../../../flows/feature-flags/administer.ts";
import { createInvitation } from "../../../flows/invitations/create.ts";
import { resendInvitation, revokeOrganizationInvitation } from "../../../flows/invitations/manage.ts";
import { changeRole, removeMember } from "../../../flows/members/change.ts";
import type { CheckDeps } from "../../../flows/organization-domains/check.ts";
import { findOrganizationDomain } from "../../../flows/organization-domains/manage.ts";
import { transferDomain } from "../../../flows/organization-domains/transfer.ts";
import {
  type AdministerInput,
  administerDisplayedOrganization,
  administerOrganization,
} from "../../../flows/organizations/administer.ts";
import { endSsoPause, pauseSsoPolicy } from "../../../flows/sso-policy/pause.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { grantsPower } from "../../../flows/steps/authorization/grants-power.ts";
import { requireStepUp } from "../../../flows/steps/sign-in/step-up.ts";
import { bodyValidator } from "../../../http/read-input.ts";
import { TransferDomainBody } from "../../../http/schemas/organization-domains.ts";
import type { MemberRole } from "../../../models/member/member.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { confirmsChannels } from "../../fields.ts";
import {
  INVITATION_STEPS,
  invitationSelection,
  isInvitationStep,
  isMemberStep,
  MEMBER_STEPS,
  memberSelection,
} from "../../organization-selections.ts";
import { NOTHING_THERE, textAt, uuidIn } from "../../page.ts";
import { type Selection, selectionResult } from "../../selection.ts";
import type { View } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { presentVersionIn } from "../displayed-version.ts";
import type { OrganizationSection } from "./sections.tsx";

export type ActionDeps = SignInDeps & CheckDeps & Pick<Deps, "reads" | "featureFlags" | "ssoDirectory">;

/** A step without an entry belongs to the overview. */
const SECTION_OF_STEP: Readonly<Record<string, OrganizationSection>> = {
  flag: "flags",
  invite: "invitations",
  resend: "invitations",
  revoke: "invitations",
  role: "members",
  remove: "members",
  transfer: "sso",
  pause: "sso",
  "end-pause": "sso",
  ...Object.fromEntries(MEMBER_STEPS.map((step) => [step, "members"])),
  ...Object.fromEntries(INVITATION_STEPS.map((step) => [step, "invitations"])),
};

export function sectionOfStep(step: string): OrganizationSection {
  return Object.hasOwn(SECTION_OF_STEP, step) ? (SECTION_OF_STEP[step] ?? "overview") : "overview";
}

export function resultOf(view: View, done: string): string | undefined {
  const { t } = view;
  const texts = {
    created: t.organizations.created,
    saved: t.organizations.saved,
    suspended: t.organizations.suspendedNow,
    restored: t.organizations.restored,
    flag: t.organizations.flagSaved,
    invited: t.directory.invited,
    resent: t.team.resent,
    revoked: t.team.revoked,
    role: t.team.roleChanged,
    removed: t.team.removed,
    transferred: t.ssoConnections.console.transferred,
    paused: t.ssoPolicy.console.paused,
    pauseEnded: t.ssoPolicy.console.ended,
  };
  return textAt(texts, done) ?? selectionResult(view, done);
}

/** Executes the action of the pressed button; returns the result to display. */
export async function act(
  deps: ActionDeps,
  call: ConsoleCall,
  organization: Organization,
): Promise<Result<string, Refusal>> {
  const { form } = call;
  switch (form.text("step")) {
    case "flag":
      return await overrideFlag(deps, call, organization);
    case "suspend":
      return after(await administer(deps, call, organization, { suspended: true }), "suspended");
    case "restore":
      return after(await administer(deps, call, organization, { suspended: false }), "restored");
    case "save":
      return await saveSettings(deps, call, organization);
    case "invite":
    case "resend":
    case "revoke":
      return await actOnInvitation(deps, call, organization, form.text("step"));
    case "role":
    case "remove":
      return await actOnMember(deps, call, organization, form.text("step"));
    case "transfer":
      return await transfer(deps, call, organization);
    case "pause":
    case "end-pause":
      return await pauseOrResume(deps, call, organization);
    default:
      return err(NOTHING_THERE);
  }
}

/** The action on selected rows; undefined for every other step. */
export function selectionOf(
  deps: ActionDeps,
  { admin, client, view }: ConsoleCall,
  { id }: Organization,
  step: string,
): Selection | undefined {
  const input = { deps, caller: organizationCallerOf(admin, id), client, view };
  if (isMemberStep(step)) return memberSelection(input, step);
  return isInvitationStep(step) ? invitationSelection(input, step) : undefined;
}

function after(outcome: Result<unknown, Refusal>, done: string): Result<string, Refusal> {
  return outcome.ok ? ok(done) : outcome;
}

const UNCHANGED = { name: undefined, tier: undefined, suspended: undefined };

async function administer(
  deps: ActionDeps,
  { admin: caller, client }: ConsoleCall,
  { id: organizationId }: Organization,
  change: Pick<AdministerInput, "suspended">,
) {
  return await administerOrganization(deps, { ...UNCHANGED, ...change, caller, organizationId, client });
}

async function overrideFlag(deps: ActionDeps, { admin: caller, form, client }: ConsoleCall, { id }: Organization) {
  const [key, override] = [form.text("key"), overrideIn(form.text("override"))];
  return after(await overrideFeatureFlag(deps, { caller, key, organizationId: id, override, client }), "flag");
}

async function saveSettings(deps: ActionDeps, { admin: caller, form, client }: ConsoleCall, { id }: Organization) {
  const settings = { ...UNCHANGED, name: form.text("name"), tier: tierIn(form.text("tier")) };
  const input = { ...settings, displayed: presentVersionIn(form), caller, organizationId: id, client };
  return after(await administerDisplayedOrganization(deps, input), "saved");
}

async function actOnInvitation(
  deps: ActionDeps,
  { admin, caller: { session }, form, client }: ConsoleCall,
  { id }: Organization,
  step: string,
): Promise<Result<string, Refusal>> {
  const caller = organizationCallerOf(admin, id);
  const input = { caller, invitationId: uuidIn(form.text("id")), client };
  if (step === "resend") return after(await resendInvitation(deps, input), "resent");
  if (step === "revoke") return after(await revokeOrganizationInvitation(deps, input), "revoked");
  const [email, role] = [form.text("email"), memberRoleIn(form.text("role"))];
  const steppedUp = grantsPower(role) ? requireStepUp(deps, session) : ok(undefined);
  return steppedUp.ok ? after(await createInvitation(deps, { caller, email, role, client }), "invited") : steppedUp;
}

async function actOnMember(
  deps: ActionDeps,
  { admin, caller: { session }, form, client }: ConsoleCall,
  { id }: Organization,
  step: string,
): Promise<Result<string, Refusal>> {
  const input = { caller: organizationCallerOf(admin, id), userId: uuidIn(form.text("id")), client };
  if (step === "remove") return after(await removeMember(deps, input), "removed");
  const role = memberRoleIn(form.text("role"));
  const steppedUp = grantsPower(role) ? requireStepUp(deps, session) : ok(undefined);
  return steppedUp.ok
    ? after(await changeRole(deps, { ...input, role, confirm: confirmsChannels(form) }), "role")
    : steppedUp;
}

const validateTransfer = bodyValidator(TransferDomainBody);

/** The claim of a domain belongs to the organization of the page. */
async function transfer(
  deps: ActionDeps,
  { admin, caller: { session }, form, client }: ConsoleCall,
  { id }: Organization,
): Promise<Result<string, Refusal>> {
  const caller = await authorizeSteppedUpAdmin(deps, session);
  if (!caller.ok) return caller;
  const valid = validateTransfer({ reason: form.text("reason").trim() });
  if (!valid.ok) return valid;
  const domainId = uuidIn(form.text("id"));
  const claim = await findOrganizationDomain(deps, { caller: organizationCallerOf(admin, id), domainId });
  if (!claim.ok) return claim;
  const input = { caller: caller.value, domainId, reason: valid.value.reason, client };
  return after(await transferDomain(deps, input), "transferred");
}

/** Pauses the requirement of single sign-on, or ends the pause. */
async function pauseOrResume(
  deps: ActionDeps,
  { caller: { session }, form, client }: ConsoleCall,
  { id: organizationId }: Organization,
): Promise<Result<string, Refusal>> {
  const caller = await authorizeSteppedUpAdmin(deps, session);
  if (!caller.ok) return caller;
  const input = { caller: caller.value, organizationId, client };
  if (form.text("step") === "end-pause") return after(await endSsoPause(deps, input), "pauseEnded");
  return after(await pauseSsoPolicy(deps, { ...input, reason: form.text("pause_reason") }), "paused");
}

function tierIn(text: string): Organization["tier"] | undefined {
  return text === "standard" || text === "enterprise" ? text : undefined;
}

function overrideIn(text: string): "on" | "off" | "default" {
  return text === "on" || text === "off" ? text : "default";
}

/** An unknown role is the least role: a forged form grants nothing. */
export function memberRoleIn(text: string): MemberRole {
  return text === "owner" || text === "admin" ? text : "member";
}
