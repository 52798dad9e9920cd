import type { Refusal } from "../base/problem.ts";
import { isUuid, NIL_UUID } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Deps } from "../deps.ts";
import { createApiKey, revokeKey } from "../flows/service-accounts/keys.ts";
import { createServiceAccount, removeServiceAccount } from "../flows/service-accounts/manage.ts";
import { authorizeMachines, type MachineAdmin } from "../flows/steps/authorize-machines.ts";
import type { EndDeps } from "../flows/steps/end-sessions.ts";
import { requireStepUp } from "../flows/steps/step-up.ts";
import { resendDelivery, testWebhook } from "../flows/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookFlowDeps,
} from "../flows/webhooks/manage.ts";
import type { KeyScope } from "../models/service-account/api-key.ts";
import type { FormState } from "./components/form.tsx";
import { refusedPage } from "./error.tsx";
import { type ShownParts, showPage } from "./html.tsx";
import { MachinesBody, ShownOnceBody } from "./machines-body.tsx";
import { MACHINES, machineFacts } from "./machines-facts.ts";
import { NOTHING_THERE, type Page, type PersonCall, pathWith, personPage, seeOther, textAt } from "./page.ts";
import { type PersonDeps, personOf } from "./person.ts";
import { type OwnSentences, refusedForm, refusedParts } from "./sentences.ts";
import type { View } from "./view.tsx";

type MachineDeps = PersonDeps & EndDeps & WebhookFlowDeps & Pick<Deps, "reads">;

/** What a form did: the sentence to show, or what is shown once. */
type Outcome = { readonly done: string } | { readonly title: "keyTitle" | "secretTitle"; readonly secret: string };
type Acted = Promise<Result<Outcome, Refusal>>;

interface Acting {
  readonly deps: MachineDeps;
  readonly call: PersonCall;
  readonly caller: MachineAdmin;
  /** Of the form; one below another stands after a slash. */
  readonly ids: readonly [string, string];
}

function resultOf({ t }: View, done: string): string | undefined {
  const { machines } = t;
  const texts = {
    account: machines.accountCreated,
    "account-deleted": machines.accountDeleted,
    "key-revoked": machines.keyRevoked,
    on: machines.switchedOn,
    off: machines.switchedOff,
    tested: machines.tested,
    "webhook-deleted": machines.webhookDeleted,
    resent: machines.resent,
  };
  return textAt(texts, done);
}

/** `/machines`: service accounts with their keys, and webhooks, of the session's organization. */
export function machinesPage(deps: MachineDeps): Page {
  const show = async (call: PersonCall, state: FormState, parts: ShownParts = {}) => {
    const [{ profile, view }, facts] = await Promise.all([personOf(deps, call), machineFacts(deps, call)]);
    const done = parts.refused === undefined ? resultOf(view, call.query.text("done")) : undefined;
    const body = <MachinesBody profile={profile} facts={facts} state={state} done={done} />;
    return showPage(view, { title: view.t.machines.title, body, islands: ["confirm"], ...parts });
  };
  return personPage({
    path: MACHINES,
    get: (call) => show(call, {}),
    async post(call) {
      const outcome = await act(deps, call);
      const { profile, view } = await personOf(deps, call);
      if (outcome.ok) {
        if ("done" in outcome.value) {
          return seeOther(pathWith(MACHINES, { webhook: call.query.text("webhook"), done: outcome.value.done }));
        }
        const title = view.t.machines[outcome.value.title];
        const body = <ShownOnceBody profile={profile} title={title} secret={outcome.value.secret} />;
        return showPage(view, { title, body, islands: ["recovery-codes"] });
      }
      const { error } = outcome;
      if (error.code === "mfa_required") return seeOther(pathWith("/step-up", { return_to: MACHINES }));
      const own = sentences(view, call.form.text("step"));
      if (error.code !== "invalid_input" && error.code !== "conflict") {
        return refusedPage(view, error, call.client.requestId ?? "", own);
      }
      const values = Object.fromEntries(["name", "url", "event_types"].map((name) => [name, call.form.text(name)]));
      const state = refusedForm(view, error, values, own);
      return await show(call, state, refusedParts(error));
    },
  });
}

function sentences({ t: { machines } }: View, step: string): OwnSentences {
  if (step === "create-key") return { conflict: machines.tooManyKeys, invalid_input: machines.scopeHint };
  return { conflict: step === "test-webhook" || step === "resend" ? machines.switchOnFirst : machines.tooMany };
}

