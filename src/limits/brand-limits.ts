/** Bounds of brands (docs/contract.md, section 28). */

export const LOGO_BYTES_MAX = 1024 * 1024;
export const LOGO_PIXELS_MAX = 16_000_000;
/** Four times the displayed size, for displays with a high density. */
export const LOGO_WIDTH_PIXELS = 640;
export const LOGO_HEIGHT_PIXELS = 112;
/** The place of a logo above the card of an email, in pixels: a quarter of the largest stored logo. */
export const EMAIL_LOGO_PLACE = { width: 160, height: 28 } as const;
export const BRAND_RADIUS_MAX_PIXELS = 24;
export const BRAND_URL_MAX_CHARACTERS = 2_000;
/** Brands in the choice of a preview. */
export const BRANDS_OFFERED_MAX = 100;
/** Brands in the memory of a replica. */
export const BRANDS_CACHED_MAX = 10_000;
/** How long a replica displays a brand that another replica has changed. */
export const BRAND_CACHE_TTL_MS = 3_000;
/** Palettes and style rules of brands in the memory of a replica; a rule depends on the accent and the radius only. */
export const BRAND_STYLES_MAX = 1_000;
