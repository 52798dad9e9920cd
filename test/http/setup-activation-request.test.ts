/** The end of a requested activation with its set-up link, over two replicas (docs/contract.md, section 29.52). */
import { beforeEach, expect, test } from "bun:test";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { signedInForms } from "../support/pages.ts";
import { SetupHolder } from "../support/setup-links.ts";
import { company, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { moveSessions } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

const { awaitingOwner: WAITING } = TEXTS.en.ssoSetup;

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
});

/** A link by an admin, which has asked the owners for the activation of its tested connection. */
async function requested() {
  const { at, forged } = sso;
  const host = await company(at, crypto.randomUUID(), forged.provider.url);
  const { connectionId, organizationId, owner, ownerId } = host;
  await at.sql`update sso_connections set status = 'draft', activated_by = null where id = ${connectionId}`;
  const [creator, admin] = [
    await memberWith(at, organizationId, "admin"),
    await memberWith(at, organizationId, "admin"),
  ];
  await moveSessions(at.sql, admin.userId, organizationId);
  for (const userId of [ownerId, creator.userId, admin.userId]) await stepUpSessions(at.sql, userId);
  const links = `/v1/orgs/${organizationId}/sso/setup-links`;
  const { status, body } = await creator.client.post(links, { intents: ["connection"] });
  expect(status).toBe(201);
  const holder = new SetupHolder(sso);
  expect((await holder.begin(new URL(body.url).searchParams.get("token") ?? "")).status).toBe(200);
  await at.sql`update sso_setup_links set connection_id = ${connectionId} where id = ${body.id}`;
  expect((await holder.send("POST", "/v1/setup/connection/request-activation")).status).toBe(204);
  const item = `/v1/orgs/${organizationId}/sso/connections/${connectionId}`;
  const activate = async (url: string) => (await admin.client.at(url).post(`${item}/activate`)).status;
  return {
    host,
    creator,
    admin,
    holder,
    linkId: String(body.id),
    links,
    activate,
    owner,
    organizationId,
    connectionId,
  };
}

type Requested = Awaited<ReturnType<typeof requested>>;

const ENDS: Readonly<Record<string, (from: Requested) => Promise<unknown>>> = {
  "the revocation of the link": async ({ owner, links, linkId }) => {
    expect((await owner.delete(`${links}/${linkId}`)).status).toBe(204);
  },
  "the expiry of the link": ({ linkId }) =>
    sso.at.sql`update sso_setup_links set expires_at = now() - interval '1 minute' where id = ${linkId}`,
  "the end of the browser of the link": ({ linkId }) =>
    sso.at.sql`update sso_setup_links set begun_at = now() - interval '1 day' where id = ${linkId}`,
  "a lower role of the creator": async ({ owner, organizationId, creator }) => {
    const member = `/v1/orgs/${organizationId}/members/${creator.userId}`;
    expect((await owner.patch(member, { role: "member" })).status).toBe(200);
  },
  "the removal of the creator": async ({ owner, organizationId, creator }) => {
    expect((await owner.delete(`/v1/orgs/${organizationId}/members/${creator.userId}`)).status).toBe(204);
  },
};

test.each(Object.keys(ENDS))("A requested activation waits for an owner, and ends with %s (G423).", async (name) => {
  const from = await requested();
  const { activate, connectionId, admin } = from;
  const { one, other } = sso.at;
  expect([await activate(one.url), await activate(other.url)]).toEqual([403, 403]);
  const { forms } = await signedInForms(other.url, admin.client.jar);
  const shown = async () => (await forms.get(`/team/single-sign-on/${connectionId}`)).text.includes(WAITING);
  expect(await shown()).toBe(true);
  await ENDS[name]?.(from);
  expect(await shown()).toBe(false);
  expect(await activate(other.url)).toBe(200);
  const [row] = await sso.at.sql`select status, activated_by from sso_connections where id = ${connectionId}`;
  expect(row).toEqual({ status: "active", activated_by: admin.userId });
});

test("A completed set-up link leaves its requested activation to the owners (G423).", async () => {
  const { activate, holder } = await requested();
  expect((await holder.send("POST", "/v1/setup/finish")).status).toBe(204);
  expect([await activate(sso.at.one.url), await activate(sso.at.other.url)]).toEqual([403, 403]);
});
