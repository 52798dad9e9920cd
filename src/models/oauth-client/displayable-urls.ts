import { type StoredUrl, storedUrl } from "../../base/stored-url.ts";

type DisplayedUrl = "clientUri" | "logoUrl" | "policyUri" | "tosUri";

/** The logo and the links of a row, without addresses of version 1.0.0 that no page may display. */
export function displayableUrls(
  row: Readonly<Record<DisplayedUrl, string | null>>,
): Record<DisplayedUrl, StoredUrl | null> {
  return {
    clientUri: storedUrl(row.clientUri) ?? null,
    logoUrl: storedUrl(row.logoUrl) ?? null,
    policyUri: storedUrl(row.policyUri) ?? null,
    tosUri: storedUrl(row.tosUri) ?? null,
  };
}
