/** Connections of the demo organization: an active connection with users and attempts, and a draft. */
import type postgres from "postgres";
import type { Client } from "../support/client.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { metadataText } from "../support/saml/metadata.ts";
import { readRequest, respondTo } from "../support/saml/responses.ts";
import { postResponse } from "../support/saml/saml-browser.ts";

interface SsoSite {
  readonly origin: string;
  readonly sql: postgres.Sql;
  readonly client: Client;
  readonly organizationId: string;
  readonly userId: string;
}

/** Attempts of the last hours: reason, or null for a success; address. */
const ATTEMPTS = [
  [null, "ada@analytical.example"],
  ["domain", "mary@somerville.example"],
  ["provider_error", null],
  ["not_invited", "william@analytical.example"],
  ["identity_conflict", "charles@analytical.example"],
] as const;

const OTHER_AUDIENCE =
  "<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>";

/** Returns the ids of the connections. */
export async function fillSingleSignOn(site: SsoSite) {
  const { sql, client, organizationId, userId } = site;
  const base = `/v1/orgs/${organizationId}/sso/connections`;
  const active = await client.post(base, {
    name: "Analytical Engines (Entra ID)",
    preset: "entra_id",
    issuer: "https://login.microsoftonline.com/8c4cbd21-5d0f-4d3c-9d0a-6a3f0a2b1c3d/v2.0",
    client_id: "7f3a1c52-9c1e-4a43-8d0f-2f6c1a9b7e10",
    token_auth: "private_key_jwt",
    mfa_trust: ["mfa"],
    attributes: [{ name: "department", from: "department" }],
  });
  const draft = await client.post(base, { name: "Okta", preset: "okta" });
  // The name of the identity provider never resolves (RFC 6761, section 6.4): a test fails at the first check.
  const unreachable = await client.post(base, {
    name: "Staff (Keycloak)",
    preset: "keycloak",
    issuer: "https://idp.analytical.invalid/realms/staff",
    client_id: "acme",
    client_secret: "a-secret-of-keycloak",
  });
  const samlDraft = await client.post(base, { name: "Google Workspace", preset: "google_workspace", protocol: "saml" });
  const saml = await client.post(base, {
    name: "AD FS",
    preset: "adfs",
    protocol: "saml",
    metadata_xml: metadataText({ certificates: [samlKeys.idp().certificate, samlKeys.nextIdp().certificate] }),
    email_from: "mail",
    groups_from: "groups",
  });
  for (const { status, text } of [active, draft, unreachable, samlDraft, saml]) {
    if (status !== 201) throw new Error(`the demo expected a connection, got ${status}: ${text}`);
  }
  const connection = String(active.body.id);
  await client.post(`${base}/${connection}/service-key`);
  await sql`
    update sso_connections set status = 'active', tested_at = now(), last_success_at = now() - interval '20 minutes'
    where id = ${connection}`;
  await sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${crypto.randomUUID()}, ${connection}, sha256('ada'), 'ada', ${userId}, 'domain', now(), now())`;
  for (const [index, [reason, email]] of ATTEMPTS.entries()) {
    await sql`
      insert into sso_attempts (id, connection_id, at, outcome, reason, step, requested, email, request_id)
      values (${crypto.randomUUID()}, ${connection}, now() - ${`${index * 20 + 20} minutes`}::interval,
              ${reason ? "failure" : "success"}, ${reason}, 'session', true, ${email}, ${crypto.randomUUID()})`;
  }
  await sql`
    insert into organization_domains (id, organization_id, domain, token, status, created_at)
    select gen_random_uuid(), o.id, 'difference.example', substr(md5(o.id::text), 1, 32),
           case when o.id = ${organizationId} then 'pending' else 'verified' end, now()
    from organizations o where o.name = 'Contoso' or o.id = ${organizationId}`;
  await testSaml(site, `${base}/${saml.body.id}`);
  return {
    connection,
    draft: String(draft.body.id),
    unreachable: String(unreachable.body.id),
    samlDraft: String(samlDraft.body.id),
    saml: String(saml.body.id),
  };
}

/** A test with a response whose audience is a different service. */
async function testSaml({ origin, client }: SsoSite, item: string): Promise<void> {
  const begun = await client.post(`${item}/test`);
  const { pathname, search } = new URL(begun.body.url);
  const started = await client.get(pathname + search);
  const request = readRequest(new URL(started.headers.get("location") ?? ""));
  const message = respondTo(request, "ada@analytical.example", { parts: { conditions: OTHER_AUDIENCE } });
  const form = { SAMLResponse: message, RelayState: request.relayState };
  const { location } = await postResponse(origin, item.split("/").at(-1) ?? "", form);
  await client.get(location);
}
