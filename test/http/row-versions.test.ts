/** `ETag`, `If-Match` and `If-None-Match` (docs/contract.md, section 36.5). */
import { beforeAll, describe, expect, test } from "bun:test";
import { newEmail } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Program, program } from "../support/programs.ts";
import { founded, stepUpSessions } from "../support/team.ts";

let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "users.delete", "organizations.write"]);
});

const USERS = "/v1/admin/users";
const match = (tag: string | null) => ({ "if-match": tag ?? "" });
const tagOf = ({ headers }: { headers: Headers }) => headers.get("etag");

async function newUser() {
  const { body } = await robot.post(USERS, { email: newEmail(), external_id: `crm|${crypto.randomUUID()}` });
  return { path: `${USERS}/${body.user_id}`, body };
}

describe("versions of users and organizations (G500)", () => {
  test("A single response carries a strong ETag, which every change of the user replaces.", async () => {
    const { path, body } = await newUser();
    const read = await robot.get(path);
    expect(tagOf(read)).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
    expect(tagOf(await robot.get(path))).toBe(tagOf(read));
    const other = await robot.get(`${USERS}/by-external-id/${encodeURIComponent(body.external_id)}`);
    expect(tagOf(other)).toBe(tagOf(read));
    const changed = await robot.patch(path, { locale: "fr" });
    expect(tagOf(changed)).not.toBe(tagOf(read));
    expect(tagOf(await robot.get(path))).toBe(tagOf(changed));
    expect(tagOf(await robot.patch(path, { locale: "fr" }))).toBe(tagOf(changed));
  });

  test("If-Match of a former version is 412, and nothing changes; the present version is changed.", async () => {
    const { path } = await newUser();
    const first = tagOf(await robot.get(path));
    const second = tagOf(await robot.patch(path, { locale: "fr" }));
    const refused = await robot.patch(path, { locale: "de" }, match(first));
    expect([refused.status, refused.body.error.code]).toEqual([412, "precondition_failed"]);
    expect((await robot.get(path)).body.locale).toBe("fr");
    for (const tag of [`W/${second}`, '"other"', "no tag", "", '"']) {
      expect([tag, (await robot.patch(path, { locale: "de" }, match(tag))).status]).toEqual([tag, 412]);
    }
    const several = await robot.patch(path, { locale: "de" }, match(`"x", ${second}`));
    expect([several.status, several.body.locale]).toEqual([200, "de"]);
    expect((await robot.patch(path, { locale: "it" }, match("*"))).status).toBe(200);
    expect((await robot.delete(path, {}, match(second))).status).toBe(412);
    expect((await robot.get(path)).body.deletion_at).toBeNull();
    const last = tagOf(await robot.get(path));
    expect((await robot.delete(path, {}, match(last))).status).toBe(202);
    expect((await robot.patch(`${USERS}/${crypto.randomUUID()}`, {}, match(last))).status).toBe(404);
  });

  test("A malformed header equals no version, although a part of the header is the tag (G552).", async () => {
    const { path } = await newUser();
    const tag = tagOf(await robot.get(path));
    const malformed = [
      `abc${tag}`,
      `${tag}xyz`,
      `w/${tag}`,
      `W/ ${tag}`,
      `"x" ${tag}`,
      `*, ${tag}`,
      `${tag};`,
      `"a b", ${tag}`,
    ];
    for (const each of malformed) {
      expect([each, (await robot.patch(path, { locale: "de" }, match(each))).status]).toEqual([each, 412]);
    }
    expect((await robot.patch(path, { locale: "de" }, match(`, W/"x",, ${tag} ,`))).status).toBe(200);
  });

  test("Address, password and sessions of a user compare the version of the user (G552).", async () => {
    const person = await founded(at);
    const all = await program(at, ["users.write", "users.credentials", "members.add", "organizations.write"]);
    const path = `${USERS}/${person.userId}`;
    const stale = match('"stale"');
    const other = crypto.randomUUID();
    const refused = [
      all.put(`${path}/email`, { email: newEmail() }, stale),
      all.put(`${path}/password`, { password: "an entirely different password" }, stale),
      all.delete(`${path}/sessions`, undefined, stale),
      all.delete(`${path}/sessions/${other}`, undefined, stale),
      all.delete(`${path}/passkeys/${other}`, undefined, stale),
      all.delete(`${path}/identities/${other}`, undefined, stale),
      all.put(`/v1/admin/orgs/${person.organizationId}/members/${person.userId}`, { role: "owner" }, stale),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(Array(7).fill(412));
    expect((await person.client.get("/v1/users/me")).body.email).toBe(person.email);
    const changed = await all.put(`${path}/email`, { email: newEmail() }, match(tagOf(await all.get(path))));
    expect([changed.status, tagOf(changed)]).toEqual([200, tagOf(await all.get(path))]);
    const ended = await all.delete(`${path}/sessions`, undefined, match(tagOf(changed)));
    expect(ended.status).toBe(204);
  });

  test("A resource without versions has no tag: any condition but * is 412, and nothing changes (G552).", async () => {
    const { client } = await steppedUpAdmin(at, "owner");
    const accounts = "/v1/admin/service-accounts";
    const { body } = await client.post(accounts, { name: "Conditional" });
    const remove = (headers: Record<string, string>) => client.request("DELETE", `${accounts}/${body.id}`, { headers });
    expect((await remove(match('"stale"'))).status).toBe(412);
    expect((await remove(match(""))).status).toBe(412);
    expect((await remove(match("*"))).status).toBe(204);
  });

  test("Of twenty editors with one version, one change is made and none is lost (P7).", async () => {
    const { path } = await newUser();
    const tag = tagOf(await robot.get(path));
    const answers = await race((index) => robot.patch(path, { display_name: `Editor ${index}` }, match(tag)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 412).length).toBe(answers.length - 1);
    const winner = answers.find(({ status }) => status === 200);
    expect((await robot.get(path)).body.display_name).toBe(winner?.body.display_name);
  });

  test("A counter that two programs raise by If-Match loses no step beside unconditional changes (P7).", async () => {
    const { path } = await newUser();
    await robot.patch(path, { public_metadata: { count: 0 } });
    const raise = async () => {
      for (;;) {
        const read = await robot.get(path);
        const count = read.body.public_metadata.count + 1;
        const { status } = await robot.patch(path, { public_metadata: { count } }, match(tagOf(read)));
        if (status === 200) return;
      }
    };
    const disturb = () => robot.patch(path, { display_name: crypto.randomUUID().slice(0, 8) });
    await Promise.all([...Array.from({ length: 8 }, raise), ...Array.from({ length: 8 }, disturb)]);
    expect((await robot.get(path)).body.public_metadata.count).toBe(8);
  });

  test("If-None-Match: * creates alone; of parallel requests one creates, and the others are 412.", async () => {
    const path = `${USERS}/by-external-id/${crypto.randomUUID()}`;
    const headers = { "if-none-match": "*" };
    const email = newEmail();
    const answers = await race(() => robot.put(path, { email }, headers), 10);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 412)]);
    expect((await robot.put(path, { locale: "fr" }, match(tagOf(await robot.get(path))))).status).toBe(200);
    expect((await robot.put(path, { locale: "de" }, match('"x"'))).status).toBe(412);
  });

  test("Organizations have versions too, on both replicas.", async () => {
    const host = await founded(at);
    const path = `/v1/admin/orgs/${host.organizationId}`;
    const first = tagOf(await robot.get(path));
    expect((await robot.patch(path, { name: "Acme One" }, match(first))).status).toBe(200);
    expect((await robot.patch(path, { name: "Acme Two" }, match(first))).status).toBe(412);
    expect((await robot.get(path)).body.name).toBe("Acme One");
  });
});

