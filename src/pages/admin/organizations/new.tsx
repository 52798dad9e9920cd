import type { SignInDeps } from "../../../deps.ts";
import { provisionOrganization } from "../../../flows/organizations/create.ts";
import { authorizePlatformRole } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { ProvisionForm } from "../../../http/schemas/provision.ts";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { NEW_PASSWORD_ISLANDS, NewPassword } from "../../components/new-password.tsx";
import { Problem } from "../../components/notices.tsx";
import type { DisplayedParts } from "../../html.tsx";
import type { Fields, Page } from "../../page.ts";
import { seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { ORGANIZATIONS } from "./page.tsx";
import { TierField } from "./settings.tsx";

const PATH = "/admin/organizations/new";
/** The values that a refused form keeps: never the password. */
const KEPT = ["organization_name", "organization_slug", "owner_email", "owner_display_name", "tier"] as const;

function NewOrganizationBody({ state }: { readonly state: FormState }) {
  const { t } = useView();
  return (
    <>
      <SubPageHead above={[{ href: ORGANIZATIONS, text: t.organizations.title }]} title={t.organizations.create} />
      <Problem state={state} />
      <Form action={PATH} class="panel stack">
        <Field name="organization_name" label={t.organizations.name} state={state} autofocus />
        <Field
          name="organization_slug"
          label={t.organizations.slug}
          hint={t.organizations.slugHint}
          state={state}
          optional
        />
        <TierField selected={state.values?.tier ?? ""} />
        <h2>{t.organizations.owner}</h2>
        <p class="soft">{t.organizations.ownerLead}</p>
        <Field name="owner_email" type="email" label={t.organizations.ownerEmail} state={state} />
        <Field name="owner_display_name" label={t.organizations.ownerName} state={state} optional />
        <NewPassword name="owner_password" label={t.organizations.ownerPassword} state={state} />
        <Actions cancel={ORGANIZATIONS}>
          <Button kind="primary">{t.organizations.createAction}</Button>
        </Actions>
      </Form>
    </>
  );
}

const validateBody = bodyValidator(ProvisionForm);

/** An empty field is an absent member. */
function membersOf(form: Fields): Record<string, string> {
  const names = [...KEPT, "owner_password"];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]).filter(([, value]) => value !== ""));
}

async function provision(deps: SignInDeps, { admin: caller, form, client }: ConsoleCall) {
  const valid = validateBody(membersOf(form));
  if (!valid.ok) return valid;
  const { value } = valid;
  const organization = {
    organizationName: value.organization_name,
    organizationSlug: value.organization_slug,
    email: value.owner_email,
    password: value.owner_password,
    displayName: value.owner_display_name,
  };
  return await provisionOrganization(deps, { caller, organization, tier: value.tier, client });
}

/** `/admin/organizations/new`: creates an organization with its first owner. */
export function newOrganizationPage(deps: SignInDeps & SignedInUserDeps): Page {
  const show = (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { create } = call.view.t.organizations;
    const body = <NewOrganizationBody state={state} />;
    const islands = NEW_PASSWORD_ISLANDS;
    return showConsole(call, { at: ORGANIZATIONS, inside: true, title: create, body, islands, ...parts });
  };
  return consolePage(deps, {
    path: PATH,
    async get(call) {
      const acts = await authorizePlatformRole(deps, call.caller.session, "admin");
      return acts.ok ? show(call, {}) : refuseConsole(call, acts.error, PATH);
    },
    async post(call) {
      const outcome = await provision(deps, call);
      if (outcome.ok) return seeResult(`${ORGANIZATIONS}/${outcome.value.organizationId}`, "created");
      const { form, view } = call;
      const values = Object.fromEntries(KEPT.map((name) => [name, form.text(name)]));
      const { taken, slugRule } = view.t.organizations;
      const state = refusedForm(view, outcome.error, values, { conflict: taken }, { organization_slug: slugRule });
      return show(call, state, refusedParts(outcome.error));
    },
  });
}
