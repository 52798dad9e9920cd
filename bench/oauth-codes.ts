/**
 * Inserts applications with their APIs, and authorization codes, into the database of the service, because the step-up
 * of an administrator is not measured.
 */
import { createHash, randomBytes } from "node:crypto";
import postgres from "postgres";

export type Algorithm = "RS256" | "ES256" | "EdDSA";

/** An application, and the API for which the application requests access tokens, with tokens of one algorithm. */
export interface BenchClient {
  readonly algorithm: Algorithm;
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly scopes: readonly string[];
  readonly resource: string;
}

export const CLIENTS: Readonly<Record<Algorithm, BenchClient>> = {
  RS256: clientOf("RS256"),
  ES256: clientOf("ES256"),
  EdDSA: clientOf("EdDSA"),
};

function clientOf(algorithm: Algorithm): BenchClient {
  return {
    algorithm,
    id: crypto.randomUUID(),
    secret: randomBytes(32).toString("base64url"),
    redirectUri: "https://app.example.test/callback",
    verifier: randomBytes(32).toString("base64url"),
    scopes: ["openid", "email"],
    resource: `https://${algorithm.toLowerCase()}.api.example.test/`,
  };
}

export const DEVICE_CLIENT = crypto.randomUUID();
export const DOCUMENT_CLIENT = "https://app.example.test/client.json";

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Inserts the clients once. The call precedes the start of the service, because replicas read clients at the start. */
export async function insertClients(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  for (const client of Object.values(CLIENTS)) {
    const present = await sql`select 1 from oauth_clients where id = ${client.id}`;
    if (present.length > 0) continue;
    await sql`
      insert into oauth_resources (id, identifier, identifier_key, name, scopes, signing_alg, created_at, updated_at)
      values (gen_random_uuid(), ${client.resource}, ${client.resource}, 'Bench', '[]', ${client.algorithm}, now(),
              now())`;
    await sql`
      insert into oauth_clients (id, name, application_type, token_auth_method, redirect_uris,
                                 post_logout_redirect_uris, grant_types, scopes, resources, audiences, first_party,
                                 subject_type, id_token_signed_response_alg, created_at, updated_at)
      values (${client.id}, 'Bench', 'web', 'client_secret_basic', ${[client.redirectUri]}, '{}',
              ${["authorization_code", "refresh_token"]}, ${[...client.scopes]}, ${[client.resource]}, '{}', true,
              'public', ${client.algorithm}, now(), now())`;
    await sql`
      insert into oauth_client_secrets (id, client_id, secret_hash, created_at)
      values (gen_random_uuid(), ${client.id}, ${sha256(client.secret)}, now())`;
  }
  await sql.end();
}

/**
 * Inserts `count` codes of the client with a lifetime of an hour, for all signed-in users in turn. Preceding lines
 * leave users with thousands of sessions; a user with equally many codes would exceed the bound of live authorizations.
 */
export async function insertCodes(databaseUrl: string, client: BenchClient, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomBytes(32).toString("base64url"));
  const [scopes, resources] = [[...client.scopes], [client.resource]];
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into oauth_grants (id, user_id, client_id, scopes, resources, created_at, updated_at)
    select gen_random_uuid(), id, ${client.id}, ${scopes}, ${resources}, now(), now() from users
    on conflict do nothing`;
  await sql`
    with one_session as (
      select distinct on (user_id) user_id, id from sessions where revoked_at is null order by user_id, id desc
    ),
    signed_in as (
      select g.id as grant_id, u.id as user_id, s.id as session_id, u.credentials_epoch,
             row_number() over () - 1 as place, count(*) over () as people
      from users u join one_session s on s.user_id = u.id join oauth_grants g on g.user_id = u.id
      where g.client_id = ${client.id}
    )
    insert into oauth_codes (code_hash, grant_id, client_id, user_id, session_id, redirect_uri, code_challenge, nonce,
                             scopes, resources, subject, credentials_epoch, expires_at)
    select decode(code.hash, 'hex'), p.grant_id, ${client.id}, p.user_id, p.session_id, ${client.redirectUri},
           ${sha256(client.verifier).toString("base64url")}, 'nonce', ${scopes}, ${resources}, p.user_id,
           p.credentials_epoch, now() + interval '1 hour'
    from unnest(${codes.map((code) => sha256(code).toString("hex"))}::text[]) with ordinality as code (hash, number)
    join signed_in p on p.place = code.number % p.people`;
  await sql.end();
  return codes;
}

/** Inserts a registered client of devices, and a client with a metadata document that stays fresh. */
export async function insertDeviceClients(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  for (const [id, kind, address] of [
    [DEVICE_CLIENT, "registered", null],
    [crypto.randomUUID(), "document", DOCUMENT_CLIENT],
  ] as const) {
    await sql`
      insert into oauth_clients (id, name, application_type, token_auth_method, redirect_uris,
                                 post_logout_redirect_uris, grant_types, scopes, resources, audiences, first_party,
                                 subject_type, kind, external_id, document_hash, fetched_at, fresh_until, created_at,
                                 updated_at)
      values (${id}, 'Bench', 'native', 'none', '{}', '{}', ${["urn:ietf:params:oauth:grant-type:device_code"]},
              '{openid}', '{}', '{}', false, 'public', ${kind}, ${address}, 'x', now(), now() + interval '1 day', now(),
              now())
      on conflict do nothing`;
  }
  await sql.end();
}

/** Inserts waiting devices of a client, with the longest interval: a poll before the end changes no row. */
export async function insertDevices(databaseUrl: string, clientId: string, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomBytes(32).toString("base64url"));
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into oauth_device_codes (id, device_code_hash, user_code, client_id, scopes, resources, second_factor,
                                    interval_seconds, created_at, expires_at)
    select gen_random_uuid(), decode(code.hash, 'hex'), code.hash, c.id, '{openid}', '{}', false, 60, now(),
           now() + interval '1 hour'
    from unnest(${codes.map((code) => sha256(code).toString("hex"))}::text[]) code (hash)
    join oauth_clients c on c.id::text = ${clientId} or c.external_id = ${clientId}`;
  await sql.end();
  return codes;
}
