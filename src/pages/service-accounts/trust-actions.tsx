/** The actions of the forms for trusts (docs/contract.md, section 35.11). */
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { findReach } from "../../flows/service-accounts/find-reach.ts";
import {
  isTrustPreset,
  type TrustPreset,
  trustOfPreset,
  trustPreset,
} from "../../flows/service-accounts/trust-presets.ts";
import {
  changeTrust,
  createTrust,
  readTrusts,
  removeTrust,
  tryAssertion,
} from "../../flows/service-accounts/trusts.ts";
import type { Trust } from "../../models/service-account/trust.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { Fields } from "../fields.ts";
import { seeResult } from "../page.ts";
import { type FieldTexts, refusedForm } from "../problem-messages.ts";
import type { View } from "../view.tsx";
import {
  action,
  asks,
  confirmed,
  idsIn,
  mayManage,
  mayRead,
  type ServiceAccountInput,
  stepUp,
} from "./action-parts.ts";
import { chosenScopes, NO_SCOPES } from "./key-input.ts";
import { trustPath } from "./place.ts";
import { TrustTestView } from "./trust-test-view.tsx";
import { scopeField } from "./view-model.ts";

const UNKNOWN_PRESET = invalidInput("preset", "unknown_value", "no preset of trusts");
const NO_ASSERTION = invalidInput("assertion", "required", "a token of the issuer");

const problems = ({ t }: View) => ({ conflict: t.serviceAccounts.trusts.tooMany });
const ofTrusts = { may: mayManage("machines.manage"), problems };

/** The preset of the form; undefined for an unknown name. */
function presetIn(fields: Fields): TrustPreset | undefined {
  const name = fields.text("preset");
  return isTrustPreset(name) ? trustPreset(name) : undefined;
}

type NewTrust = Parameters<typeof createTrust>[1]["settings"];

async function trustIn(
  deps: ServiceAccountInput["deps"],
  caller: Parameters<typeof findReach>[1],
  fields: Fields,
): Promise<Result<NewTrust, Refusal<"invalid_input">>> {
  const preset = presetIn(fields);
  if (!preset) return err(UNKNOWN_PRESET);
  const inputs = preset.inputs.map(({ name }) => [name, fields.text(name)] as const);
  const settings = trustOfPreset(preset, Object.fromEntries(inputs));
  if (!settings.ok) return settings;
  const scopes = chosenScopes(fields);
  if (scopes.length === 0) return err(NO_SCOPES);
  const reach = await findReach(deps, caller, fields.text("organizations"));
  return reach.ok ? ok({ ...settings.value, name: fields.text("name"), scopes, organizations: reach.value }) : reach;
}

export const createTrustAction = action({
  step: "create-trust",
  ...ofTrusts,
  stepUp,
  async run({ deps, caller, client, fields }) {
    const settings = await trustIn(deps, caller, fields);
    if (!settings.ok) return settings;
    return await createTrust(deps, { caller, accountId: idsIn(fields)[0], settings: settings.value, client });
  },
  done: ["trust-created", ({ t }) => t.serviceAccounts.trusts.created],
  reply: ({ basePath, fields }, trust) => seeResult(trustPath(basePath, trust, fields.text("preset")), "trust-created"),
  refused({ fields, view }, refusal): FormState | undefined {
    const preset = presetIn(fields);
    if (!preset || !["invalid_input", "conflict", "mfa_required"].includes(refusal.code)) return undefined;
    const names = ["name", "organizations", "preset", ...preset.inputs.map(({ name }) => name)];
    const ticked = chosenScopes(fields).map((scope) => [scopeField(scope), "yes"]);
    const values = Object.fromEntries([...names.map((name) => [name, fields.text(name)]), ...ticked]);
    if (asksStepUp(refusal)) return { values };
    return refusedForm(view, refusal, values, problems(view), fieldTexts(view, preset, refusal));
  },
});

