import type { Refusal } from "../../../base/problem.ts";
import { resolveBrand } from "../../../flows/brand/resolve-brand.ts";
import { readInvitation } from "../../../flows/invitations/manage.ts";
import { findOrganizationMember } from "../../../flows/members/list.ts";
import { readOrganization } from "../../../flows/organizations/administer.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import type { Reply } from "../../../http/reply.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { FormState } from "../../components/form.tsx";
import type { Question } from "../../components/question.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { invitationNames, memberNames } from "../../organization-selections.ts";
import { NOTHING_THERE, type Page, seeResult, uuidIn } from "../../page.ts";
import { logoPath } from "../../page-brand.ts";
import { changedForm, refusedForm, refusedParts } from "../../problem-messages.ts";
import { askSelection } from "../../selection.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { SiteDeps } from "../../view.tsx";
import { auditSection } from "../audit/section.tsx";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { postSelection } from "../selection.tsx";
import { type ActionDeps, act, resultOf, sectionOfStep, selectionOf } from "./actions.ts";
import { readApplications } from "./applications.tsx";
import { readOrganizationDirectory } from "./directory.tsx";
import { readFlags } from "./flags.tsx";
import { readInvitations } from "./invitations-section.tsx";
import { ORGANIZATIONS } from "./list.ts";
import { readMembers } from "./members.tsx";
import { readOverview } from "./overview.tsx";
import { readOrganizationPolicies } from "./policies.tsx";
import {
  OrganizationFrame,
  type OrganizationSection,
  organizationPath,
  organizationSectionIn,
  type ReadSection,
  sectionName,
} from "./sections.tsx";
import { readSingleSignOn } from "./single-sign-on.tsx";

type OrganizationDeps = ActionDeps & SignedInUserDeps;

const READ_SECTION: Readonly<Record<OrganizationSection, ReadSection>> = {
  overview: readOverview,
  members: readMembers,
  invitations: readInvitations,
  applications: readApplications,
  sso: readSingleSignOn,
  scim: readOrganizationDirectory,
  policies: readOrganizationPolicies,
  flags: readFlags,
  audit: ({ deps, call, organization: { id } }) =>
    auditSection(deps, call, { organization_id: id }, organizationPath(id)),
};

/** `/admin/organizations/:id`: overview, members, invitations, applications, policies, feature flags, audit trail. */
export function organizationPage(deps: OrganizationDeps): Page {
  const show = async (
    call: ConsoleCall,
    section: OrganizationSection,
    state: FormState = {},
    parts: DisplayedParts = {},
  ): Promise<Reply> => {
    const { admin: caller, params, view } = call;
    const found = await readOrganization(deps, caller, params.id ?? "");
    if (!found.ok) return refuseConsole(call, found.error, ORGANIZATIONS);
    const organization = found.value;
    const content = await READ_SECTION[section]({ deps, call, organization, acts: mayAct(caller), state });
    const { name } = organization;
    const title = section === "overview" ? name : view.t.directory.titleOf(sectionName(view.t, section), name);
    const body = (
      <OrganizationFrame organization={organization} section={section} logo={await logoOf(deps, organization.id)}>
        {content}
      </OrganizationFrame>
    );
    const islands = ["confirm", "local-times", "selection"] as const;
    const done = resultOf(view, call.result);
    return showConsole(call, { at: ORGANIZATIONS, inside: true, title, body, done, islands, ...parts });
  };
  return consolePage(deps, {
    path: "/admin/organizations/:id",
    get: (call) => show(call, organizationSectionIn(call.query)),
    async post(call) {
      const found = await readOrganization(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, ORGANIZATIONS);
      const step = call.form.text("step");
      const section = sectionOfStep(step);
      const place = organizationPath(found.value.id, section);
      const selection = selectionOf(deps, call, found.value, step);
      if (selection) return await postSelection(call, { selection, at: ORGANIZATIONS, place });
      const outcome = await act(deps, call, found.value);
      if (outcome.ok) return seeResult(place, outcome.value);
      const state = await refusedState(deps, call, step, outcome.error);
      if (state) return await show(call, section, state, refusedParts(outcome.error));
      return refuseConsole(call, outcome.error, place, problemMessages(call, step));
    },
  });
}

/** The path of the logo of an organization; undefined without a logo. */
async function logoOf(deps: SiteDeps, organizationId: string): Promise<string | undefined> {
  const brand = await resolveBrand(deps, { organizationId });
  const hash = brand?.logoHash ?? brand?.logoDarkHash;
  return hash === undefined ? undefined : logoPath(deps, hash);
}

