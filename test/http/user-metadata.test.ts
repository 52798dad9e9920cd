/** Where metadata and external ids of users are, and where not (docs/contract.md, section 36.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { newEmail, PASSWORD, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { type Program, program } from "../support/programs.ts";
import { placesOf } from "../support/stored-text.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "users.delete", "members.add", "organizations.write"]);
});

const ERASURE_MS = 60_000;
const mark = () => crypto.randomUUID().replaceAll("-", "");

describe("private metadata and external ids (G501)", () => {
  test("They are in the row of the user alone, in no own response, and nowhere after the erasure (P12).", async () => {
    const host = await founded(at);
    const [secret, told, external] = [mark(), mark(), mark()];
    const email = newEmail();
    const path = `/v1/admin/users/by-external-id/${external}`;
    const fields = {
      email,
      password: PASSWORD,
      email_verified: true,
      public_metadata: { told },
      private_metadata: { secret },
      memberships: [{ organization_id: host.organizationId, role: "admin" }],
    };
    const { body: user } = await robot.put(path, fields);
    expect((await robot.put(path, { private_metadata: { secret, more: secret } })).status).toBe(200);
    const { client } = await signedIn(at.one.url, email);
    const own = [
      "/v1/users/me",
      "/v1/auth/session",
      `/v1/users/${user.user_id}`,
      `/v1/orgs/${host.organizationId}/members`,
      `/v1/orgs/${host.organizationId}/members/${user.user_id}/metadata`,
      `/v1/orgs/${host.organizationId}/audit-logs`,
    ];
    for (const each of own) {
      for (const reader of [client, host.client]) {
        const { text } = await reader.get(each);
        expect([each, text.includes(secret), text.includes(external)]).toEqual([each, false, false]);
      }
    }
    expect((await client.get("/v1/users/me")).text).toContain(told);
    for (const text of [secret, told, external]) expect([text, await placesOf(at, [text])]).toEqual([text, ["users"]]);
    expect((await robot.delete(`/v1/admin/users/${user.user_id}`)).status).toBe(202);
    await at.sql`update deletions set due_at = now() - interval '1 second' where subject_id = ${user.user_id}`;
    await eventually(
      "the erasure",
      ERASURE_MS,
      async () => (await at.sql`select 1 from users where id = ${user.user_id}`).length === 0,
    );
    expect(await placesOf(at, [secret, told, external])).toEqual([]);
  });
});
