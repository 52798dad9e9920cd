/** The form of a brand: fields to settings, and the texts of wrong fields. */
import type { BrandSettings } from "../../base/brand-values.ts";
import { validateBrand } from "../../flows/brand/validate-brand.ts";
import type { StoredBrand } from "../../models/brand/brand.ts";
import type { Fields } from "../fields.ts";
import type { FieldTexts } from "../problem-messages.ts";
import type { View } from "../view.tsx";

const FIELDS = ["accent", "radius", "terms_url", "privacy_url", "support_url"] as const;

/** The submitted values, which stay in a refused form. */
export function valuesIn(form: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(FIELDS.map((name) => [name, form.text(name).trim()]));
}

/** An empty field is no value. A radius that is no number becomes NaN, which the flow refuses. */
export function settingsIn(form: Fields): BrandSettings {
  const text = (name: (typeof FIELDS)[number]) => form.text(name).trim() || null;
  const radius = text("radius");
  return {
    accent: text("accent"),
    radius: radius === null ? null : Number(radius),
    termsUrl: text("terms_url"),
    privacyUrl: text("privacy_url"),
    supportUrl: text("support_url"),
  };
}

/** The rule of the preview, for the style of the page. */
export function previewStyle({ site }: View, { accent, radius }: Pick<BrandSettings, "accent" | "radius">): string {
  return site.styles.rule(".brand-preview", { accent: accent ?? undefined, radius: radius ?? undefined });
}

export function fieldTexts({ t }: View): FieldTexts {
  return {
    accent: t.brand.accentProblem,
    radius: t.brand.radiusProblem,
    terms_url: t.brand.urlProblem,
    privacy_url: t.brand.urlProblem,
    support_url: t.brand.supportProblem,
  };
}

/** The look of the preview: each submitted value that is valid, else the stored value. */
export function displayedLook(brand: StoredBrand, settings: BrandSettings | undefined) {
  const { accent, radius } = brand;
  if (!settings) return { accent, radius };
  const valid = validateBrand(settings);
  if (valid.ok) return valid.value;
  const isWrong = (field: string) => valid.error.some((flaw) => flaw.field === field);
  return {
    accent: isWrong("accent") ? accent : settings.accent,
    radius: isWrong("radius") ? radius : settings.radius,
  };
}
