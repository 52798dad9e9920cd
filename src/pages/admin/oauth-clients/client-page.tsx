import { readClient } from "../../../flows/oauth/clients/administer-clients.ts";
import { identityOf } from "../../../flows/oauth/clients/client-identity.ts";
import { resultText } from "../../action.ts";
import { applicationName } from "../../components/application.tsx";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, textAt } from "../../page.ts";
import { editPermission, showConsole } from "../console.tsx";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import { type ClientDeps, type ClientInput, clientActions } from "./client-actions.ts";
import { CLIENTS } from "./paths.ts";
import { ClientBody } from "./view.tsx";

/** `/admin/oauth-clients/:id`: settings, secrets, access. Editing needs a step-up, as in the API. */
export function oauthClientPages(deps: ClientDeps): readonly Page[] {
  return targetPages(deps, {
    path: "/admin/oauth-clients/:id",
    confirm: { path: "/admin/oauth-clients/:id/confirm" },
    list: CLIENTS,
    read: ({ call: { admin, params } }) => readClient(deps, admin, params.id ?? ""),
    frame: consoleFrame(CLIENTS),
    actions: clientActions,
    place: ({ target }) => `${CLIENTS}/${target.id}`,
    problems: ({ t }) => ({ conflict: t.clients.twoSecrets }),
    get: show,
    show,
  });
}

async function show({ deps, call, target }: ClientInput, state: FormState = {}, parts: DisplayedParts = {}) {
  const { view } = call;
  // The submitted values stay in the form.
  const may = state.values ? "edit" : await editPermission(deps, call);
  const body = <ClientBody client={target} may={may} state={state} needsStepUp={asksStepUp(parts.refused)} />;
  const { created } = view.t.clients;
  const done = resultText(view, clientActions, call.result) ?? textAt({ created }, call.result);
  const title = applicationName(view, identityOf(target));
  return showConsole(call, { at: CLIENTS, inside: true, title, body, done, islands: ["confirm"], ...parts });
}
