/** A session moves or rotates only when its tokens will be signed: else its holder would look like a thief of the old ones. */
import { beforeAll, describe, expect, test } from "bun:test";
import type { ClientFacts } from "../../src/base/client-facts.ts";
import { refresh } from "../../src/flows/auth/refresh.ts";
import { switchOrganization } from "../../src/flows/auth/switch-organization.ts";
import type { SignPool } from "../../src/pool/pool.ts";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { flowNeeds } from "../support/flow-needs.ts";

const CLIENT: ClientFacts = {
  ipAddress: null,
  network: "192.0.2.0",
  userAgent: null,
  requestId: crypto.randomUUID(),
  locale: null,
};
const REFUSED = { ok: false, error: expect.objectContaining({ code: "rate_limited" }) };

let at: Deployment;
let deps: Awaited<ReturnType<typeof flowNeeds>>;
beforeAll(async () => {
  at = await deployment();
  deps = await flowNeeds(at.databaseUrl);
});

const idle = { queued: 0, workers: 1, secondsToDrain: () => 1, close: async () => undefined };
/** No slot is free. */
const full: SignPool = {
  ...idle,
  admit: () => undefined,
  run: () => Promise.reject(new Error("asked without a slot")),
};

/** A pool that lets in and then signs nothing. Notes whose turn it was to be. */
function late(code: "deadline" | "queue_full" | "worker_died") {
  const lanes: (string | undefined)[] = [];
  const pool: SignPool = {
    ...idle,
    admit(lane) {
      lanes.push(lane);
      return () => undefined;
    },
    async run(_, lane) {
      lanes.push(lane);
      return { ok: false, code };
    },
  };
  return { pool, lanes };
}

/** Somebody who is a member of a second organization, and what the row of the session says. */
async function browser() {
  const host = await registered(at.one.url);
  const user = await registered(at.one.url);
  await at.sql`insert into members (organization_id, user_id, role, joined_at)
    values (${host.organizationId}, ${user.userId}, 'member', now())`;
  const caller = await deps.revocations.session(user.sessionId);
  if (!caller) throw new Error("no session");
  const row = async () => {
    const [found] = await at.sql`
      select s.organization_id, s.refresh_jti, u.last_organization_id from sessions s join users u on u.id = s.user_id
      where s.id = ${user.sessionId}`;
    return found;
  };
  return { ...user, caller, elsewhere: host.organizationId, row };
}

describe("while the signing pool has no slot", () => {
  test("a refresh is refused before anything is rotated, and the same token is good afterwards", async () => {
    const user = await browser();
    const before = await user.row();
    const refreshToken = user.client.cookie("service_rt");
    expect(
      await refresh({ ...deps, signing: full }, { refreshToken, client: CLIENT, admissionOf: () => undefined }),
    ).toEqual(REFUSED as never);
    expect(await user.row()).toEqual(before);
    expect((await user.client.post("/v1/auth/refresh")).status).toBe(200);
  });

  test("a session does not move to another organization", async () => {
    const user = await browser();
    const before = await user.row();
    const input = { caller: user.caller, organizationId: user.elsewhere, client: CLIENT };
    expect(await switchOrganization({ ...deps, signing: full }, input)).toEqual(REFUSED as never);
    expect(await user.row()).toEqual(before);
    expect((await user.client.post("/v1/auth/refresh")).status).toBe(200);
  });
});

describe.each(["deadline", "queue_full", "worker_died"] as const)(
  "when the pool fails with %s after the write",
  (code) => {
    test("a refresh gives tokens that are good, and the user's id says whose turn it was", async () => {
      const user = await browser();
      const { pool, lanes } = late(code);
      const refreshToken = user.client.cookie("service_rt");
      const outcome = await refresh(
        { ...deps, signing: pool },
        { refreshToken, client: CLIENT, admissionOf: () => undefined },
      );
      if (!outcome.ok) throw new Error(outcome.error.code);
      const { tokens } = outcome.value;
      expect(lanes).toEqual([user.userId, user.userId]);
      const bearer = tokens.accessToken;
      expect((await new Client(at.one.url).get("/v1/auth/session", { bearer })).status).toBe(200);
      const other = new Client(at.other.url);
      other.setCookie("service_rt", tokens.refreshToken);
      expect((await other.post("/v1/auth/refresh")).status).toBe(200);
    });

    test("a session that has moved gets its tokens", async () => {
      const user = await browser();
      const input = { caller: user.caller, organizationId: user.elsewhere, client: CLIENT };
      const outcome = await switchOrganization({ ...deps, signing: late(code).pool }, input);
      if (!outcome.ok) throw new Error(outcome.error.code);
      const bearer = outcome.value.tokens.accessToken;
      const { body } = await new Client(at.one.url).get("/v1/auth/session", { bearer });
      expect(body.user.organization_id).toBe(user.elsewhere);
    });
  },
);

describe("POST /v1/auth/organization", () => {
  test("of a session that has just ended moves nothing, and leaves where the next sign-in enters", async () => {
    const user = await browser();
    const before = await user.row();
    expect((await user.client.get("/v1/auth/session")).status).toBe(200);
    // Behind the replica's back: its cached view still says that the session is live.
    await at.sql`update sessions set revoked_at = now(), revoked_reason = 'logout' where id = ${user.sessionId}`;
    const answer = await user.client.post("/v1/auth/organization", { organization_id: user.elsewhere });
    expect([answer.status, answer.body.error.code]).toEqual([401, "authentication_required"]);
    expect(await user.row()).toEqual(before);
  });

  test("that moves the session has the next sign-in enter the same organization", async () => {
    const user = await browser();
    const answer = await user.client.post("/v1/auth/organization", { organization_id: user.elsewhere });
    expect(answer.status).toBe(200);
    expect(await user.row()).toMatchObject({
      organization_id: user.elsewhere,
      last_organization_id: user.elsewhere,
    });
  });
});
