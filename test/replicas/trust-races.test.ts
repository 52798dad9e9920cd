/**
 * A credential that was created in parallel from an aal1 session does not outlive the change that ends such credentials
 * (G35).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { codeOf } from "../support/mfa.ts";

const RUNS = 6;
const CLIENTS = 8;
const NEW_PASSWORD = "another horse, another battery";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);

/** Trusts browsers from a session over the two replicas, until the loop is stopped or refused. */
function trustInLoops(bearer: string) {
  const cookies: string[] = [];
  const refusals = new Set<string>();
  let going = true;
  const loop = async (index: number) => {
    while (going) {
      const browser = new Client(replicaOf(index));
      const response = await browser.post("/v1/auth/trusted-browsers", {}, { bearer, documented: false });
      if (response.status === 201) cookies.push(browser.cookie("service_trust") ?? "");
      else refusals.add(`${response.status} ${response.body.error.code}`);
      if (response.status !== 201) return;
    }
  };
  const loops = Promise.all(Array.from({ length: CLIENTS }, (_, index) => loop(index)));
  return {
    cookies,
    refusals,
    async underway() {
      while (cookies.length < CLIENTS) await Bun.sleep(1);
    },
    async stop() {
      going = false;
      await loops;
    },
  };
}

const liveTrusts = async (userId: string) => {
  const [row] = await at.sql`
    select count(*)::int as live from trusted_browsers where user_id = ${userId} and revoked_at is null`;
  return row?.live;
};

async function signInStatus(email: string, password: string, trust: string | undefined) {
  const client = new Client(at.one.url);
  client.setCookie("service_trust", trust ?? "", "/v1");
  return (await client.post("/v1/auth/login", { email, password })).body.status;
}

describe(`${CLIENTS} clients that trust browsers from a session of aal1, in ${RUNS} runs`, () => {
  test("are refused after the owner enables a second factor, and no trust from before skips the factor", async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const person = await registered(at.one.url);
      const { accessToken } = await signedIn(at.other.url, person.email);
      const { secret } = (await person.client.post("/v1/auth/mfa/setup")).body;
      const thief = trustInLoops(accessToken);
      await thief.underway();
      const enabled = await person.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
      expect(enabled.status).toBe(200);
      expect(await liveTrusts(person.userId)).toBe(0);
      await thief.stop();
      expect([...thief.refusals]).toEqual(["401 mfa_required"]);
      expect(await liveTrusts(person.userId)).toBe(0);
      expect(await signInStatus(person.email, PASSWORD, thief.cookies.at(-1))).toBe("mfa_required");
    }
  });

  test("are refused after the owner changes the password, and no trust from before is valid", async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const person = await registered(at.one.url);
      const { accessToken } = await signedIn(at.other.url, person.email);
      const thief = trustInLoops(accessToken);
      await thief.underway();
      const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
      expect((await person.client.post("/v1/users/me/password", change)).status).toBe(204);
      expect(await liveTrusts(person.userId)).toBe(0);
      await thief.stop();
      expect([...thief.refusals]).toEqual(["401 authentication_required"]);
      expect(await liveTrusts(person.userId)).toBe(0);
    }
  });

  test("leave no trust behind when the owner disables the second factor", async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const person = await registered(at.one.url);
      const { secret } = (await person.client.post("/v1/auth/mfa/setup")).body;
      await person.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
      const [before] = await at.sql`select credentials_epoch from users where id = ${person.userId}`;
      const thief = trustInLoops(person.accessToken);
      await thief.underway();
      expect((await person.client.post("/v1/auth/mfa/disable", { password: PASSWORD })).status).toBe(204);
      await thief.stop();
      const [after] = await at.sql`select credentials_epoch from users where id = ${person.userId}`;
      expect(after?.credentials_epoch).toBe(before?.credentials_epoch + 1);
      const early = await at.sql`
        select 1 from trusted_browsers b join audit_logs a on a.resource_id = b.id::text
        where b.user_id = ${person.userId} and b.revoked_at is null and a.action = 'auth.trusted_browser.created'
          and a.id < (select id from audit_logs where actor_id = ${person.userId} and action = 'mfa.disabled')`;
      expect(early).toHaveLength(0);
    }
  });
});
