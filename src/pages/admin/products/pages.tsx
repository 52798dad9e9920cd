/**
 * `/admin/oauth-clients/products` and `/admin/resources/products`: register an application or API by a product preset
 * (docs/contract.md, section 23.35).
 */
import type { Refusal } from "../../../base/problem.ts";
import type { PresetProblem } from "../../../flows/oauth/presets/preset-inputs.ts";
import { findPreset, PRODUCT_PRESETS, type ProductPreset } from "../../../flows/oauth/presets/product-presets.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Fields, type Page, pathWith, seeOther } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import { productName } from "../../shared/product-name.ts";
import type { View } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { PRODUCT_APIS, PRODUCT_APPLICATIONS, type ProductDeps, type ProductKind } from "./kinds.ts";
import { ProductBody, ProductsBody } from "./view.tsx";

const SEARCH_MAX_CHARACTERS = 100;

export function productsPages(deps: ProductDeps): readonly Page[] {
  return [productsPage(deps, PRODUCT_APPLICATIONS), productsPage(deps, PRODUCT_APIS)];
}

function productsPage(deps: ProductDeps, of: ProductKind): Page {
  const { kind, list: at, path } = of;
  const show = (call: ConsoleCall, preset: ProductPreset, state: FormState, parts: DisplayedParts = {}) => {
    const title = call.view.t.connect.title({ name: productName(call.view, preset) });
    const needsStepUp = parts.refused?.code === "mfa_required";
    const body = <ProductBody of={of} preset={preset} state={state} needsStepUp={needsStepUp} />;
    return showConsole(call, { at, inside: true, title, body, ...parts });
  };
  return consolePage(deps, {
    path,
    async get(call) {
      const preset = findPreset(call.query.text("preset"), kind);
      if (!preset) return showProducts(call, of);
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const place = pathWith(path, { preset: preset.preset });
      return acts.ok ? show(call, preset, {}) : refuseConsole(call, acts.error, place);
    },
    async post(call) {
      const { form, client, view } = call;
      const preset = findPreset(call.query.text("preset"), kind);
      if (!preset) return seeOther(path);
      const values = valuesOf(preset, form);
      const refuse = (error: Refusal) =>
        show(call, preset, refusedState(view, of, preset, error, values), refusedParts(error));
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      if (!acts.ok) return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, path);
      const inputs = Object.fromEntries(preset.inputs.map(({ name }) => [name, form.text(fieldOf(name))]));
      const chosen = { preset: preset.preset, inputs };
      const registered = await of.register(deps, call, { caller: acts.value, client, chosen });
      return registered.ok ? registered.value : refuse(registered.error);
    },
  });
}

function showProducts(call: ConsoleCall, of: ProductKind) {
  const q = call.query.text("q").trim().slice(0, SEARCH_MAX_CHARACTERS);
  const wanted = q.toLowerCase();
  const presets = PRODUCT_PRESETS.filter(
    ({ kind, name, preset }) => kind === of.kind && (preset === "generic" || name.toLowerCase().includes(wanted)),
  );
  const body = <ProductsBody of={of} presets={presets} q={q} />;
  return showConsole(call, { at: of.list, inside: true, title: call.view.t.clients.products.action, body });
}

function fieldOf(input: string): string {
  return `input:${input}`;
}

function valuesOf({ inputs }: ProductPreset, form: Fields): Record<string, string> {
  return Object.fromEntries(inputs.map(({ name }) => [fieldOf(name), form.text(fieldOf(name))]));
}

/** The problem of each wrong input beside its field; an address that an API has already is a problem of the address. */
function refusedState(
  view: View,
  of: ProductKind,
  { inputs }: ProductPreset,
  refused: Refusal & Partial<Pick<PresetProblem, "wrongInputs">>,
  values: Record<string, string>,
): FormState {
  if (refused.code === "mfa_required") return { values };
  if (refused.reason === "identifier_taken") return { values, errors: { [fieldOf("url")]: view.t.resources.taken } };
  const { rules } = view.t.clients.products;
  const wrong = inputs.filter(({ name }) => refused.wrongInputs?.includes(name));
  const errors = Object.fromEntries(wrong.map(({ name, type }) => [fieldOf(name), rules[type]]));
  if (wrong.length > 0) return { values, errors };
  return refusedForm(view, refused, values, { conflict: of.texts(view).full });
}