/** Does what the button says. */
async function act(deps: MachineDeps, call: PersonCall): Acted {
  const { session } = call.caller;
  const authorized = await authorizeMachines(deps, session, session.organizationId);
  if (!authorized.ok) return authorized;
  const [first = "", second = ""] = call.form.text("id").split("/");
  const step = call.form.text("step");
  const work = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
  const ids = [idOf(first), idOf(second)] as const;
  return work ? await work({ deps, call, caller: authorized.value, ids }) : err(NOTHING_THERE);
}

/** In its canonical form; what is no UUID becomes one that nothing has. */
function idOf(text: string): string {
  return isUuid(text) ? text.toLowerCase() : NIL_UUID;
}

const STEPS: Readonly<Record<string, (acting: Acting) => Acted>> = {
  "create-account": async ({ deps, call, caller }) =>
    done(await createServiceAccount(deps, { caller, name: call.form.text("name"), client: call.client }), "account"),
  "delete-account": async ({ deps, call, caller, ids: [accountId] }) =>
    done(await removeServiceAccount(deps, { caller, accountId, client: call.client }), "account-deleted"),
  "create-key": makeKey,
  "revoke-key": async ({ deps, call, caller, ids: [accountId, keyId] }) =>
    done(await revokeKey(deps, { caller, accountId, keyId, client: call.client }), "key-revoked"),
  "create-webhook": async ({ deps, call, caller }) => {
    const eventTypes = call.form
      .text("event_types")
      .split(/[\s,]+/)
      .filter(Boolean);
    const input = { caller, url: call.form.text("url"), eventTypes, enabled: true, client: call.client };
    return secret(eventTypes.length === 0 ? err(NO_EVENT_TYPES) : await createWebhook(deps, input));
  },
  "rotate-secret": async ({ deps, call, caller, ids: [webhookId] }) =>
    secret(await rotateSecret(deps, { caller, webhookId, client: call.client })),
  "switch-on": (acting) => switchWebhook(acting, true),
  "switch-off": (acting) => switchWebhook(acting, false),
  "test-webhook": async ({ deps, call, caller, ids: [webhookId] }) =>
    done(await testWebhook(deps, { caller, webhookId, client: call.client }), "tested"),
  "delete-webhook": async ({ deps, call, caller, ids: [webhookId] }) =>
    done(await removeWebhook(deps, { caller, webhookId, client: call.client }), "webhook-deleted"),
  resend: async ({ deps, call, caller, ids: [webhookId, eventId] }) =>
    done(await resendDelivery(deps, { caller, webhookId, eventId, client: call.client }), "resent"),
};

const NO_EVENT_TYPES = { code: "invalid_input", message: "event_types: at least one" } as const;
const BAD_KEY = { code: "invalid_input", message: "scopes: at least one" } as const;
const DAYS_MAX = 365;

async function makeKey({ deps, call, caller, ids: [accountId] }: Acting): Acted {
  const steppedUp = requireStepUp(deps, call.caller.session);
  if (!steppedUp.ok) return steppedUp;
  const scopes = SCOPES.filter((scope) => call.form.has(`scope:${scope}`));
  const days = Number(call.form.text("days"));
  if (scopes.length === 0 || !Number.isInteger(days) || days < 1 || days > DAYS_MAX) return err(BAD_KEY);
  const bounds = { allowedIps: [], allowedReferrers: [], expiresInDays: days };
  const created = await createApiKey(deps, { caller, accountId, scopes, ...bounds, client: call.client });
  return created.ok ? ok({ title: "keyTitle", secret: created.value.key }) : created;
}

const SCOPES: readonly KeyScope[] = [
  "audit.export",
  "audit.read",
  "members.invite",
  "members.list",
  "members.remove",
  "ssf.read",
];

async function switchWebhook({ deps, call, caller, ids: [webhookId] }: Acting, enabled: boolean): Acted {
  const change = { url: undefined, eventTypes: undefined, enabled };
  return done(await changeWebhook(deps, { caller, webhookId, change, client: call.client }), enabled ? "on" : "off");
}

function done(result: Result<unknown, Refusal>, what: string): Result<Outcome, Refusal> {
  return result.ok ? ok({ done: what }) : result;
}

function secret(result: Result<{ readonly secret: string }, Refusal>): Result<Outcome, Refusal> {
  return result.ok ? ok({ title: "secretTitle", secret: result.value.secret }) : result;
}
