/** A company with an identity provider by SAML whose responses a test writes, and browsers of its employees. */
import { randomUUID } from "node:crypto";
import type { Answer, Client } from "../client.ts";
import { registered } from "../client.ts";
import type { Deployment } from "../deployment.ts";
import { announceConnections, SsoBrowser, type SsoDeployment, setPolicy } from "../sso.ts";
import { until } from "../waiting.ts";
import { samlKeys } from "./keys.ts";
import { IDP } from "./message.ts";
import { type ReceivedRequest, type ResponseOptions, readRequest, respondTo } from "./responses.ts";

export const SSO_URL = "https://idp.acme.example/saml/sso";

/** An organization whose owner has stepped up, with a verified domain and a draft by SAML. */
export interface SamlCompany {
  readonly owner: Client;
  readonly ownerId: string;
  readonly organizationId: string;
  readonly domain: string;
  readonly connectionId: string;
  /** The path of the connection. */
  readonly item: string;
}

/** Creates the company by the endpoints, except for the domain. */
export async function samlCompany(at: Deployment, settings: object = {}): Promise<SamlCompany> {
  const { client: owner, userId: ownerId, organizationId } = await registered(at.one.url);
  await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${ownerId}`;
  const domain = `${randomUUID()}.test`;
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status,
                                      verified_at, checked_at, created_at, claimed_by)
    values (${randomUUID()}, ${organizationId}, ${domain}, ${randomUUID()}, 'verified', now(), now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
  await setPolicy(at, organizationId, {});
  const certificates = [samlKeys.idp().certificate];
  const base = `/v1/orgs/${organizationId}/sso/connections`;
  const body = { name: "Acme SAML", protocol: "saml", entity_id: IDP, sso_url: SSO_URL, certificates, ...settings };
  const created = await owner.post(base, body);
  if (created.status !== 201) throw new Error(`creating a connection returned ${created.status}: ${created.text}`);
  const connectionId: string = created.body.id;
  return { owner, ownerId, organizationId, domain, connectionId, item: `${base}/${connectionId}` };
}

/** As `samlCompany`, active and known to both replicas. */
export async function activeSamlCompany(at: SsoDeployment["at"], settings: object = {}): Promise<SamlCompany> {
  const company = await samlCompany(at, settings);
  await at.sql`
    update sso_connections set status = 'active', tested_at = now(), activated_by = created_by, updated_at = now()
    where id = ${company.connectionId}`;
  await announceConnections(at);
  await until("the replicas know the connection", async () => {
    const path = `/v1/auth/sso/${company.connectionId}/start`;
    const starts = [at.one, at.other].map(({ url }) => fetch(`${url}${path}`, { redirect: "manual" }));
    return (await Promise.all(starts)).every(({ status }) => status !== 404);
  });
  return company;
}

/** Posts a form to the assertion consumer service as a page of another site does: without cookies. */
export async function postResponse(
  url: string,
  connectionId: string,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly location: string; readonly requestId: string }> {
  const response = await fetch(`${url}/v1/auth/sso/${connectionId}/acs`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: "https://idp.acme.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams(form),
  });
  await response.text();
  const { headers, status } = response;
  return { status, location: headers.get("location") ?? "", requestId: headers.get("x-request-id") ?? "" };
}

/** The browser of an employee. */
export class SamlBrowser extends SsoBrowser {
  /** Starts a sign-in by the redirect binding, and returns the request. */
  async request(connectionId: string, query = ""): Promise<ReceivedRequest> {
    return readRequest(new URL(await this.begin(connectionId, query)));
  }

  /** Opens the redirect of the assertion consumer service, as an application that accepts JSON. */
  async arrive(location: string, url = this.client.baseUrl): Promise<Answer> {
    return await this.client.at(url).get(location, { headers: { accept: "application/json" } });
  }

  /** A sign-in from the start to the end. */
  override async signIn(connectionId: string, email: string, options: ResponseOptions = {}): Promise<Answer> {
    const request = await this.request(connectionId);
    const form = { SAMLResponse: respondTo(request, email, options), RelayState: request.relayState };
    return await this.arrive((await postResponse(this.client.baseUrl, connectionId, form)).location);
  }
}
