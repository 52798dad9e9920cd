import { readResource } from "../../../flows/oauth/resources/administer-resources.ts";
import { resultText } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, textAt } from "../../page.ts";
import { editPermission, showConsole } from "../console.tsx";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import { type ResourceDeps, type ResourceInput, resourceActions } from "./actions.ts";
import { RESOURCES, resourcePath } from "./paths.ts";
import { ResourceBody } from "./view.tsx";

/** `/admin/resources/:id`: scopes, name, access. Editing needs a step-up, as in the API. */
export function resourcePages(deps: ResourceDeps): readonly Page[] {
  return targetPages(deps, {
    path: "/admin/resources/:id",
    confirm: { path: "/admin/resources/:id/confirm" },
    list: RESOURCES,
    read: ({ call: { admin, params } }) => readResource(deps, admin, params.id ?? ""),
    frame: consoleFrame(RESOURCES),
    actions: resourceActions,
    place: ({ target }) => resourcePath(target),
    problems: ({ t }) => ({ conflict: t.resources.changedMeanwhile }),
    get: show,
    show,
  });
}

async function show({ deps, call, target }: ResourceInput, state: FormState = {}, parts: DisplayedParts = {}) {
  const { view } = call;
  // The submitted values stay in the form.
  const may = state.values ? "edit" : await editPermission(deps, call);
  // The pages of a new API and of a scope lead here.
  const { created, scopeSaved } = view.t.resources;
  const others = { created, "scope-saved": scopeSaved };
  const done = resultText(view, resourceActions, call.result) ?? textAt(others, call.result);
  const body = <ResourceBody resource={target} may={may} state={state} needsStepUp={asksStepUp(parts.refused)} />;
  const islands = ["confirm"] as const;
  return showConsole(call, { at: RESOURCES, inside: true, title: target.name, body, done, islands, ...parts });
}
