import { type BrandSettings, contactUrl, pageUrl } from "../../base/brand-values.ts";
import { isHexColour } from "../../base/colour.ts";
import { type FieldFlaw, hasFlaws, type InputFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { BRAND_RADIUS_MAX_PIXELS, BRAND_URL_MAX_CHARACTERS } from "../../limits/brand-limits.ts";

const PAGE_FLAW: InputFlaw = { rule: "format", text: "an http(s) URL without user information" };
const CONTACT_FLAW: InputFlaw = {
  rule: "format",
  text: "an http(s) URL without user information, or mailto: with an address",
};
const URL_TOO_LONG: InputFlaw = { rule: "too_long", text: `at most ${BRAND_URL_MAX_CHARACTERS} characters` };

/** Validates the settings of a brand. The colour of a valid brand is in lower case, URLs have their stored form. */
export function validateBrand(settings: BrandSettings): Result<BrandSettings, readonly [FieldFlaw, ...FieldFlaw[]]> {
  const { accent, radius, termsUrl, privacyUrl, supportUrl } = settings;
  const flaws = [
    accentFlaw(accent),
    radiusFlaw(radius),
    urlFlaw("terms_url", termsUrl, pageUrl, PAGE_FLAW),
    urlFlaw("privacy_url", privacyUrl, pageUrl, PAGE_FLAW),
    urlFlaw("support_url", supportUrl, contactUrl, CONTACT_FLAW),
  ].filter((flaw) => flaw !== undefined);
  if (hasFlaws(flaws)) return err(flaws);
  return ok({
    accent: accent?.toLowerCase() ?? null,
    radius,
    termsUrl: termsUrl && (pageUrl(termsUrl) ?? null),
    privacyUrl: privacyUrl && (pageUrl(privacyUrl) ?? null),
    supportUrl: supportUrl && (contactUrl(supportUrl) ?? null),
  });
}

function accentFlaw(accent: string | null): FieldFlaw | undefined {
  if (accent === null || isHexColour(accent)) return undefined;
  return { field: "accent", rule: "format", text: "a colour such as #3d4fd6" };
}

function radiusFlaw(radius: number | null): FieldFlaw | undefined {
  if (radius === null) return undefined;
  const text = `a whole number from 0 to ${BRAND_RADIUS_MAX_PIXELS}`;
  if (!Number.isInteger(radius)) return { field: "radius", rule: "format", text };
  if (radius < 0) return { field: "radius", rule: "too_small", text };
  return radius > BRAND_RADIUS_MAX_PIXELS ? { field: "radius", rule: "too_large", text } : undefined;
}

function urlFlaw(
  field: string,
  url: string | null,
  read: (text: string) => string | undefined,
  flaw: InputFlaw,
): FieldFlaw | undefined {
  if (url === null) return undefined;
  if (url.length > BRAND_URL_MAX_CHARACTERS) return { field, ...URL_TOO_LONG };
  return read(url) === undefined ? { field, ...flaw } : undefined;
}
