/** The actions of the editor of a brand. */
import type { BrandSettings, LogoTheme } from "../../base/brand-values.ts";
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { type BrandDeps, removeLogo, storeLogo, updateBrand } from "../../flows/brand/change.ts";
import type { BrandAdministrator } from "../../flows/steps/authorization/authorize-brand.ts";
import type { Reply } from "../../http/reply.ts";
import { type ActionInput, actionsOf, resultText } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { type AuthenticatedCall, textAt } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import type { View } from "../view.tsx";
import { fieldTexts, settingsIn, valuesIn } from "./form.ts";

/** What the page displays beside the stored brand. */
export interface BrandState {
  readonly state?: FormState;
  /** The submitted settings, for the preview. */
  readonly settings?: BrandSettings;
}

/** The request of the page of an organization, or of the page of an owner in the console. */
export interface BrandInput extends ActionInput {
  readonly deps: BrandDeps & ActionInput["deps"];
  readonly authorize: () => Promise<Result<BrandAdministrator, Refusal>>;
  readonly display: (state: BrandState) => Promise<Reply>;
}

const { action } = actionsOf<BrandInput, BrandState>();
const mayChange = ({ authorize }: BrandInput) => authorize();

export const saveBrand = action({
  step: "save",
  may: mayChange,
  run: ({ deps, caller, client, fields }) => updateBrand(deps, { caller, client, settings: settingsIn(fields) }),
  done: ["saved", ({ t }) => t.brand.saved],
  refused({ fields, view }, refusal) {
    if (refusal.code !== "invalid_input") return undefined;
    const state = refusedForm(view, refusal, valuesIn(fields), {}, fieldTexts(view));
    return { state, settings: settingsIn(fields) };
  },
});

/** Displays the submitted values without a change; the page authorizes the reader. */
export const previewBrand = action({
  step: "preview",
  may: () => ok(undefined),
  run: () => ok(undefined),
  reply: ({ display, fields }) => display({ state: { values: valuesIn(fields) }, settings: settingsIn(fields) }),
});

export const removeLightLogo = action({
  step: "remove-logo",
  may: mayChange,
  run: ({ deps, caller, client }) => removeLogo(deps, { caller, client, theme: "light" }),
  done: ["removed", ({ t }) => t.brand.logoRemoved],
});

export const removeDarkLogo = action({
  step: "remove-logo-dark",
  may: mayChange,
  run: ({ deps, caller, client }) => removeLogo(deps, { caller, client, theme: "dark" }),
  done: ["removed", ({ t }) => t.brand.logoRemoved],
});

export const brandActions = { saveBrand, previewBrand, removeLightLogo, removeDarkLogo };

/** Stores an uploaded logo; the form has an address of its own. */
export async function changeLogo(
  deps: BrandDeps,
  { file, client }: Pick<AuthenticatedCall, "file" | "client">,
  caller: BrandAdministrator,
  theme: LogoTheme,
): Promise<Result<string, Refusal>> {
  const stored = await storeLogo(deps, { caller, client, theme, file });
  return stored.ok ? ok("logo") : stored;
}

/** The result of the preceding form. */
export function brandResult(view: View, result: string): string | undefined {
  return resultText(view, brandActions, result) ?? textAt({ logo: view.t.brand.logoSaved }, result);
}