describe("versions of settings (G500)", () => {
  test("Clients, roles and groups refuse a former version, and a foreign row is no row (G16).", async () => {
    const admin = await steppedUpAdmin(at);
    const made = await admin.client.post("/v1/admin/oauth-clients", {
      name: "Wiki",
      token_endpoint_auth_method: "client_secret_basic",
      redirect_uris: ["https://wiki.example.com/cb"],
      scopes: ["openid"],
    });
    expect(made.status).toBe(201);
    const client = `/v1/admin/oauth-clients/${made.body.client_id}`;
    const first = tagOf(await admin.client.patch(client, {}));
    expect((await admin.client.patch(client, { name: "Wiki 2" }, { headers: match(first) })).status).toBe(200);
    const late = await admin.client.patch(client, { name: "Wiki 3" }, { headers: match(first) });
    expect(late.status).toBe(412);
    expect((await admin.client.delete(client, { headers: match(first) })).status).toBe(412);

    const [one, two] = [await founded(at), await founded(at)];
    for (const { userId } of [one, two]) await stepUpSessions(at.sql, userId);
    const role = await one.client.post(`/v1/orgs/${one.organizationId}/roles`, {
      key: "auditor",
      name: "Auditor",
      permissions: ["audit.read"],
    });
    expect(role.status).toBe(201);
    const foreign = `/v1/orgs/${two.organizationId}/roles/${role.body.id}`;
    expect((await two.client.patch(foreign, { name: "Mine" }, { headers: match('"x"') })).status).toBe(404);
    const own = `/v1/orgs/${one.organizationId}/roles/${role.body.id}`;
    expect((await one.client.patch(own, { name: "Mine" }, { headers: match('"x"') })).status).toBe(412);
  });
});
