import type { oauthClients } from "../../../db/schema/oauth-provider.ts";
import { type StoredUrl, storedUrl } from "../../base/stored-url.ts";
import type { RowOf } from "../../database/row.ts";

type OauthClientRow = RowOf<typeof oauthClients>;
type DisplayedUrl = "clientUri" | "logoUrl" | "policyUri" | "tosUri";

interface UrlsOfRow extends Readonly<Record<DisplayedUrl, string | null>> {
  readonly kind: OauthClientRow["kind"];
}

/** The path of a picture of this service, at the end of the address of a fetched logo. */
const FETCHED_PICTURE = /\/avatars\/[0-9a-f]{64}\.webp$/;

/**
 * The logo and the links of a row, without addresses of version 1.0.0 that no page may display: unaccepted URLs, and
 * the logo of a client that registered itself at the host of the client.
 */
export function displayableUrls(row: UrlsOfRow): Record<DisplayedUrl, StoredUrl | null> {
  const logoUrl = storedUrl(row.logoUrl) ?? null;
  const isForeign = row.kind !== "registered" && logoUrl !== null && !FETCHED_PICTURE.test(logoUrl);
  return {
    clientUri: storedUrl(row.clientUri) ?? null,
    logoUrl: isForeign ? null : logoUrl,
    policyUri: storedUrl(row.policyUri) ?? null,
    tosUri: storedUrl(row.tosUri) ?? null,
  };
}