/** The texts beside wrong inputs. The flow finds a missing id of a shared issuer, and a form of keys or conditions. */
function fieldTexts({ t }: View, preset: TrustPreset, { fields = [] }: Refusal): FieldTexts {
  const { trusts, reachUnknown } = t.serviceAccounts;
  const { like, badKeys, badConditions, immutable } = trusts.rules;
  const inputs = Object.fromEntries(preset.inputs.map(({ name }) => [name, like]));
  const needsId = fields.some(({ field, rule }) => field === "conditions" && rule === "required");
  const conditions = needsId && preset.conditions.length === 0 ? immutable : badConditions;
  const own = { ...inputs, organizations: reachUnknown };
  if (!Object.hasOwn(inputs, "keys")) return own;
  return { ...own, keys: badKeys, jwks_uri: badKeys, ...(Object.hasOwn(inputs, "conditions") ? { conditions } : {}) };
}

/** The trust that a question names. */
async function findNamed(
  deps: ServiceAccountInput["deps"],
  caller: Parameters<typeof readTrusts>[1]["caller"],
  fields: Fields,
): Promise<Trust | undefined> {
  const [accountId, trustId] = idsIn(fields);
  const trusts = await readTrusts(deps, { caller, accountId });
  return trusts.ok ? trusts.value.find(({ id }) => id === trustId) : undefined;
}

/** The page of the trust that a form names. */
function pageOf({ basePath, fields }: ServiceAccountInput & { readonly fields: Fields }): string {
  const [serviceAccountId, id] = idsIn(fields);
  return trustPath(basePath, { serviceAccountId, id });
}

export const deleteTrust = confirmed({
  step: "delete-trust",
  ...ofTrusts,
  at: ({ basePath }) => basePath,
  question: asks(mayRead("machines.manage"), async ({ deps, caller, fields, view: { t } }) => {
    const trust = await findNamed(deps, caller, fields);
    const { deleteAccount: text, trusts } = t.serviceAccounts;
    return trust && { title: trusts.endTitle({ name: trust.name }), text: trusts.endText, action: text };
  }),
  run({ deps, caller, client, fields }) {
    const [accountId, trustId] = idsIn(fields);
    return removeTrust(deps, { caller, accountId, trustId, client });
  },
  done: ["trust-deleted", ({ t }) => t.serviceAccounts.trusts.ended],
});

export const disableTrust = action({
  step: "disable-trust",
  ...ofTrusts,
  at: pageOf,
  run({ deps, caller, client, fields }) {
    const [accountId, trustId] = idsIn(fields);
    return changeTrust(deps, { caller, accountId, trustId, client, settings: { disabled: true } });
  },
  done: ["trust-off", ({ t }) => t.serviceAccounts.trusts.switchedOff],
});

/** Gives power again, as a creation does. */
export const enableTrust = action({
  step: "enable-trust",
  ...ofTrusts,
  at: pageOf,
  stepUp,
  run({ deps, caller, client, fields }) {
    const [accountId, trustId] = idsIn(fields);
    return changeTrust(deps, { caller, accountId, trustId, client, settings: { disabled: false } });
  },
  done: ["trust-on", ({ t }) => t.serviceAccounts.trusts.switchedOn],
});

export const testTrust = action({
  step: "test-trust",
  may: mayRead("machines.manage"),
  at: pageOf,
  run({ deps, caller, fields }) {
    const [accountId, trustId] = idsIn(fields);
    const assertion = fields.text("assertion").trim();
    return assertion === "" ? err(NO_ASSERTION) : tryAssertion(deps, { caller, accountId, trustId }, assertion);
  },
  async reply(request, test) {
    const { display } = request;
    const reader = await request.user();
    const { trusts } = reader.view.t.serviceAccounts;
    const title = test.accepted ? trusts.accepted : trusts.refused;
    const body = <TrustTestView test={test} back={pageOf(request)} />;
    return display(reader, { title, body, inside: true });
  },
  refused({ view }, refusal): FormState | undefined {
    if (refusal.code !== "invalid_input") return undefined;
    return { errors: { assertion: view.t.serviceAccounts.trusts.rules.noToken } };
  },
});
