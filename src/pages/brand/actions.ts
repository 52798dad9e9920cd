/** The actions of the editor of a brand. */
import type { LogoTheme } from "../../base/brand-values.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type BrandDeps, removeLogo, storeLogo, updateBrand } from "../../flows/brand/change.ts";
import type { BrandAdministrator } from "../../flows/steps/authorization/authorize-brand.ts";
import { type AuthenticatedCall, NOTHING_THERE, textAt } from "../page.ts";
import type { View } from "../view.tsx";
import { settingsIn } from "./form.ts";

/** Executes the action of the pressed button; returns the result to display. */
export async function changeBrand(
  deps: BrandDeps,
  { form, client }: Pick<AuthenticatedCall, "form" | "client">,
  caller: BrandAdministrator,
): Promise<Result<string, Refusal>> {
  const step = form.text("step");
  if (step === "save") {
    const saved = await updateBrand(deps, { caller, client, settings: settingsIn(form) });
    return saved.ok ? ok("saved") : saved;
  }
  const themes: Readonly<Record<string, LogoTheme>> = { "remove-logo": "light", "remove-logo-dark": "dark" };
  const theme = Object.hasOwn(themes, step) ? themes[step] : undefined;
  if (theme === undefined) return err(NOTHING_THERE);
  const removed = await removeLogo(deps, { caller, client, theme });
  return removed.ok ? ok("removed") : removed;
}

/** Stores an uploaded logo. */
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
export function resultOf({ t }: View, done: string): string | undefined {
  return textAt({ saved: t.brand.saved, logo: t.brand.logoSaved, removed: t.brand.logoRemoved }, done);
}
