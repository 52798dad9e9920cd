/** The languages in which pages speak, as primary subtags (RFC 5646): those of src/pages/texts/catalogue.ts. */
export const LANGUAGES = ["en", "de"] as const;
