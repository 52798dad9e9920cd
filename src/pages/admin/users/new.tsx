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
import type { DisplayedParts } from "../../html.tsx";
import { memberRoleIn } from "../../organization-actions.ts";
import { type Page, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { RoleField } from "../organizations/invitations-section.tsx";
import { organizationPath } from "../organizations/sections.tsx";
import { USERS } from "./list.ts";

const PATH = "/admin/users/new";
/** Organizations that the field offers; every other organization is found by its slug. */
const OFFERED = clampPage(1, 100);
/** `organization` is a hidden field of each form (`Form`). */
const SLUG = "organization_slug";
const KEPT = ["email", SLUG, "role"] as const;

type NewUserDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

interface BodyProps {
  readonly organizations: readonly Organization[];
  readonly state: FormState;
}

function NewUserBody({ organizations, state }: BodyProps) {
  const { t } = useView();
  return (
    <>
      <SubPageHead
        above={[{ href: USERS, text: t.users.title }]}
        title={t.directory.newUser}
        lead={t.directory.newUserLead}
      />
      <Problem state={state} />
      <Form action={PATH} class="panel stack">
        <Field name="email" type="email" label={t.common.email} state={state} autofocus />
        <Field
          name={SLUG}
          label={t.directory.organization}
          hint={t.directory.organizationHint}
          state={state}
          list="organizations"
        />
        <datalist id="organizations">
          {organizations.map(({ id, name, slug }) => (
            <option key={id} value={slug}>
              {name}
            </option>
          ))}
        </datalist>
        <RoleField selected={state.values?.role ?? "member"} />
        <Actions cancel={USERS}>
          <Button kind="primary">{t.directory.send}</Button>
        </Actions>
      </Form>
    </>
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

/** `/admin/users/new`: invites a user into an organization. */
export function newUserPage(deps: NewUserDeps): Page {
  const show = async (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { admin: caller, view } = call;
    const listed = await searchOrganizations(deps, { caller, search: { suspended: false }, page: OFFERED });
    const body = <NewUserBody organizations={listed.ok ? listed.value.items : []} state={state} />;
    return showConsole(call, { at: USERS, inside: true, title: view.t.directory.newUser, body, ...parts });
  };
  return consolePage(deps, {
    path: PATH,
    async get(call) {
      const acts = await authorizePlatformRole(deps, call.caller.session, "admin");
      if (!acts.ok) return refuseConsole(call, acts.error, PATH);
      return await show(call, { values: { [SLUG]: call.query.text(SLUG) } });
    },
    async post(call) {
      const { form, view } = call;
      const outcome = await invite(deps, call);
      if (outcome.ok) return seeResult(organizationPath(outcome.value, "invitations"), "invited");
      const values = Object.fromEntries(KEPT.map((name) => [name, form.text(name)]));
      const { noSuchOrganization, addressInUse } = view.t.directory;
      if (outcome.error === "no_organization") {
        return await show(call, { values, errors: { [SLUG]: noSuchOrganization } }, { status: 400 });
      }
      const state =
        outcome.error.code === "conflict"
          ? { values, errors: { email: addressInUse } }
          : refusedForm(view, outcome.error, values);
      return await show(call, state, refusedParts(outcome.error));
    },
  });
}
