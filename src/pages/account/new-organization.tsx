/** `/account/organizations/new`: creates a further organization of the user (docs/contract.md, section 34.4). */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { createOwnOrganization } from "../../flows/organizations/create-own.ts";
import type { SessionView } from "../../models/session/session.ts";
import { Actions, Button, Field, Form, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";

export const NEW_ORGANIZATION = "/account/organizations/new";
const ACCOUNT = "/account";

/** Whether the account page leads to a further organization: the operator permits own organizations. */
export function mayCreateOrganizations(
  { config }: Pick<Deps, "config">,
  { enrolmentOnly, organizationBound }: SessionView,
): boolean {
  return config.organizationsPerUser > 0 && !enrolmentOnly && !organizationBound;
}

function NewOrganizationForm({ state }: { readonly state: FormState }) {
  const { t } = useView();
  const { createAction, name, slug, slugHint } = t.organizations;
  return (
    <Form action={NEW_ORGANIZATION} class="panel stack">
      <Field name="organization_name" label={name} state={state} autocomplete="organization" autofocus />
      <Field name="slug" label={slug} hint={slugHint} state={state} optional />
      <Actions cancel={ACCOUNT}>
        <Button kind="primary">{createAction}</Button>
      </Actions>
    </Form>
  );
}

export function newOwnOrganizationPage(deps: SignedInUserDeps & StoreDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState = {}, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const { create } = view.t.organizations;
    const above = [{ href: ACCOUNT, text: view.t.shell.profile }];
    const body = (
      <Shell at={ACCOUNT} inside profile={profile}>
        <SubPageHead above={above} title={create} lead={view.t.ownOrganizations.lead} />
        <Problem state={state} />
        <NewOrganizationForm state={state} />
      </Shell>
    );
    return showPage(view, { title: create, body, ...parts });
  };
  return authenticatedPage({
    path: NEW_ORGANIZATION,
    get: (call) => show(call),
    async post(call) {
      const { caller, form, client } = call;
      const [organizationName, slug] = [form.text("organization_name"), form.text("slug")];
      const input = { session: caller.session, organizationName, slug: slug === "" ? undefined : slug, client };
      const created = await createOwnOrganization(deps, input);
      if (created.ok) return seeResult(ACCOUNT, "organization_created");
      const { view } = await signedInUser(deps, call);
      const values = { organization_name: organizationName, slug };
      const state = refusedForm(view, created.error, values, messagesOf(view, created.error), {
        slug: view.t.organizations.slugRule,
      });
      return await show(call, state, refusedParts(created.error));
    },
  });
}

function messagesOf({ t: { ownOrganizations } }: View, { reason }: Refusal) {
  const { taken, tooMany, unverified } = ownOrganizations;
  return { conflict: reason === "slug_taken" ? taken : tooMany, forbidden: unverified };
}
