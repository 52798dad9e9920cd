import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { clampPage } from "../../../database/listing.ts";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { createInvitation } from "../../../flows/invitations/create.ts";
import { findOrganizationOf, searchOrganizations } from "../../../flows/organizations/search.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { authorizePlatformRole } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { grantsPower } from "../../../flows/steps/authorization/grants-power.ts";
import { requireStepUp } from "../../../flows/steps/sessions/step-up.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Problem } from "../../components/notices.tsx";
import { Tabs } from "../../components/tabs.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { memberRoleIn } from "../../organization-actions.ts";
import { type Page, pathWith, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { RoleField } from "../organizations/invitations-section.tsx";
import { organizationPath } from "../organizations/sections.tsx";
import {
  createFromForm,
  creationValues,
  isCreation,
  NEW_USER,
  NewAccountForm,
  refusedCreation,
  SLUG,
  WAY,
} from "./account-form.tsx";
import { USERS } from "./list.ts";
import { userPath } from "./sections.tsx";

/** Organizations that the field offers; every other organization is found by its slug. */
const OFFERED = clampPage(1, 100);
const KEPT = ["email", SLUG, "role"] as const;

type NewUserDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

interface BodyProps {
  readonly organizations: readonly Organization[];
  readonly state: FormState;
  /** Whether the form creates the user without an invitation. */
  readonly creates: boolean;
}

function NewUserBody({ organizations, state, creates }: BodyProps) {
  const { t } = useView();
  const { byInvitation, withoutInvitation } = t.directory;
  return (
    <>
      <SubPageHead
        above={[{ href: USERS, text: t.users.title }]}
        title={t.directory.newUser}
        lead={creates ? t.directory.newAccountLead : t.directory.newUserLead}
      />
      <Tabs
        label={t.directory.newUserWays}
        tabs={[
          { href: NEW_USER, text: byInvitation, isCurrent: !creates },
          { href: pathWith(NEW_USER, { [WAY]: "account" }), text: withoutInvitation, isCurrent: creates },
        ]}
      />
      <Problem state={state} />
      {creates ? <NewAccountForm state={state} /> : <InvitationForm state={state} />}
      <datalist id="organizations">
        {organizations.map(({ id, name, slug }) => (
          <option key={id} value={slug}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

function InvitationForm({ state }: Pick<BodyProps, "state">) {
  const { t } = useView();
  return (
    <Form action={NEW_USER} class="panel stack">
      <Field name="email" type="email" label={t.common.email} state={state} autofocus />
      <Field
        name={SLUG}
        label={t.directory.organization}
        hint={t.directory.organizationHint}
        state={state}
        list="organizations"
      />
      <RoleField selected={state.values?.role ?? "member"} />
      <Actions cancel={USERS}>
        <Button kind="primary">{t.directory.send}</Button>
      </Actions>
    </Form>
  );
}

/** The organization of the form; its invitations display the result. */
async function invite(
  deps: NewUserDeps,
  { admin, caller: { session }, form, client }: ConsoleCall,
): Promise<Result<string, Refusal | "no_organization">> {
  const organization = await findOrganizationOf(deps, admin, form.text(SLUG).trim());
  if (!organization) return err("no_organization");
  const caller = organizationCallerOf(admin, organization.id);
  const [email, role] = [form.text("email"), memberRoleIn(form)];
  const steppedUp = grantsPower(role) ? requireStepUp(deps, session) : ok(undefined);
  if (!steppedUp.ok) return steppedUp;
  const invited = await createInvitation(deps, { caller, email, role, client });
  return invited.ok ? { ok: true, value: organization.id } : invited;
}

/** `/admin/users/new`: invites a user into an organization, or creates a user without an invitation. */
export function newUserPage(deps: NewUserDeps): Page {
  const show = async (call: ConsoleCall, creates: boolean, state: FormState, parts: DisplayedParts = {}) => {
    const { admin: caller, view } = call;
    const listed = await searchOrganizations(deps, { caller, search: { suspended: false }, page: OFFERED });
    const body = <NewUserBody organizations={listed.ok ? listed.value.items : []} state={state} creates={creates} />;
    return showConsole(call, { at: USERS, inside: true, title: view.t.directory.newUser, body, ...parts });
  };
  const create = async (call: ConsoleCall) => {
    const created = await createFromForm(deps, call);
    if (created.ok) return seeResult(userPath(created.value.userId), created.value.result);
    const state = refusedCreation(call.view, created.error, creationValues(call.form));
    return await show(call, true, state, refusedParts(created.error));
  };
  const sendInvitation = async (call: ConsoleCall) => {
    const { form, view } = call;
    const outcome = await invite(deps, call);
    if (outcome.ok) return seeResult(organizationPath(outcome.value, "invitations"), "invited");
    const values = Object.fromEntries(KEPT.map((name) => [name, form.text(name)]));
    const { noSuchOrganization, addressInUse } = view.t.directory;
    if (outcome.error === "no_organization")
      return await show(call, false, { values, errors: { [SLUG]: noSuchOrganization } }, { status: 400 });
    const state =
      outcome.error.code === "conflict"
        ? { values, errors: { email: addressInUse } }
        : refusedForm(view, outcome.error, values);
    return await show(call, false, state, refusedParts(outcome.error));
  };
  return consolePage(deps, {
    path: NEW_USER,
    async get(call) {
      const acts = await authorizePlatformRole(deps, call.caller.session, "admin");
      if (!acts.ok) return refuseConsole(call, acts.error, NEW_USER);
      return await show(call, isCreation(call.query), { values: { [SLUG]: call.query.text(SLUG) } });
    },
    post: (call) => (isCreation(call.form) ? create(call) : sendInvitation(call)),
  });
}