/** The state of the form that displays its own problem; undefined for every other problem. */
async function refusedState(
  deps: OrganizationDeps,
  call: ConsoleCall,
  step: string,
  refused: Refusal,
): Promise<FormState | undefined> {
  const { form, view } = call;
  if (step === "invite") {
    const values = { email: form.text("email"), role: form.text("role") };
    if (refused.code === "conflict") return { values, errors: { email: view.t.directory.addressInUse } };
    return refused.code === "invalid_input" || refused.code === "rate_limited"
      ? refusedForm(view, refused, values)
      : undefined;
  }
  if (step === "pause" && refused.code === "invalid_input") {
    const { reasonHint } = view.t.ssoPolicy.console;
    return { values: { pause_reason: form.text("pause_reason") }, errors: { pause_reason: reasonHint } };
  }
  if (step === "transfer" && refused.code === "invalid_input") {
    const values = { id: form.text("id"), reason: form.text("reason") };
    return refusedForm(view, refused, values, {}, { reason: view.t.ssoConnections.console.reasonHint });
  }
  if (step !== "save" || (refused.code !== "conflict" && refused.code !== "invalid_input")) return undefined;
  return await refusedSettings(deps, call, refused);
}

/** The form with the submitted values; after a change by another administrator, also with the stored settings. */
async function refusedSettings(deps: OrganizationDeps, call: ConsoleCall, refused: Refusal): Promise<FormState> {
  const { admin: caller, form, params, view } = call;
  const values = Object.fromEntries(["name", "tier", "version"].map((name) => [name, form.text(name)]));
  const found = refused.code === "conflict" ? await readOrganization(deps, caller, params.id ?? "") : undefined;
  if (!found?.ok) return refusedForm(view, refused, values);
  const { name, tier } = found.value;
  return changedForm(view, values, { name, tier });
}

function problemMessages({ view: { t } }: ConsoleCall, step: string) {
  if (step === "transfer") return { conflict: t.ssoConnections.console.noConflict };
  if (step === "resend" || step === "revoke") return { conflict: t.team.used };
  if (step === "role" || step === "remove")
    return { conflict: t.directory.lastOwner, forbidden: t.directory.higherRole };
  return { forbidden: t.organizations.higherRole };
}

/** `/admin/organizations/:id/confirm`: asks before a suspension, a removal of a member, a revocation. */
export function confirmOrganizationPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/organizations/:id/confirm",
    async get(call) {
      const found = await readOrganization(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, ORGANIZATIONS);
      const step = call.query.text("step") || "suspend";
      const place = organizationPath(found.value.id, sectionOfStep(step));
      const question = await questionOf(deps, call, found.value, step);
      if (!question) return refuseConsole(call, NOTHING_THERE, place);
      const id = step === "suspend" || question.rows ? undefined : uuidIn(call.query.text("id"));
      return confirmationPage(call, { at: ORGANIZATIONS, place, step, id, ...question });
    },
  });
}

/** Undefined for an unknown step, member or invitation. */
async function questionOf(
  deps: SignedInUserDeps,
  { admin, query, view }: ConsoleCall,
  { id: organizationId, name }: Organization,
  step: string,
): Promise<Question | undefined> {
  const { t } = view;
  const caller = organizationCallerOf(admin, organizationId);
  const id = uuidIn(query.text("id"));
  switch (step) {
    case "suspend": {
      const { suspendTitle, suspendText, suspend } = t.organizations;
      return { title: suspendTitle(name), text: suspendText, action: suspend, typedName: name };
    }
    case "remove": {
      const member = await findOrganizationMember(deps, caller, id);
      if (!member) return undefined;
      const title = t.team.removeTitle(member.displayName ?? member.email);
      return { title, text: t.team.removeText, action: t.directory.remove };
    }
    case "revoke": {
      const invitation = await readInvitation(deps, { caller, invitationId: id });
      if (!invitation.ok) return undefined;
      return { title: t.team.revokeTitle(invitation.value.email), text: t.team.revokeText, action: t.team.revoke };
    }
    case "remove-selected":
      return await askSelection(view, query, { step, nameOf: memberNames(deps, caller) });
    case "resend-selected":
    case "revoke-selected":
      return await askSelection(view, query, { step, nameOf: invitationNames(deps, caller) });
    default:
      return undefined;
  }
}
