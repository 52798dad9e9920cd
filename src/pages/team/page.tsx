import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { createInvitation } from "../../flows/invitations/create.ts";
import { resendInvitation, revokeOrganizationInvitation } from "../../flows/invitations/manage.ts";

import { authorizeRemoval, changeRole, removeMember } from "../../flows/members/change.ts";
import { authorizePermission } from "../../flows/steps/authorization/authorize-member.ts";

import { grantsPower } from "../../flows/steps/authorization/grants-power.ts";
import { requireStepUp } from "../../flows/steps/sign-in/step-up.ts";
import { clearedCookies } from "../../http/cookies.ts";
import type { MemberRole } from "../../models/member/member.ts";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { confirmsChannels } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import {
  type InvitationStep,
  invitationSelection,
  isInvitationStep,
  isMemberStep,
  type MemberStep,
  memberSelection,
} from "../organization-selections.ts";
import {
  type AuthenticatedCall,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { ROLES_FIELD } from "../roles/role-boxes.tsx";
import { selectionResult } from "../selection.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { decideJoin, isJoinStep } from "./join-requests.tsx";
import { postSelection } from "./selection.tsx";
import { TeamBody } from "./view.tsx";
import { teamViewModel } from "./view-model.ts";

const PATH = "/team";
type TeamDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

function resultOf(view: View, done: string): string | undefined {
  const { t } = view;
  const texts = {
    invited: t.team.invited,
    resent: t.team.resent,
    revoked: t.team.revoked,
    role: t.team.roleChanged,
    roles: t.customRoles.assigned,
    removed: t.team.removed,
    approved: t.joining.approved,
    denied: t.joining.deniedNow,
  };
  return textAt(texts, done) ?? selectionResult(view, done);
}

/** `/team`: members of the session's organization, and the open invitations. */
export function teamPage(deps: TeamDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const [{ profile, view }, viewModel] = await Promise.all([signedInUser(deps, call), teamViewModel(deps, call)]);
    const { userId, organizationId } = call.caller.session;
    const organization = profile.organizations.find(({ id }) => id === organizationId);
    const done = resultOf(view, call.result);
    const body = (
      <TeamBody
        profile={profile}
        organization={organization?.name ?? ""}
        userId={userId}
        viewModel={viewModel}
        state={state}
      />
    );
    const title = titleOfList({ view, query: call.query }, view.t.team.title);
    return showPage(view, { title, body, done, islands: ["confirm", "selection"], ...parts });
  };
  return authenticatedPage({
    path: PATH,
    ofOrganization: true,
    get: (call) => show(call, {}),
    async post(call) {
      const step = call.form.text("step");
      if (isMemberStep(step) || isInvitationStep(step)) return await actOnSelected(deps, call, step);
      const outcome = await act(deps, call, step);
      // Leaving has ended the session.
      if (outcome.ok && step === "leave") return seeResult("/sign-in", "left", clearedCookies(deps.config));
      if (outcome.ok) return seeResult(PATH, outcome.value);
      const { view } = await signedInUser(deps, call);
      if (step !== "invite") {
        return refusedPage(view, outcome.error, messagesOf(view, step));
      }
      const values = {
        email: call.form.text("email"),
        role: roleOf(call.form.text("role")),
        [ROLES_FIELD]: call.form.all(ROLES_FIELD).join(" "),
      };
      const texts = { role_ids: view.t.groups.tooManyRoles };
      const conflict = { values, errors: { email: view.t.team.alreadyThere } };
      const state = outcome.error.code === "conflict" ? conflict : refusedForm(view, outcome.error, values, {}, texts);
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}

/** Messages of refusals that no form displays. */
function messagesOf({ t: { joining, team } }: View, step: string) {
  if (isJoinStep(step)) return { conflict: joining.outdated, not_found: joining.outdated };
  return { conflict: step === "resend" || step === "revoke" ? team.used : team.lastOwner };
}

async function actOnSelected(deps: TeamDeps, call: AuthenticatedCall, step: MemberStep | InvitationStep) {
  const { session } = call.caller;
  const { organizationId } = session;
  const [caller, { view }] = await Promise.all([
    isMemberStep(step)
      ? authorizePermission(
          deps,
          session,
          organizationId,
          step === "remove-selected" ? "members.remove" : "members.role",
        )
      : authorizePermission(deps, session, organizationId, "members.invite"),
    signedInUser(deps, call),
  ]);
  if (!caller.ok) return refusedPage(view, caller.error);
  const input = { deps, caller: caller.value, client: call.client, view };
  const selection = isMemberStep(step) ? memberSelection(input, step) : invitationSelection(input, step);
  return await postSelection(deps, call, { place: PATH, selection });
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(deps: TeamDeps, call: AuthenticatedCall, step: string): Promise<Result<string, Refusal>> {
  if (isJoinStep(step)) return await decideJoin(deps, call, step);
  switch (step) {
    case "invite":
    case "resend":
    case "revoke":
      return await actOnInvitation(deps, call, step);
    case "role":
      return await giveRole(deps, call);
    case "leave":
    case "remove":
      return await remove(deps, call);
    default:
      return err(NOTHING_THERE);
  }
}

async function actOnInvitation(
  deps: TeamDeps,
  { caller: { session }, form, client }: AuthenticatedCall,
  step: "invite" | "resend" | "revoke",
): Promise<Result<string, Refusal>> {
  const authorized = await authorizePermission(deps, session, session.organizationId, "members.invite");
  if (!authorized.ok) return authorized;
  const input = { caller: authorized.value, invitationId: uuidIn(form.text("id")), client };
  if (step === "revoke") return result(await revokeOrganizationInvitation(deps, input), "revoked");
  if (step === "resend") return result(await resendInvitation(deps, input), "resent");
  const role = roleOf(form.text("role"));
  const invited = { email: form.text("email"), role, roleIds: form.all(ROLES_FIELD).map(uuidIn) };
  const steppedUp = grantsPower(role, invited.roleIds) ? requireStepUp(deps, session) : ok(undefined);
  if (!steppedUp.ok) return steppedUp;
  return result(await createInvitation(deps, { ...input, ...invited }), "invited");
}

async function giveRole(
  deps: TeamDeps,
  { caller: { session }, form, client }: AuthenticatedCall,
): Promise<Result<string, Refusal>> {
  const authorized = await authorizePermission(deps, session, session.organizationId, "members.role");
  if (!authorized.ok) return authorized;
  const role = roleOf(form.text("role"));
  const steppedUp = grantsPower(role) ? requireStepUp(deps, session) : ok(undefined);
  if (!steppedUp.ok) return steppedUp;
  const confirm = confirmsChannels(form);
  const input = { caller: authorized.value, userId: uuidIn(form.text("id")), role, confirm, client };
  return result(await changeRole(deps, input), "role");
}

async function remove(
  deps: TeamDeps,
  { caller: user, form, client }: AuthenticatedCall,
): Promise<Result<string, Refusal>> {
  const userId = uuidIn(form.text("id"));
  const { organizationId } = user.session;
  const authorized = await authorizeRemoval(deps, user, { organizationId, userId, permission: "members.remove" });
  if (!authorized.ok) return authorized;
  return result(await removeMember(deps, { caller: authorized.value, userId, client }), "removed");
}

function result(outcome: Result<unknown, Refusal>, done: string): Result<string, Refusal> {
  return outcome.ok ? { ok: true, value: done } : outcome;
}

function roleOf(text: string): MemberRole {
  return text === "owner" || text === "admin" ? text : "member";
}
