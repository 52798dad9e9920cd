/** Decisions of an organization about applications, by the API (docs/contract.md, section 33.9; G242). */
import { beforeAll, describe, expect, test } from "bun:test";
import { registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { introspectAt, personWithBrowser, registerClient, tokensFor } from "../support/oauth.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const applicationsOf = (organizationId: string) => `/v1/orgs/${organizationId}/applications`;
const applicationOf = (organizationId: string, id: string) => `/v1/orgs/${organizationId}/applications/${id}`;
const approveOf = (organizationId: string, id: string) => `/v1/orgs/${organizationId}/applications/${id}/approve`;
const denyOf = (organizationId: string, id: string) => `/v1/orgs/${organizationId}/applications/${id}/deny`;

/** An organization with a request of a member for an application; `first_party`: an application without consent. */
async function requested(first_party = false) {
  const owner = await personWithBrowser();
  await stepUpSessions(at.sql, owner.userId);
  const member = await memberWith(at, owner.organizationId, "member");
  const application = await registerClient({ name: "Notes", first_party });
  await at.sql`
    insert into organization_applications (organization_id, client_id, status, requested_by, requested_at)
    values (${owner.organizationId}, ${application.id}, 'requested', ${member.userId}, now())`;
  const path = applicationsOf(owner.organizationId);
  const named = [owner.organizationId, application.id] as const;
  const paths = { path, item: applicationOf(...named), approval: approveOf(...named), denial: denyOf(...named) };
  return { owner, client: owner.browser.client, member, application, ...paths };
}

const actionsAbout = async (id: string) =>
  (
    await at.sql`select action from audit_logs where resource_id = ${id} and action like 'organization.%' order by id`
  ).map(({ action }) => action);

describe("applications of an organization", () => {
  test("200, 204: a request is listed, approved at the other replica and denied, each recorded once", async () => {
    const { client, member, application, path, approval, denial } = await requested();
    const open = await client.get(path);
    expect([open.status, open.body.items]).toEqual([
      200,
      [
        {
          id: application.id,
          client_id: application.id,
          name: "Notes",
          kind: "registered",
          host: null,
          changed: false,
          redirect_uris: expect.any(Array),
          status: "requested",
          requested_by: member.email,
          requested_at: expect.any(String),
          decided_at: null,
        },
      ],
    ]);
    const approve = () => client.at(at.other.url).post(approval);
    expect([(await approve()).status, (await approve()).status]).toEqual([204, 204]);
    expect((await client.get(path)).body.total).toBe(0);
    const decided = async () => (await client.get(`${path}?state=decided`)).body.items[0]?.status;
    expect(await decided()).toBe("approved");
    expect((await client.post(denial)).status).toBe(204);
    expect(await decided()).toBe("denied");
    expect(await actionsAbout(application.id)).toEqual([
      "organization.application_approved",
      "organization.application_denied",
    ]);
  });

  test("204: the end of the access ends tokens on both replicas and the approval; then 404", async () => {
    const { owner, client, application, item, approval } = await requested(true);
    expect((await client.post(approval)).status).toBe(204);
    const { access_token: token } = await tokensFor(application, owner.browser);
    const isActive = async (url: string) => (await introspectAt(url, application, String(token))).body.active;
    expect(await isActive(at.other.url)).toBe(true);
    expect((await client.delete(item)).status).toBe(204);
    expect([await isActive(at.one.url), await isActive(at.other.url)]).toEqual([false, false]);
    expect((await client.delete(item)).status).toBe(404);
    expect((await client.post(approveOf(owner.organizationId, crypto.randomUUID()))).status).toBe(404);
  });

  test("403, 404: members without applications.manage and further organizations read and decide nothing", async () => {
    const { member, application, path, item, approval, denial } = await requested();
    const stranger = await registered(at.one.url);
    const attempts = [
      () => member.client.get(path),
      () => member.client.post(approval),
      () => member.client.post(denial),
      () => member.client.delete(item),
    ];
    for (const attempt of attempts) expect((await attempt()).body.error.code).toBe("forbidden");
    expect((await stranger.client.get(path)).status).toBe(404);
    expect((await stranger.client.post(approval)).status).toBe(404);
    expect(await actionsAbout(application.id)).toEqual([]);
  });
});
