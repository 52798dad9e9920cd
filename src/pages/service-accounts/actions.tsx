/** The actions of the forms for service accounts and webhooks, for organizations and for the platform. */
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { createApiKey, listKeys, revokeKey } from "../../flows/service-accounts/keys.ts";
import { createServiceAccount, findManagedAccount, removeServiceAccount } from "../../flows/service-accounts/manage.ts";
import {
  authorizeServiceAccountAdmin,
  authorizeServiceAccountReader,
} from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { resendDelivery, testWebhook } from "../../flows/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  findManagedWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookFlowDeps,
} from "../../flows/webhooks/manage.ts";
import { recoverWebhook, resendFailed } from "../../flows/webhooks/recover.ts";
import type { Reply } from "../../http/reply.ts";
import { KEY_SCOPES } from "../../vocabulary/key-scope.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import type { FramedPage } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { OneTimeSecretView } from "../components/one-time-secret.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { Fields } from "../fields.ts";
import { uuidIn } from "../page.ts";
import { type ProblemMessages, refusedForm } from "../problem-messages.ts";
import type { SignedInUser, SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { keyIn } from "./key-input.ts";
import { type CollectionPermission, collectionScope, type ServiceAccountScope, webhooksPath } from "./place.ts";
import { chosenIn, displayedKey, scopeField } from "./view-model.ts";

export type ServiceAccountDeps = SignedInUserDeps & SessionDeps & WebhookFlowDeps & Pick<Deps, "reads">;

/** The request of the page of an organization, or of the platform. */
export interface ServiceAccountInput extends ActionInput {
  readonly deps: ServiceAccountDeps;
  readonly basePath: ServiceAccountScope;
  /** Null: the platform. */
  readonly organizationId: string | null;
  readonly canEdit: boolean;
  readonly display: (user: SignedInUser, page: FramedPage) => Reply;
}

const { action, asks, confirmed } = actionsOf<ServiceAccountInput>();

const mayManage =
  (permission: CollectionPermission) =>
  ({ deps, call, organizationId }: ServiceAccountInput) =>
    authorizeServiceAccountAdmin(deps, call.caller, collectionScope(organizationId, permission));
const mayRead =
  (permission: CollectionPermission) =>
  ({ deps, call, organizationId }: ServiceAccountInput) =>
    authorizeServiceAccountReader(deps, call.caller, collectionScope(organizationId, permission));

type Problems = (view: View) => ProblemMessages;
const tooMany: Problems = ({ t }) => ({ conflict: t.serviceAccounts.tooMany });
const tooManyKeys: Problems = ({ t }) => ({ conflict: t.serviceAccounts.tooManyKeys });
/** A webhook that is off sends nothing. */
const isOff: Problems = ({ t }) => ({ conflict: t.serviceAccounts.switchOnFirst });

const FORM_FIELDS = [
  "step",
  "id",
  "name",
  "url",
  "event_types",
  "days",
  "organizations",
  ...KEY_SCOPES.map(scopeField),
];

/** The messages of an action, and the form with the submitted values for a refusal that the page displays. */
function withProblems(problems: Problems) {
  const refused = ({ fields, view }: { readonly fields: Fields; readonly view: View }, refusal: Refusal) => {
    if (!["invalid_input", "conflict", "mfa_required"].includes(refusal.code)) return undefined;
    const sent = FORM_FIELDS.filter((name) => fields.has(name));
    const values = Object.fromEntries(sent.map((name) => [name, fields.all(name).join(" ")]));
    const state: FormState = asksStepUp(refusal)
      ? { values }
      : refusedForm(view, refusal, values, problems(view), {
          organizations: view.t.serviceAccounts.reachUnknown,
        });
    return state;
  };
  return { problems, refused };
}

const ofAccounts = { may: mayManage("machines.manage"), ...withProblems(tooMany) };
const ofWebhooks = { may: mayManage("webhooks.manage"), ...withProblems(tooMany) };
const sending = { may: mayManage("webhooks.manage"), ...withProblems(isOff) };
/** An action that adds a credential or takes data out (docs/contract.md, section 3.9). */
const stepUp = () => true;

export const createAccount = action({
  step: "create-account",
  ...ofAccounts,
  run: ({ deps, caller, client, fields }) => createServiceAccount(deps, { caller, name: fields.text("name"), client }),
  done: ["account", ({ t }) => t.serviceAccounts.accountCreated],
});

export const deleteAccount = confirmed({
  step: "delete-account",
  ...ofAccounts,
  question: asks(mayRead("machines.manage"), async ({ deps, caller, fields, view: { t } }) => {
    const account = await findManagedAccount(deps, caller, idsIn(fields)[0]);
    const { deleteAccount: text, deleteAccountText, deleteAccountTitle } = t.serviceAccounts;
    if (!account.ok) return undefined;
    return { title: deleteAccountTitle({ name: account.value.name }), text: deleteAccountText, action: text };
  }),
  run: ({ deps, caller, client, fields }) =>
    removeServiceAccount(deps, { caller, accountId: idsIn(fields)[0], client }),
  done: ["account-deleted", ({ t }) => t.serviceAccounts.accountDeleted],
});

export const createKey = action({
  step: "create-key",
  ...ofAccounts,
  ...withProblems(tooManyKeys),
  stepUp,
  async run({ deps, caller, client, fields }) {
    const key = await keyIn(deps, caller, fields);
    return key.ok ? await createApiKey(deps, { ...key.value, caller, accountId: idsIn(fields)[0], client }) : key;
  },
  reply: (request, { key }) => displaySecret(request, "keyTitle", key, request.basePath),
});

export const revokeAccountKey = confirmed({
  step: "revoke-key",
  ...ofAccounts,
  question: asks(mayRead("machines.manage"), async ({ deps, caller, fields, view }) => {
    const [accountId, keyId] = idsIn(fields);
    const keys = await listKeys(deps, { caller, accountId });
    const key = keys.ok ? keys.value.find(({ id }) => id === keyId) : undefined;
    const { revokeKey: text, revokeKeyText, revokeKeyTitle } = view.t.serviceAccounts;
    return key && { title: revokeKeyTitle({ key: displayedKey(view, key) }), text: revokeKeyText, action: text };
  }),
  run({ deps, caller, client, fields }) {
    const [accountId, keyId] = idsIn(fields);
    return revokeKey(deps, { caller, accountId, keyId, client });
  },
  done: ["key-revoked", ({ t }) => t.serviceAccounts.keyRevoked],
});

export const createHook = action({
  step: "create-webhook",
  ...ofWebhooks,
  stepUp,
  run({ deps, caller, client, fields }) {
    const eventTypes = eventTypesIn(fields);
    if (eventTypes.length === 0) return err(NO_EVENT_TYPES);
    return createWebhook(deps, { caller, url: fields.text("url"), eventTypes, enabled: true, client });
  },
  reply: (request, { secret }) => displaySecret(request, "secretTitle", secret, webhooksPath(request.basePath)),
});

export const changeHook = action({
  step: "change-webhook",
  ...ofWebhooks,
  stepUp,
  run({ deps, caller, client, fields }) {
    const change = { url: fields.text("url"), eventTypes: eventTypesIn(fields), enabled: undefined };
    if (change.eventTypes.length === 0) return err(NO_EVENT_TYPES);
    return changeWebhook(deps, { caller, webhookId: idsIn(fields)[0], change, client });
  },
  done: ["webhook-changed", ({ t }) => t.serviceAccounts.webhookChanged],
});

export const rotateHookSecret = confirmed({
  step: "rotate-secret",
  ...ofWebhooks,
  stepUp,
  question: asks(mayRead("webhooks.manage"), async ({ deps, caller, fields, basePath, view: { t } }) => {
    const webhook = await findManagedWebhook(deps, { caller, webhookId: idsIn(fields)[0] });
    if (!webhook.ok) return undefined;
    const { newSecret, newSecretText: text, newSecretTitle } = t.serviceAccounts;
    return {
      title: newSecretTitle({ url: webhook.value.url }),
      text,
      action: newSecret,
      place: webhooksPath(basePath),
    };
  }),
  run: ({ deps, caller, client, fields }) => rotateSecret(deps, { caller, webhookId: idsIn(fields)[0], client }),
  reply: (request, { secret }) => displaySecret(request, "secretTitle", secret, webhooksPath(request.basePath)),
});

export const switchOn = action({
  step: "switch-on",
  ...ofWebhooks,
  stepUp,
  run: ({ deps, caller, client, fields }) =>
    changeWebhook(deps, { caller, webhookId: idsIn(fields)[0], change: { ...UNCHANGED, enabled: true }, client }),
  done: ["on", ({ t }) => t.serviceAccounts.switchedOn],
});

export const switchOff = action({
  step: "switch-off",
  ...ofWebhooks,
  run: ({ deps, caller, client, fields }) =>
    changeWebhook(deps, { caller, webhookId: idsIn(fields)[0], change: { ...UNCHANGED, enabled: false }, client }),
  done: ["off", ({ t }) => t.serviceAccounts.switchedOff],
});

export const testHook = action({
  step: "test-webhook",
  ...sending,
  run: ({ deps, caller, client, fields }) => testWebhook(deps, { caller, webhookId: idsIn(fields)[0], client }),
  done: ["tested", ({ t }) => t.serviceAccounts.tested],
});

export const deleteHook = confirmed({
  step: "delete-webhook",
  ...ofWebhooks,
  question: asks(mayRead("webhooks.manage"), async ({ deps, caller, fields, basePath, view: { t } }) => {
    const webhook = await findManagedWebhook(deps, { caller, webhookId: idsIn(fields)[0] });
    if (!webhook.ok) return undefined;
    const { deleteWebhook, deleteWebhookText: text, deleteWebhookTitle } = t.serviceAccounts;
    return {
      title: deleteWebhookTitle({ url: webhook.value.url }),
      text,
      action: deleteWebhook,
      place: webhooksPath(basePath),
    };
  }),
  run: ({ deps, caller, client, fields }) => removeWebhook(deps, { caller, webhookId: idsIn(fields)[0], client }),
  done: ["webhook-deleted", ({ t }) => t.serviceAccounts.webhookDeleted],
});

export const resendOne = action({
  step: "resend",
  ...sending,
  run({ deps, caller, client, fields }) {
    const [webhookId, eventId] = idsIn(fields);
    return resendDelivery(deps, { caller, webhookId, eventId, client });
  },
  done: ["resent", ({ t }) => t.serviceAccounts.resent],
});

export const resendAll = action({
  step: "resend-failed",
  ...sending,
  run: ({ deps, caller, client, fields }) =>
    resendFailed(deps, { caller, webhookId: idsIn(fields)[0], since: undefined, until: undefined, client }),
  done: ["repeated", ({ t }) => t.serviceAccounts.repeated],
});

export const recoverDay = action({
  step: "recover-day",
  ...sending,
  run({ deps, caller, client, fields }) {
    const since = new Date(deps.clock.now() - DAY_MS).toISOString();
    return recoverWebhook(deps, { caller, webhookId: idsIn(fields)[0], since, until: undefined, client });
  },
  done: ["repeated", ({ t }) => t.serviceAccounts.repeated],
});

export const serviceAccountActions = {
  ...{ createAccount, deleteAccount, createKey, revokeAccountKey },
  ...{ createHook, changeHook, rotateHookSecret, switchOn, switchOff, testHook, deleteHook },
  ...{ resendOne, resendAll, recoverDay },
};

const UNCHANGED = { url: undefined, eventTypes: undefined };
const NO_EVENT_TYPES = invalidInput("event_types", "required", "at least one");

/** The ids of the form; a slash separates the id of a child object. */
function idsIn(fields: Fields): readonly [string, string] {
  const [first = "", second = ""] = fields.text("id").split("/");
  return [uuidIn(first), uuidIn(second)];
}

/** The ticked events; a field with several names, separated by spaces, is accepted too. */
function eventTypesIn(fields: Fields): readonly string[] {
  return [...chosenIn(fields.all("event_types").join(" "))];
}

/** Only the response to the form contains the text of a key or secret. `next`: the page that follows. */
async function displaySecret(
  { display, user }: Pick<ServiceAccountInput, "display"> & { readonly user: () => Promise<SignedInUser> },
  name: "keyTitle" | "secretTitle",
  secret: string,
  next: string,
): Promise<Reply> {
  const reader = await user();
  const title = reader.view.t.serviceAccounts[name];
  const body = <OneTimeSecretView title={title} secret={secret} next={next} />;
  return display(reader, { title, body, inside: true, islands: ["recovery-codes"] });
}
