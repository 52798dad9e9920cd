/** The actions of `/admin/oauth-clients/:id`. */
import {
  type AdministerClientsDeps,
  addSecret,
  changeClient,
  changeDisplayedClient,
  removeClient,
  removeSecret,
} from "../../../flows/oauth/clients/administer-clients.ts";
import { OAUTH_CLIENT_END_IDLE_SECONDS } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { actionsOf } from "../../action.ts";
import { asksStepUp } from "../../components/step-up-again.tsx";
import { seeResult, uuidIn } from "../../page.ts";
import { changedForm } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { platformCaller, steppedUpAdmin, type TargetInput } from "../console-actions.tsx";
import { showConnect } from "./connect.tsx";
import { changeIn, refusedClient, valuesOfClient, valuesOfForm } from "./form.ts";
import { CLIENTS } from "./paths.ts";

export type ClientDeps = SignedInUserDeps & AdministerClientsDeps;
export type ClientInput = TargetInput<ClientDeps, OAuthClient>;

const { action, asks, confirmed } = actionsOf<ClientInput>();

/** The end of the tokens of an application takes time. */
async function mayEdit(input: ClientInput) {
  const caller = await steppedUpAdmin(input);
  if (caller.ok) input.call.waitAtMost(OAUTH_CLIENT_END_IDLE_SECONDS);
  return caller;
}

/** A change to a method with a secret displays the new secret once. */
export const saveClient = action({
  step: "save",
  may: mayEdit,
  async run({ deps, caller, client, fields, target: { id } }) {
    const change = changeIn(fields);
    if (!change.ok) return change;
    const displayedVersion = Number(fields.text("version"));
    return await changeDisplayedClient(deps, { caller, client, id, change: change.value, displayedVersion });
  },
  done: ["saved", ({ t }) => t.clients.saved],
  reply: ({ call, target }, { secret, client }) =>
    secret === undefined
      ? seeResult(`${CLIENTS}/${target.id}`, "saved")
      : showConnect(call, client, { secret, done: call.view.t.clients.saved }),
  /** A `conflict` concerns the version: another administrator has changed the application. */
  refused({ fields, target, view }, refusal) {
    const isOfForm = refusal.code === "invalid_input" || refusal.code === "conflict" || asksStepUp(refusal);
    if (!isOfForm) return undefined;
    const values = valuesOfForm(fields);
    if (refusal.code !== "conflict") return refusedClient(view, refusal, values);
    const { version: _, ...stored } = valuesOfClient(target);
    return changedForm(view, values, stored);
  },
});

export const disableClient = confirmed({
  step: "disable",
  may: mayEdit,
  question: asks(platformCaller, ({ target: { name }, view: { t } }) => {
    const { disable, disableText, disableTitle } = t.clients;
    return { title: disableTitle({ name }), text: disableText, action: disable, typedName: name };
  }),
  run: ({ deps, caller, client, target: { id } }) =>
    changeClient(deps, { caller, client, id, change: { disabled: true } }),
  done: ["disabled", ({ t }) => t.clients.disabledNow],
});

export const enableClient = action({
  step: "enable",
  may: mayEdit,
  run: ({ deps, caller, client, target: { id } }) =>
    changeClient(deps, { caller, client, id, change: { disabled: false } }),
  done: ["enabled", ({ t }) => t.clients.enabledNow],
});

export const addClientSecret = action({
  step: "add-secret",
  may: mayEdit,
  run: ({ deps, caller, client, target: { id } }) => addSecret(deps, { caller, client, id }),
  reply: ({ call }, { client, secret }) => showConnect(call, client, { secret: secret ?? "" }),
});

export const deleteSecret = confirmed({
  step: "delete-secret",
  hasItem: true,
  may: mayEdit,
  question: asks(platformCaller, ({ item, target: { name, secrets }, view: { dates, t } }) => {
    const secret = secrets.find(({ id }) => id === item);
    const { deleteSecret: text, deleteSecretText, deleteSecretTitle } = t.clients;
    return (
      secret && {
        title: deleteSecretTitle({ name, created: dates.exact(secret.createdAt) }),
        text: deleteSecretText,
        action: text,
      }
    );
  }),
  run: ({ deps, caller, client, item, target: { id } }) =>
    removeSecret(deps, { caller, client, id, secretId: uuidIn(item) }),
  done: ["secret-deleted", ({ t }) => t.clients.secretDeleted],
});

export const deleteClient = confirmed({
  step: "delete",
  may: mayEdit,
  question: asks(platformCaller, ({ target: { name }, view: { t } }) => {
    const { remove, removeText, removeTitle } = t.clients;
    return { title: removeTitle({ name }), text: removeText, action: remove, typedName: name };
  }),
  run: ({ deps, caller, client, target: { id } }) => removeClient(deps, { caller, client, id }),
  done: ["deleted", ({ t }) => t.clients.deleted],
  doneAt: CLIENTS,
});

export const clientActions = { saveClient, disableClient, enableClient, addClientSecret, deleteSecret, deleteClient };
