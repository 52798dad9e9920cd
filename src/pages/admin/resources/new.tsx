import type { Refusal } from "../../../base/problem.ts";
import { type AdministerResourcesDeps, createResource } from "../../../flows/oauth/resources/administer-resources.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { resourceSettingsOf } from "../../../http/oauth/oauth-resource-settings.ts";
import { CreateOAuthResource } from "../../../http/schemas/oauth-resources.ts";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Problem } from "../../components/notices.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Fields, type Page, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView, type View } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { API_PRODUCTS, RESOURCES } from "./paths.ts";

const PATH = "/admin/resources/new";

function NewResourceBody({ state, needsStepUp }: { readonly state: FormState; readonly needsStepUp: boolean }) {
  const { t } = useView();
  const { title, create, name, identifier, identifierHint, createAction } = t.resources;
  return (
    <>
      <SubPageHead above={[{ href: RESOURCES, text: title }]} title={create} />
      <p>
        <a class="button" href={API_PRODUCTS}>
          {t.clients.products.action}
        </a>
      </p>
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={RESOURCES} />
      <Form action={PATH} class="panel stack">
        <Field name="name" label={name} state={state} maxlength={120} autofocus />
        <Field name="identifier" label={identifier} hint={identifierHint} state={state} maxlength={500} />
        <Actions cancel={RESOURCES}>
          <Button kind="primary">{createAction}</Button>
        </Actions>
      </Form>
    </>
  );
}

const validateNew = bodyValidator(CreateOAuthResource);

/** `/admin/resources/new`: registers an API; its page takes the scopes. */
export function newResourcePage(deps: AdministerResourcesDeps & SignedInUserDeps): Page {
  const show = (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { create: title } = call.view.t.resources;
    const body = <NewResourceBody state={state} needsStepUp={parts.refused?.code === "mfa_required"} />;
    return showConsole(call, { at: RESOURCES, inside: true, title, body, ...parts });
  };
  return consolePage(deps, {
    path: PATH,
    async get(call) {
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      return acts.ok ? show(call, {}) : refuseConsole(call, acts.error, PATH);
    },
    async post(call) {
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const { form, client, view } = call;
      const refuse = (error: Refusal) => show(call, refusedResource(view, error, form), refusedParts(error));
      if (!acts.ok) return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, PATH);
      const body = validateNew(valuesOf(form));
      const created = body.ok
        ? await createResource(deps, { caller: acts.value, client, settings: resourceSettingsOf(body.value) })
        : body;
      return created.ok ? seeResult(`${RESOURCES}/${created.value.id}`, "created") : refuse(created.error);
    },
  });
}

function valuesOf(form: Fields): Record<string, string> {
  return { name: form.text("name"), identifier: form.text("identifier").trim() };
}

function refusedResource(view: View, refusal: Refusal, form: Fields): FormState {
  const values = valuesOf(form);
  const { full, rules, taken } = view.t.resources;
  if (refusal.code === "mfa_required") return { values };
  if (refusal.reason === "identifier_taken") return { values, errors: { identifier: taken } };
  return refusedForm(view, refusal, values, { conflict: full }, rules);
}
