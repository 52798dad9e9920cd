/** Applications that no administrator registered, under the name and with the addresses of a known application. */
import type { Deployment } from "./deployment.ts";
import { CALLBACK, type TestClient } from "./oauth.ts";

export const BORROWED_NAME = "GitHub CLI";
export const DOCUMENT_HOST = "chat.evil.example";

export type Stranger = "document" | "dynamic";

/** Inserts an application. The document of the application is fresh, so no replica fetches the document. */
export async function insertStranger(
  { sql }: Pick<Deployment, "sql">,
  kind: Stranger,
  columns: Record<string, unknown> = {},
): Promise<TestClient & { readonly rowId: string }> {
  const rowId = crypto.randomUUID();
  const url = kind === "document" ? `https://${DOCUMENT_HOST}/${rowId}.json` : null;
  const at = new Date();
  const row = {
    id: rowId,
    name: BORROWED_NAME,
    application_type: "web",
    token_auth_method: "none",
    redirect_uris: [CALLBACK, "https://github.com/callback"],
    post_logout_redirect_uris: [CALLBACK],
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    scopes: ["openid", "profile", "email"],
    resources: [],
    audiences: [],
    first_party: false,
    subject_type: "public",
    policy_uri: "https://github.com/policy",
    kind,
    external_id: url,
    document_hash: url && "hash",
    fetched_at: url && at,
    fresh_until: url && new Date(at.getTime() + 3_600_000),
    created_at: at,
    updated_at: at,
    ...columns,
  };
  await sql`insert into oauth_clients ${sql(row as never)}`;
  return { id: url ?? rowId, rowId, secret: "", redirectUri: CALLBACK };
}
