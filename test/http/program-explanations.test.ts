/** The rule that refused a program, in the explanation of the request (docs/contract.md, section 14.11). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Program, program, programAt } from "../support/programs.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { invitationsOf, membersOf } from "../support/team.ts";
import { until } from "../support/waiting.ts";

const USERS = "/v1/admin/users";
const PLATFORM = "/v1/admin/service-accounts";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpAdmin>>;
let host: Awaited<ReturnType<typeof steppedUpOwner>>;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpAdmin(at, "owner");
  host = await steppedUpOwner(at);
  robot = await program(at, ["users.write", "members.list", "members.invite", "service_accounts.write"]);
});

async function explained(response: { readonly status: number; readonly headers: Headers }) {
  let body: { requests: { rule: string; status: number }[]; sentences: string[] } | undefined;
  await until("the decision is recorded", async () => {
    const found = await owner.client.get(`/v1/admin/requests/${response.headers.get("x-request-id")}`);
    body = found.status === 200 && found.body.requests.length > 0 ? found.body : undefined;
    return body !== undefined;
  });
  return [body?.requests[0]?.rule, body?.requests[0]?.status, body?.sentences.join(" ") ?? ""] as const;
}

describe("the rule that refused a program (G602)", () => {
  test("permission: the explanation names the missing permission, also of a part of the request.", async () => {
    const [rule, status, sentences] = await explained(await robot.delete(`${USERS}/${UNKNOWN}`, {}));
    expect([rule, status]).toEqual(["permission:users.delete", 403]);
    expect(sentences).toContain("The program lacks the permission.");
    expect(sentences).toContain(`API key ${robot.keyId} without an organization`);
    const link = { email: "linked@example.com", delivery: "link" };
    expect((await explained(await robot.post(invitationsOf(host.organizationId), link)))[0]).toBe(
      "permission:users.credentials",
    );
    const member = { email: "m@example.com", memberships: [{ organization_id: host.organizationId }] };
    expect((await explained(await robot.post(USERS, member)))[0]).toBe("permission:members.add");
  });

  test("reach: an organization out of reach and an unknown one differ in the explanation alone.", async () => {
    const { organizationId } = await steppedUpOwner(at);
    const own = programAt(at.one.url, await keyOf(host.client, accountsOf(host.organizationId), ["members.list"]));
    const bounds = { organizations: [host.organizationId] };
    const listed = programAt(at.one.url, await keyOf(owner.client, PLATFORM, ["members.list"], bounds));
    for (const each of [own, listed]) {
      const [out, unknown] = [await each.get(membersOf(organizationId)), await each.get(membersOf(UNKNOWN))];
      expect([out.status, out.body.error.message]).toEqual([404, unknown.body.error.message]);
      expect((await explained(out)).slice(0, 2)).toEqual(["reach", 404]);
    }
    expect((await explained(await robot.get(membersOf(UNKNOWN))))[0]).not.toBe("reach");
    expect((await explained(await own.get(`/v1/admin/orgs/${host.organizationId}/members`))).slice(0, 2)).toEqual([
      "reach",
      403,
    ]);
  });

  test("protected_user: a user with a platform role.", async () => {
    const refused = await robot.patch(`${USERS}/${owner.userId}`, { display_name: "Mallory" });
    expect((await explained(refused)).slice(0, 2)).toEqual(["protected_user", 403]);
  });

  test("widening: the explanation names the excess of the new key.", async () => {
    const account = await robot.post(PLATFORM, { name: "Child" });
    const keys = `${PLATFORM}/${account.body.id}/keys`;
    const refused = async (scopes: readonly string[]) =>
      (await explained(await robot.post(keys, { scopes }))).slice(0, 2);
    expect(await refused(["users.delete"])).toEqual(["widening:users.delete", 403]);
    expect(await refused(["users.credentials"])).toEqual(["widening:users.credentials", 403]);
  });

  test("No response contains the rule, and people are not explained as programs.", async () => {
    const person = await registered(at.one.url);
    const refused = await person.client.get(USERS);
    expect((await explained(refused))[0]).toBe("This needs the platform role viewer or a higher one.");
    const { text } = await robot.patch(`${USERS}/${owner.userId}`, { display_name: "Mallory" });
    expect(text).not.toContain("protected_user");
    expect((await new Client(at.one.url).get(USERS)).status).toBe(401);
  });
});
