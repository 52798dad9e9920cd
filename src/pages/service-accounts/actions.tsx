/** The actions of the forms for service accounts and webhooks, for organizations and for the platform. */
import { invalidInput } from "../../base/invalid-input.ts";
import { err } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import { createApiKey, listKeys, revokeKey } from "../../flows/service-accounts/keys.ts";
import { createServiceAccount, findManagedAccount, removeServiceAccount } from "../../flows/service-accounts/manage.ts";
import { resendDelivery, testWebhook } from "../../flows/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  findManagedWebhook,
  removeWebhook,
  rotateSecret,
} from "../../flows/webhooks/manage.ts";
import { recoverWebhook, resendFailed } from "../../flows/webhooks/recover.ts";
import type { Reply } from "../../http/reply.ts";
import { OneTimeSecretView } from "../components/one-time-secret.tsx";
import type { Fields } from "../fields.ts";
import type { SignedInUser } from "../signed-in-user.ts";
import {
  action,
  asks,
  confirmed,
  idsIn,
  mayManage,
  mayRead,
  type Problems,
  type ServiceAccountInput,
  stepUp,
  withProblems,
} from "./action-parts.ts";
import { keyIn } from "./key-input.ts";
import { webhooksPath } from "./place.ts";
import { createTrustAction, deleteTrust, disableTrust, enableTrust, testTrust } from "./trust-actions.tsx";
import { chosenIn, displayedKey } from "./view-model.ts";

const tooMany: Problems = ({ t }) => ({ conflict: t.serviceAccounts.tooMany });
const tooManyKeys: Problems = ({ t }) => ({ conflict: t.serviceAccounts.tooManyKeys });
/** A webhook that is off sends nothing. */
const isOff: Problems = ({ t }) => ({ conflict: t.serviceAccounts.switchOnFirst });

const ofAccounts = { may: mayManage("machines.manage"), ...withProblems(tooMany) };
const ofWebhooks = { may: mayManage("webhooks.manage"), ...withProblems(tooMany) };
const sending = { may: mayManage("webhooks.manage"), ...withProblems(isOff) };

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
  ...{ createTrustAction, deleteTrust, disableTrust, enableTrust, testTrust },
  ...{ createHook, changeHook, rotateHookSecret, switchOn, switchOff, testHook, deleteHook },
  ...{ resendOne, resendAll, recoverDay },
};

const UNCHANGED = { url: undefined, eventTypes: undefined };
const NO_EVENT_TYPES = invalidInput("event_types", "required", "at least one");

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
