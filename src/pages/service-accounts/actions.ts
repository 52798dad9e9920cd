/** The actions of the forms for service accounts and webhooks, for organizations and for the platform. */
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { createApiKey, KEY_SCOPES, revokeKey } from "../../flows/service-accounts/keys.ts";
import { createServiceAccount, removeServiceAccount } from "../../flows/service-accounts/manage.ts";
import {
  authorizeServiceAccountAdmin,
  type ServiceAccountAdmin,
} from "../../flows/steps/authorization/authorize-service-accounts.ts";

import { requireStepUp } from "../../flows/steps/sign-in/step-up.ts";
import { resendDelivery, testWebhook } from "../../flows/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookFlowDeps,
} from "../../flows/webhooks/manage.ts";
import { recoverWebhook, resendFailed } from "../../flows/webhooks/recover.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { type AuthenticatedCall, NOTHING_THERE, textAt, uuidIn } from "../page.ts";
import { type ProblemMessages, refusedForm } from "../problem-messages.ts";
import type { SignedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { collectionScope, permissionOfStep } from "./place.ts";
import { KEY_DAYS_MAX, scopeField } from "./view-model.ts";
import { chosenIn } from "./webhook-form.tsx";

export type ServiceAccountActionDeps = SessionDeps & WebhookFlowDeps & Pick<Deps, "reads">;

/** The result of a form: the result message, or a secret to display once. */
export type Outcome =
  | { readonly done: string }
  | { readonly title: "keyTitle" | "secretTitle"; readonly secret: string };
type ActionOutcome = Promise<Result<Outcome, Refusal>>;

interface ActionContext {
  readonly deps: ServiceAccountActionDeps;
  readonly call: AuthenticatedCall;
  readonly caller: ServiceAccountAdmin;
  /** The ids of the form; a slash separates the id of a child object. */
  readonly ids: readonly [string, string];
}

/** The sentence of `done` in the query. */
export function resultOf({ t: { serviceAccounts } }: View, done: string): string | undefined {
  const texts = {
    account: serviceAccounts.accountCreated,
    "account-deleted": serviceAccounts.accountDeleted,
    "key-revoked": serviceAccounts.keyRevoked,
    on: serviceAccounts.switchedOn,
    off: serviceAccounts.switchedOff,
    tested: serviceAccounts.tested,
    "webhook-changed": serviceAccounts.webhookChanged,
    "webhook-deleted": serviceAccounts.webhookDeleted,
    resent: serviceAccounts.resent,
    repeated: serviceAccounts.repeated,
  };
  return textAt(texts, done);
}

/** Executes the action of the pressed button. `organizationId` null: for the platform. */
export async function changeServiceAccounts(
  deps: ServiceAccountActionDeps,
  call: AuthenticatedCall,
  organizationId: string | null,
): ActionOutcome {
  const step = call.form.text("step");
  const scope = collectionScope(organizationId, permissionOfStep(step));
  const authorized = await authorizeServiceAccountAdmin(deps, call.caller.session, scope);
  if (!authorized.ok) return authorized;
  const [first = "", second = ""] = call.form.text("id").split("/");
  const steppedUp = STEPPED_UP.has(step) ? requireStepUp(deps, call.caller.session) : ok(undefined);
  if (!steppedUp.ok) return steppedUp;
  const work = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
  const ids = [uuidIn(first), uuidIn(second)] as const;
  return work ? await work({ deps, call, caller: authorized.value, ids }) : err(NOTHING_THERE);
}

/** The actions that add a credential or take data out (docs/contract.md, section 3.9). */
const STEPPED_UP: ReadonlySet<string> = new Set([
  "create-key",
  "create-webhook",
  "change-webhook",
  "rotate-secret",
  "switch-on",
]);

/** The actions that send something, which a webhook that is off refuses. */
const SENDING_STEPS: ReadonlySet<string> = new Set(["test-webhook", "resend", "resend-failed", "recover-day"]);

/** Problem messages of the submitted form. */
export function problemMessages({ t: { serviceAccounts } }: View, { form }: AuthenticatedCall): ProblemMessages {
  const step = form.text("step");
  if (step === "create-key") return { conflict: serviceAccounts.tooManyKeys };
  return {
    conflict: SENDING_STEPS.has(step) ? serviceAccounts.switchOnFirst : serviceAccounts.tooMany,
  };
}

/** The form with the submitted values, for a refusal that the page displays; undefined for all remaining refusals. */
export function serviceAccountFormProblem(
  { view }: SignedInUser,
  call: AuthenticatedCall,
  refusal: Refusal,
): FormState | undefined {
  if (!["invalid_input", "conflict", "mfa_required"].includes(refusal.code)) return undefined;
  const names = ["step", "id", "name", "url", "event_types", "days", ...KEY_SCOPES.map(scopeField)];
  const sent = names.filter((name) => call.form.has(name));
  const values = Object.fromEntries(sent.map((name) => [name, call.form.all(name).join(" ")]));
  if (asksStepUp(refusal)) return { values };
  return refusedForm(view, refusal, values, problemMessages(view, call));
}

const STEPS: Readonly<Record<string, (context: ActionContext) => ActionOutcome>> = {
  "create-account": async ({ deps, call, caller }) =>
    done(await createServiceAccount(deps, { caller, name: call.form.text("name"), client: call.client }), "account"),
  "delete-account": async ({ deps, call, caller, ids: [accountId] }) =>
    done(await removeServiceAccount(deps, { caller, accountId, client: call.client }), "account-deleted"),
  "create-key": makeKey,
  "revoke-key": async ({ deps, call, caller, ids: [accountId, keyId] }) =>
    done(await revokeKey(deps, { caller, accountId, keyId, client: call.client }), "key-revoked"),
  "create-webhook": async ({ deps, call, caller }) => {
    const eventTypes = eventTypesIn(call);
    const input = { caller, url: call.form.text("url"), eventTypes, enabled: true, client: call.client };
    return secret(eventTypes.length === 0 ? err(NO_EVENT_TYPES) : await createWebhook(deps, input));
  },
  "change-webhook": async ({ deps, call, caller, ids: [webhookId] }) => {
    const change = { url: call.form.text("url"), eventTypes: eventTypesIn(call), enabled: undefined };
    if (change.eventTypes.length === 0) return err(NO_EVENT_TYPES);
    return done(await changeWebhook(deps, { caller, webhookId, change, client: call.client }), "webhook-changed");
  },
  "rotate-secret": async ({ deps, call, caller, ids: [webhookId] }) =>
    secret(await rotateSecret(deps, { caller, webhookId, client: call.client })),
  "switch-on": (context) => switchWebhook(context, true),
  "switch-off": (context) => switchWebhook(context, false),
  "test-webhook": async ({ deps, call, caller, ids: [webhookId] }) =>
    done(await testWebhook(deps, { caller, webhookId, client: call.client }), "tested"),
  "delete-webhook": async ({ deps, call, caller, ids: [webhookId] }) =>
    done(await removeWebhook(deps, { caller, webhookId, client: call.client }), "webhook-deleted"),
  resend: async ({ deps, call, caller, ids: [webhookId, eventId] }) =>
    done(await resendDelivery(deps, { caller, webhookId, eventId, client: call.client }), "resent"),
  "resend-failed": async ({ deps, call, caller, ids: [webhookId] }) =>
    done(await resendFailed(deps, { caller, webhookId, ...ANY_TIME, client: call.client }), "repeated"),
  "recover-day": async ({ deps, call, caller, ids: [webhookId] }) => {
    const since = new Date(deps.clock.now() - DAY_MS).toISOString();
    const input = { caller, webhookId, since, until: undefined, client: call.client };
    return done(await recoverWebhook(deps, input), "repeated");
  },
};

/** The ticked events; a field with several names, separated by spaces, is accepted too. */
function eventTypesIn({ form }: AuthenticatedCall): readonly string[] {
  return [...chosenIn(form.all("event_types").join(" "))];
}

const ANY_TIME = { since: undefined, until: undefined };

const NO_EVENT_TYPES = invalidInput("event_types", "required", "at least one");
const NO_SCOPES = invalidInput("scopes", "required", "at least one");
const BAD_DAYS = invalidInput("days", "format", "1 to 365");

async function makeKey({ deps, call, caller, ids: [accountId] }: ActionContext): ActionOutcome {
  const scopes = KEY_SCOPES.filter((scope) => call.form.has(scopeField(scope)));
  const days = Number(call.form.text("days"));
  if (scopes.length === 0) return err(NO_SCOPES);
  if (!Number.isInteger(days) || days < 1 || days > KEY_DAYS_MAX) return err(BAD_DAYS);
  const bounds = { allowedIps: [], allowedReferrers: [], expiresInDays: days };
  const name = call.form.text("name").trim() || null;
  const created = await createApiKey(deps, { caller, accountId, name, scopes, ...bounds, client: call.client });
  return created.ok ? ok({ title: "keyTitle", secret: created.value.key }) : created;
}

async function switchWebhook({ deps, call, caller, ids: [webhookId] }: ActionContext, enabled: boolean): ActionOutcome {
  const change = { url: undefined, eventTypes: undefined, enabled };
  return done(await changeWebhook(deps, { caller, webhookId, change, client: call.client }), enabled ? "on" : "off");
}

function done(result: Result<unknown, Refusal>, what: string): Result<Outcome, Refusal> {
  return result.ok ? ok({ done: what }) : result;
}

function secret(result: Result<{ readonly secret: string }, Refusal>): Result<Outcome, Refusal> {
  return result.ok ? ok({ title: "secretTitle", secret: result.value.secret }) : result;
}
