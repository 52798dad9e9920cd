/** Names of passkeys (docs/contract.md, sections 4.6 and 9.9). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { addPasskey } from "../support/passkeys.ts";

const PASSKEYS = "/v1/users/me/passkeys";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const BITWARDEN = "d548826e-79b4-db40-a3d8-11116f7e8349";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const stepUp = (sessionId: string) => at.sql`update sessions set mfa_verified_at = now() where id = ${sessionId}`;

describe("the name of a passkey without a given name (G121)", () => {
  test("is the model of the authenticator; the day tells a second passkey of the model apart", async () => {
    const { client, sessionId } = await registered(at.one.url);
    const first = await addPasskey(client, { aaguid: BITWARDEN });
    await stepUp(sessionId);
    const second = await addPasskey(client, { aaguid: BITWARDEN });
    expect(first.registration.body).toMatchObject({ name: "Bitwarden", aaguid: BITWARDEN });
    const { name, created_at } = second.registration.body;
    expect(name).toBe(`Bitwarden (${created_at.slice(0, 10)})`);
    const { items } = (await client.at(at.other.url).get(PASSKEYS)).body;
    expect(items).toEqual([second.registration.body, first.registration.body]);
    expect(items[0]).toMatchObject({ backed_up: false, last_used_at: null, created_at: expect.any(String) });
  });

  test("is Passkey for an unknown model, and a given name stays as given", async () => {
    const { client, sessionId } = await registered(at.one.url);
    expect((await addPasskey(client)).registration.body.name).toBe("Passkey");
    await stepUp(sessionId);
    expect((await addPasskey(client, { name: "Passkey", aaguid: BITWARDEN })).registration.body.name).toBe("Passkey");
  });
});

describe("PATCH /v1/users/me/passkeys/:id", () => {
  describe("200", () => {
    test("renames the passkey on every replica and changes nothing else", async () => {
      const { client } = await registered(at.one.url);
      const { passkeyId, registration } = await addPasskey(client);
      const renamed = await client.patch(`${PASSKEYS}/${passkeyId}`, { name: "  Work laptop " });
      expect([renamed.status, renamed.body]).toEqual([200, { ...registration.body, name: "Work laptop" }]);
      expect((await client.at(at.other.url).get(PASSKEYS)).body.items).toEqual([renamed.body]);
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      [undefined],
      [null],
      [7],
      [""],
      ["   "],
      ["a".repeat(121)],
      ["see https://evil.example"],
      ["two\nlines"],
    ])("refuses the name %p", async (name) => {
      const { client } = await registered(at.one.url);
      const { passkeyId } = await addPasskey(client);
      const refused = await client.patch(`${PASSKEYS}/${passkeyId}`, { name });
      expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_input"]);
      expect((await client.get(PASSKEYS)).body.items[0].name).toBe("Passkey");
    });
  });

  describe("401 authentication_required", () => {
    test("needs a session", async () => {
      const anonymous = await new Client(at.one.url).patch(`${PASSKEYS}/${UNKNOWN}`, { name: "Laptop" });
      expect([anonymous.status, anonymous.body.error.code]).toEqual([401, "authentication_required"]);
    });
  });

  describe("404 not_found", () => {
    test("returns equal responses for a foreign, a deleted, an unknown and a malformed id (G16)", async () => {
      const [owner, other] = [await registered(at.one.url), await registered(at.one.url)];
      const { passkeyId } = await addPasskey(owner.client);
      const own = await addPasskey(other.client);
      await other.client.delete(`${PASSKEYS}/${own.passkeyId}`);
      for (const id of [passkeyId, own.passkeyId, UNKNOWN, "x"]) {
        const refused = await other.client.patch(`${PASSKEYS}/${id}`, { name: "Mine" });
        expect([refused.status, refused.body.error.code]).toEqual([404, "not_found"]);
      }
      expect((await owner.client.get(PASSKEYS)).body.items[0].name).toBe("Passkey");
    });
  });
});
