/** `/admin/oauth-clients/products`: registers an application by a product preset (docs/contract.md, section 23.35). */
import type { Refusal } from "../../../base/problem.ts";
import { type AdministerClientsDeps, createClient } from "../../../flows/oauth/clients/administer-clients.ts";
import type { PresetProblem } from "../../../flows/oauth/presets/preset-inputs.ts";
import { findPreset, PRODUCT_PRESETS, type ProductPreset } from "../../../flows/oauth/presets/product-presets.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { clientRegistration } from "../../../http/oauth/preset-registration.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Fields, type Page, pathWith, seeOther, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { showConnect } from "./connect.tsx";
import { CLIENTS, PRODUCTS } from "./paths.ts";
import { ProductBody, ProductsBody, productName } from "./products-view.tsx";

const SEARCH_MAX_CHARACTERS = 100;

export function productsPage(deps: AdministerClientsDeps & SignedInUserDeps): Page {
  const show = (call: ConsoleCall, preset: ProductPreset, state: FormState, parts: DisplayedParts = {}) => {
    const title = call.view.t.connect.title({ name: productName(call.view, preset) });
    const body = <ProductBody preset={preset} state={state} needsStepUp={parts.refused?.code === "mfa_required"} />;
    return showConsole(call, { at: CLIENTS, inside: true, title, body, ...parts });
  };
  return consolePage(deps, {
    path: PRODUCTS,
    async get(call) {
      const preset = findPreset(call.query.text("preset"), "client");
      if (!preset) return showProducts(call);
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const place = pathWith(PRODUCTS, { preset: preset.preset });
      return acts.ok ? show(call, preset, {}) : refuseConsole(call, acts.error, place);
    },
    async post(call) {
      const { form, client, view } = call;
      const preset = findPreset(call.query.text("preset"), "client");
      if (!preset) return seeOther(PRODUCTS);
      const values = valuesOf(preset, form);
      const refuse = (error: Refusal) =>
        show(call, preset, refusedState(view, preset, error, values), refusedParts(error));
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      if (!acts.ok) return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, PRODUCTS);
      const inputs = Object.fromEntries(preset.inputs.map(({ name }) => [name, form.text(fieldOf(name))]));
      const settings = clientRegistration(deps, { preset: preset.preset, inputs });
      if (!settings.ok) return refuse(settings.error);
      const created = await createClient(deps, { caller: acts.value, client, settings: settings.value });
      if (!created.ok) return refuse(created.error);
      const { secret, client: made } = created.value;
      if (secret === undefined) return seeResult(`${CLIENTS}/${made.id}/connect`, "created");
      return showConnect(call, made, { secret, done: view.t.clients.created });
    },
  });
}

function showProducts(call: ConsoleCall) {
  const q = call.query.text("q").trim().slice(0, SEARCH_MAX_CHARACTERS);
  const wanted = q.toLowerCase();
  const presets = PRODUCT_PRESETS.filter(
    ({ kind, name, preset }) => kind === "client" && (preset === "generic" || name.toLowerCase().includes(wanted)),
  );
  const body = <ProductsBody presets={presets} q={q} />;
  return showConsole(call, { at: CLIENTS, inside: true, title: call.view.t.clients.products.action, body });
}

function fieldOf(input: string): string {
  return `input:${input}`;
}

function valuesOf({ inputs }: ProductPreset, form: Fields): Record<string, string> {
  return Object.fromEntries(inputs.map(({ name }) => [fieldOf(name), form.text(fieldOf(name))]));
}

/** The problem of each wrong input beside its field. */
function refusedState(
  view: View,
  { inputs }: ProductPreset,
  refused: Refusal & Partial<Pick<PresetProblem, "wrongInputs">>,
  values: Record<string, string>,
): FormState {
  if (refused.code === "mfa_required") return { values };
  const { rules } = view.t.clients.products;
  const wrong = inputs.filter(({ name }) => refused.wrongInputs?.includes(name));
  const errors = Object.fromEntries(wrong.map(({ name, type }) => [fieldOf(name), rules[type]]));
  if (wrong.length > 0) return { values, errors };
  return refusedForm(view, refused, values, { conflict: view.t.clients.full });
}
