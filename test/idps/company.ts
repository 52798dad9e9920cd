/** A company whose administrators connect a product by the endpoints and test the connection in a browser. */

import { expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Client, registered } from "../support/client.ts";
import { setPolicy } from "../support/sso.ts";
import { presentFactor } from "../support/states.ts";
import { eventually } from "../support/waiting.ts";
import type { OpenidProduct, Product, SamlProduct } from "./identity-provider.ts";
import type { Pair } from "./pair.ts";
import { type Kind, type Visitor, visit } from "./visitor.ts";

const REPLICATED_MS = 5_000;

export interface ConnectedCompany {
  readonly owner: Client;
  readonly organizationId: string;
  readonly connectionId: string;
  /** The path of the connection. */
  readonly item: string;
  readonly slug: string;
  readonly entityId: string;
  /** The connection takes encrypted assertions only. */
  readonly isEncrypted: boolean;
}

/** Creates the company and a draft with the metadata of the product, and imports the metadata of the service there. */
export async function connectSaml(pair: Pair, product: SamlProduct, more: object = {}): Promise<ConnectedCompany> {
  const settings = { protocol: "saml", metadata_url: product.metadataUrl, ...product.settings, ...more };
  const company = await companyWithDraft(pair, product.email, { name: product.name, ...settings });
  await importService(pair, company, product);
  return company;
}

/** Creates the company and a draft, registers the service at the product, and stores the credentials. */
export async function connectOpenid(pair: Pair, product: OpenidProduct, more: object = {}): Promise<ConnectedCompany> {
  const { name, email, issuer, settings } = product;
  const company = await companyWithDraft(pair, email, { name, issuer, ...settings, ...more });
  const { body } = await company.owner.get(company.item);
  const addresses = { redirectUri: body.redirect_uri, backchannelLogoutUri: body.backchannel_logout_uri };
  const stored = await company.owner.patch(company.item, await product.register(addresses));
  if (stored.status !== 200) throw new Error(`storing the credentials returned ${stored.status}: ${stored.text}`);
  return company;
}

export async function companyWithDraft(pair: Pair, email: string, settings: object) {
  const { client: owner, userId, organizationId } = await registered(pair.origin);
  await presentFactor(pair.sql, userId);
  const domain = email.slice(email.indexOf("@") + 1);
  await pair.sql`delete from organization_domains where domain = ${domain}`;
  await pair.sql`
    insert into organization_domains (id, organization_id, domain, token, status,
                                      verified_at, checked_at, created_at, claimed_by)
    values (${randomUUID()}, ${organizationId}, ${domain}, ${randomUUID()}, 'verified', now(), now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
  await setPolicy(pair, organizationId, {});
  const base = `/v1/orgs/${organizationId}/sso/connections`;
  const created = await owner.post(base, settings);
  if (created.status !== 201) throw new Error(`creating a connection returned ${created.status}: ${created.text}`);
  const [row] = await pair.sql`select slug from organizations where id = ${organizationId}`;
  const connectionId = String(created.body.id);
  const item = `${base}/${connectionId}`;
  const { sp_entity_id: entityId, encrypted_assertions: encryption } = created.body;
  const isEncrypted = encryption === "required";
  return { owner, organizationId, connectionId, item, slug: String(row?.slug), entityId, isEncrypted };
}

/** Imports the metadata of the service at the product. */
export async function importService(
  pair: Pair,
  { connectionId, owner, isEncrypted }: ConnectedCompany,
  product: SamlProduct,
): Promise<void> {
  let metadata = "";
  await eventually("both replicas publish the metadata", REPLICATED_MS, async () => {
    const path = `/v1/auth/sso/${connectionId}/metadata`;
    const [one, other] = await Promise.all(
      [pair.one, pair.other].map(async ({ url }) => await owner.at(url).get(path)),
    );
    metadata = one?.text ?? "";
    return one?.status === 200 && one.text === other?.text;
  });
  await product.importService(metadata, isEncrypted);
}

type Employee = Pick<Product, "signIn">;

/** Tests the connection in the browser of the owner, and activates the connection. */
export async function testAndActivate(pair: Pair, kind: Kind, company: ConnectedCompany, product: Employee) {
  const { owner, item } = company;
  const visitor = await visit(kind, pair.origin);
  await visitor.become(owner);
  const { body } = await owner.post(`${item}/test`);
  await visitor.open(body.url);
  await product.signIn(visitor);
  await visitor.arrive("the result of the test", (url) => url.origin === pair.origin);
  const result = await owner.get(`${item}/test`);
  const failed = result.body.checks?.filter(({ outcome }: { outcome: string }) => outcome === "fail");
  expect([result.status, failed, result.body.succeeded]).toEqual([200, [], true]);
  await visitor.close();
  const activated = await owner.post(`${item}/activate`);
  expect([activated.status, activated.body.status]).toEqual([200, "active"]);
  await eventually("both replicas know the connection", REPLICATED_MS, async () => {
    const path = `/v1/auth/sso/${company.connectionId}/start`;
    const starts = [pair.one, pair.other].map(({ url }) => fetch(url + path, { redirect: "manual" }));
    return (await Promise.all(starts)).every(({ status }) => status !== 404);
  });
  return result.body;
}

/** Opens the page of the company, which leads to the product. */
export const openCompany = (pair: Pair, visitor: Visitor, { slug }: ConnectedCompany) =>
  visitor.open(`${pair.origin}/sso/${slug}?return_to=%2Fteam`);

/** Waits for a page of the service. A failure names the newest attempts. */
export async function arrivesAt(pair: Pair, visitor: Visitor, path: string): Promise<void> {
  try {
    await visitor.arrive(path, (url) => url.origin === pair.origin && url.pathname === path);
  } catch (error) {
    const attempts = await pair.sql`select at, outcome, reason, step from sso_attempts order by at desc limit 4`;
    throw new Error(`${error}\nThe newest attempts: ${JSON.stringify(attempts)}`);
  }
}

/** The newest session of a user: the state that pages and applications read. */
export async function sessionOf(pair: Pair, email: string) {
  const [session] = await pair.sql`
    select s.id, s.aal, s.auth_method, s.organization_bound, s.revoked_at, s.mfa_verified_at
    from sessions s join users u on u.id = s.user_id where u.email = ${email} order by s.created_at desc limit 1`;
  return session;
}
