/** Set-up links over HTTP. */
import { type Answer, Client } from "./client.ts";
import { company, type SsoDeployment } from "./sso.ts";

/** An owner with a step-up, in an organization without settings for single sign-on. */
export async function setupHost({ at, forged }: SsoDeployment) {
  const made = await company(at, crypto.randomUUID(), forged.provider.url);
  await at.sql`delete from sso_connections where id = ${made.connectionId}`;
  await at.sql`delete from organization_domains where organization_id = ${made.organizationId}`;
  await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${made.ownerId}`;
  const base = `/v1/orgs/${made.organizationId}/sso/setup-links`;
  const create = (body: object) => made.owner.post(base, body);
  return { ...made, base, create };
}

/** The browser of a link: the cookie is in the jar, the value of the header in the script of the front end. */
export class SetupHolder {
  readonly client: Client;
  csrf: string | undefined;

  constructor(sso: SsoDeployment) {
    this.client = new Client(sso.at.one.url);
  }

  async begin(token: string): Promise<Answer> {
    const begun = await this.client.post("/v1/setup/begin", { token });
    this.csrf = begun.body?.csrf_token;
    return begun;
  }

  /** The jar of tests has one path for all cookies, and the cookie of a link has its own. */
  async send(method: string, path: string, body?: unknown, csrf = this.csrf): Promise<Answer> {
    const cookies = this.client.jar.getCookiesSync("https://auth.example.test/v1/setup");
    const cookie = cookies.map((each) => each.cookieString()).join("; ");
    const headers = { cookie, ...(csrf !== undefined && { "x-service-csrf": csrf }) };
    return await this.client.request(method, path, { body, headers });
  }
}

interface SetupEndpoint {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  /** Input that the endpoint accepts. */
  readonly body?: object;
  /** The task of the endpoint. */
  readonly intent?: "connection" | "directory" | "domains";
}

/** The endpoints of a begun link. */
export const SETUP_ENDPOINTS: readonly SetupEndpoint[] = [
  { method: "GET", path: "/v1/setup" },
  { method: "GET", path: "/v1/setup/domains", intent: "domains" },
  { method: "POST", path: "/v1/setup/domains", body: { domain: "of-a-link.test" }, intent: "domains" },
  { method: "POST", path: "/v1/setup/domains/{id}/verify", intent: "domains" },
  { method: "GET", path: "/v1/setup/connection", intent: "connection" },
  { method: "POST", path: "/v1/setup/connection", body: { protocol: "oidc", name: "Mine" }, intent: "connection" },
  { method: "PATCH", path: "/v1/setup/connection", body: { name: "Mine" }, intent: "connection" },
  { method: "POST", path: "/v1/setup/connection/metadata", body: { apply: true }, intent: "connection" },
  { method: "POST", path: "/v1/setup/connection/test", intent: "connection" },
  { method: "GET", path: "/v1/setup/connection/test", intent: "connection" },
  { method: "POST", path: "/v1/setup/connection/request-activation", intent: "connection" },
  { method: "POST", path: "/v1/setup/directory-token", intent: "directory" },
  { method: "POST", path: "/v1/setup/finish" },
];
