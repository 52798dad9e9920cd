import type { Refusal } from "../../../base/problem.ts";
import { isUuid, NIL_UUID } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import {
  type AdministerClientsDeps,
  addSecret,
  changeClient,
  changeDisplayedClient,
  readClient,
  removeClient,
  removeSecret,
} from "../../../flows/oauth-provider/administer-clients.ts";
import { identityOf } from "../../../flows/oauth-provider/client-identity.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { Reply } from "../../../http/reply.ts";
import { OAUTH_CLIENT_END_IDLE_SECONDS } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { applicationName } from "../../components/application.tsx";
import type { FormState } from "../../components/form.tsx";
import type { Question } from "../../components/question.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { NOTHING_THERE, type Page, seeResult, textAt } from "../../page.ts";
import { changedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import {
  type ConsoleCall,
  confirmationPage,
  consolePage,
  editPermission,
  refuseConsole,
  showConsole,
} from "../console.tsx";
import { showConnect } from "./connect.tsx";
import { changeIn, refusedClient, valuesOfClient, valuesOfForm } from "./form.ts";
import { CLIENTS } from "./page.tsx";
import { ClientBody } from "./view.tsx";

type ClientDeps = SignedInUserDeps & AdministerClientsDeps;

function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    created: t.clients.created,
    saved: t.clients.saved,
    disabled: t.clients.disabledNow,
    enabled: t.clients.enabledNow,
    "secret-deleted": t.clients.secretDeleted,
  };
  return textAt(texts, done);
}

/** `/admin/oauth-clients/:id`: settings, secrets, access. Editing needs a step-up, as in the API. */
export function oauthClientPage(deps: ClientDeps): Page {
  const show = async (call: ConsoleCall, client: OAuthClient, state: FormState = {}, parts: DisplayedParts = {}) => {
    const { view } = call;
    // The submitted values stay in the form.
    const may = state.values ? "edit" : await editPermission(deps, call);
    const needsStepUp = parts.refused?.code === "mfa_required";
    const done = resultOf(view, call.result);
    const body = <ClientBody client={client} may={may} state={state} needsStepUp={needsStepUp} />;
    const islands = ["confirm"] as const;
    return showConsole(call, {
      at: CLIENTS,
      inside: true,
      title: applicationName(view, identityOf(client)),
      body,
      done,
      islands,
      ...parts,
    });
  };
  return consolePage(deps, {
    path: "/admin/oauth-clients/:id",
    async get(call) {
      const found = await readClient(deps, call.admin, call.params.id ?? "");
      return found.ok ? await show(call, found.value) : refuseConsole(call, found.error, CLIENTS);
    },
    async post(call) {
      const found = await readClient(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, CLIENTS);
      const target = found.value;
      const place = `${CLIENTS}/${target.id}`;
      const isForm = call.form.text("step") === "save";
      const authorized = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const outcome = authorized.ok ? await act({ deps, call, caller: authorized.value, target }) : authorized;
      if (outcome.ok) return outcome.value;
      const { error } = outcome;
      if (isForm && (error.code === "invalid_input" || error.code === "conflict" || asksStepUp(error))) {
        return await show(call, target, stateOf(call, target, error), refusedParts(error));
      }
      return refuseConsole(call, error, place, { conflict: call.view.t.clients.twoSecrets });
    },
  });
}

/**
 * The form with the submitted values. A `conflict` concerns the version: another administrator has changed the
 * application.
 */
function stateOf({ form, view }: ConsoleCall, target: OAuthClient, error: Refusal): FormState {
  const values = valuesOfForm(form);
  if (error.code !== "conflict") return refusedClient(view, error, values);
  const { version: _, ...stored } = valuesOfClient(target);
  return changedForm(view, values, stored);
}

interface Acting {
  readonly deps: ClientDeps;
  readonly call: ConsoleCall;
  readonly caller: PlatformCaller;
  readonly target: OAuthClient;
}

/** Executes the action of the pressed button; returns the result to display or the redirect. */
async function act({ deps, call, caller, target }: Acting): Promise<Result<Reply, Refusal>> {
  const { form, client, waitAtMost } = call;
  waitAtMost(OAUTH_CLIENT_END_IDLE_SECONDS);
  const input = { caller, client, id: target.id };
  const place = `${CLIENTS}/${target.id}`;
  const after = (outcome: Result<unknown, Refusal>, location: string, done: string) =>
    outcome.ok ? ok(seeResult(location, done)) : outcome;
  const [step, secretId = ""] = form.text("step").split("/");
  switch (step) {
    case "save":
      return await save({ deps, call, caller, target });
    case "disable":
      return after(await changeClient(deps, { ...input, change: { disabled: true } }), place, "disabled");
    case "enable":
      return after(await changeClient(deps, { ...input, change: { disabled: false } }), place, "enabled");
    case "add-secret": {
      const added = await addSecret(deps, input);
      return added.ok ? ok(showConnect(call, added.value.client, { secret: added.value.secret ?? "" })) : added;
    }
    case "delete-secret": {
      const id = isUuid(secretId) ? secretId : NIL_UUID;
      return after(await removeSecret(deps, { ...input, secretId: id }), place, "secret-deleted");
    }
    case "delete":
      return after(await removeClient(deps, input), CLIENTS, "deleted");
    default:
      return err(NOTHING_THERE);
  }
}

/** Saves the form. A change to a method with a secret displays the new secret once. */
async function save({ deps, call, caller, target }: Acting): Promise<Result<Reply, Refusal>> {
  const { form, client, view } = call;
  const change = changeIn(form);
  if (!change.ok) return change;
  const displayedVersion = Number(form.text("version"));
  const input = { caller, client, id: target.id, change: change.value, displayedVersion };
  const saved = await changeDisplayedClient(deps, input);
  if (!saved.ok) return saved;
  const { secret, client: changed } = saved.value;
  if (secret !== undefined) return ok(showConnect(call, changed, { secret, done: view.t.clients.saved }));
  return ok(seeResult(`${CLIENTS}/${target.id}`, "saved"));
}

/** `/admin/oauth-clients/:id/confirm`: asks before tokens, a secret or the application itself end. */
export function confirmClientPage(deps: ClientDeps): Page {
  return consolePage(deps, {
    path: "/admin/oauth-clients/:id/confirm",
    async get(call) {
      const found = await readClient(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, CLIENTS);
      const { id, name, secrets } = found.value;
      const { dates } = call.view;
      const t = call.view.t.clients;
      const step = call.query.text("step");
      const [kind = "", secretId] = step.split("/");
      const secret = secrets.find((each) => each.id === secretId);
      const title = secret && t.deleteSecretTitle({ name, created: dates.exact(secret.createdAt) });
      const questions: Readonly<Record<string, Question>> = {
        disable: { title: t.disableTitle({ name }), text: t.disableText, action: t.disable, typedName: name },
        delete: { title: t.removeTitle({ name }), text: t.removeText, action: t.remove, typedName: name },
        ...(title ? { "delete-secret": { title, text: t.deleteSecretText, action: t.deleteSecret } } : {}),
      };
      const place = `${CLIENTS}/${id}`;
      const question = Object.hasOwn(questions, kind) ? questions[kind] : undefined;
      if (!question) return refuseConsole(call, NOTHING_THERE, place);
      return confirmationPage(call, { at: CLIENTS, place, step, ...question });
    },
  });
}
