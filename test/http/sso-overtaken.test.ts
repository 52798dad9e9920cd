/** Sign-ins by single sign-on that other changes overtake (G153), over two replicas: no change is lost. */
import { beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { Client, registered } from "../support/client.ts";
import {
  announceConnections,
  CLIENT_ID,
  type Company,
  company,
  routable,
  SsoBrowser,
  type SsoDeployment,
  ssoDeployment,
} from "../support/sso.ts";
import { assignResponsibility, proveMailbox } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { eventually, until } from "../support/waiting.ts";

const insecure = { tls: { rejectUnauthorized: false } };

let sso: SsoDeployment;
let ours: Company;
let subjects = 0;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  ours = await company(sso.at, randomUUID(), sso.forged.provider.url);
  await announceConnections(sso.at);
  await routable(sso.at, [ours.connectionId]);
});

function fresh() {
  subjects += 1;
  return { sub: `overtaken-${subjects}`, email: `overtaken-${subjects}@${ours.domain}` };
}

/** Enters with claims; `meanwhile` runs after the token request and before the keys of the provider are read. */
async function enterWhile(claims: object, meanwhile: () => Promise<unknown>) {
  const { provider } = sso.forged;
  provider.claims = { ...claims };
  provider.answers.set("/jwks", async () => {
    await meanwhile();
    provider.answers.delete("/jwks");
    return await fetch(`${provider.url}/jwks`, insecure);
  });
  return await new SsoBrowser(sso.at.one.url).enter(ours.connectionId, "nobody", sso.at.other.url);
}

const usersWith = async (email: string) => (await sso.at.sql`select 1 from users where email = ${email}`).length;

describe("a change between the response of the identity provider and the decision", () => {
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["deletion of the connection", () => sso.at.sql`delete from sso_connections where id = ${ours.connectionId}`],
    ["deactivation", () => sso.at.sql`update sso_connections set status = 'inactive' where id = ${ours.connectionId}`],
    [
      "change of the settings",
      () => sso.at.sql`update sso_connections set revision = revision + 1 where id = ${ours.connectionId}`,
    ],
    [
      "policy off",
      () => sso.at.sql`update sso_policies set mode = 'off' where organization_id = ${ours.organizationId}`,
    ],
    ["suspension", () => sso.at.sql`update organizations set suspended_at = now() where id = ${ours.organizationId}`],
  ];
  for (const [title, change] of changes) {
    test(`401 ${title}: creates no account, although this replica does not know the change.`, async () => {
      const claims = fresh();
      const response = await enterWhile(claims, change);
      expect([response.status, await usersWith(claims.email)]).toEqual([401, 0]);
    });
  }

  test("401: the connection is deleted while the identity provider refuses the code.", async () => {
    const { provider } = sso.forged;
    provider.answers.set("/token", async () => {
      await sso.at.sql`delete from sso_connections where id = ${ours.connectionId}`;
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    });
    const response = await new SsoBrowser(sso.at.one.url).enter(ours.connectionId);
    expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
  });

  test("400: the connection is deleted before a logout token of its identity provider.", async () => {
    const { at, acme } = sso;
    const deleted = await company(at, randomUUID(), acme.provider.issuer);
    await announceConnections(at);
    await routable(at, [deleted.connectionId]);
    const raw = `logout_token=${await acme.provider.logoutToken(CLIENT_ID, "nobody")}`;
    await at.sql`delete from sso_connections where id = ${deleted.connectionId}`;
    const path = `/v1/auth/sso/${deleted.connectionId}/backchannel-logout`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await new Client(at.one.url).request("POST", path, { headers, raw });
    // 404, once the replica knows the deletion.
    expect([400, 404]).toContain(response.status);
  });

  test("404: the connection is deleted while the metadata is read for a start.", async () => {
    const { provider } = sso.forged;
    const deleted = await company(sso.at, randomUUID(), provider.url);
    await announceConnections(sso.at);
    await routable(sso.at, [deleted.connectionId]);
    await sso.at.sql`delete from sso_connections where id = ${deleted.connectionId}`;
    const started = await new SsoBrowser(sso.at.one.url).client.get(`/v1/auth/sso/${deleted.connectionId}/start`, {
      headers: { accept: "application/json" },
    });
    expect(started.status).toBe(404);
  });
});

describe("an identity provider that is away", () => {
  test("leads to the sign-in page with a local target only.", async () => {
    const { at, forged } = sso;
    forged.provider.answers.set("/.well-known/openid-configuration", () => new Response("down", { status: 502 }));
    const away = await company(at, randomUUID(), forged.provider.url);
    await announceConnections(at);
    await routable(at, [away.connectionId]);
    const targetAfter = async (target: string) => {
      const start = `/v1/auth/sso/${away.connectionId}/start?redirect_to=${encodeURIComponent(target)}`;
      const { headers } = await new Client(at.one.url).get(start, { headers: { accept: "text/html" } });
      return new URL(headers.get("location") ?? "", at.one.url).searchParams.get("return_to");
    };
    expect(await targetAfter("https://evil.example/")).toBeNull();
    expect(await targetAfter("/reports")).toBe("/reports");
  });
});

describe("the rules of roles", () => {
  test("do not demote a member who becomes owner meanwhile.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    const { user_id: userId } = (await enterWhile(claims, async () => undefined)).body.user;
    const rules = [{ from: "groups", value: "nobody", role: "admin" }];
    await at.sql`
      update sso_policies set role_rules = ${at.sql.json(rules)} where organization_id = ${ours.organizationId}`;
    await at.sql`update members set role = 'admin' where user_id = ${userId}`;
    forged.provider.claims = { ...claims };
    const browser = new SsoBrowser(at.one.url);
    const callback = await browser.visit(await browser.begin(ours.connectionId));
    const entered = await at.sql.begin(async (sql) => {
      await sql`update members set role = 'owner' where user_id = ${userId}`;
      const entering = browser.finish(callback);
      await until("the sign-in waits for the promotion", async () => {
        const waiting = await at.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      return { entering };
    });
    expect((await entered.entering).status).toBe(200);
    expect([...(await at.sql`select role from members where user_id = ${userId}`)]).toEqual([{ role: "owner" }]);
  });
});

describe("the power of the person behind the connection", () => {
  test.each(["owner", "admin"] as const)(
    "that the person, an %s, loses while the session of an admin is inserted ends that session (G365).",
    async (role) => {
      const { at, forged } = sso;
      const { organizationId, connectionId, owner, ownerId } = ours;
      await stepUpSessions(at.sql, ownerId);
      const responsible = await memberWith(at, organizationId, role);
      await assignResponsibility(at.sql, connectionId, responsible.userId);
      await announceConnections(at);
      const claims = fresh();
      const { user_id: userId } = (await enterWhile(claims, async () => undefined)).body.user;
      await at.sql`update members set role = 'admin' where user_id = ${userId}`;
      forged.provider.claims = { ...claims };
      await at.sql.unsafe(`
        create function delay_bound_session() returns trigger language plpgsql as $$
        begin
          if new.organization_bound and new.user_id = '${userId}' then
            perform pg_advisory_xact_lock_shared(365);
          end if;
          return new;
        end $$;
        create trigger delay_bound_session before insert on sessions
          for each row execute function delay_bound_session();`);
      const holder = await at.sql.reserve();
      try {
        await holder`select pg_advisory_lock(365)`;
        const browser = new SsoBrowser(at.one.url);
        const entering = browser.enter(connectionId);
        await until("the session waits", async () => {
          const waiting = await at.sql`
            select 1 from pg_locks where locktype = 'advisory' and not granted and objid = 365`;
          return waiting.length > 0;
        });
        const members = `/v1/orgs/${organizationId}/members`;
        expect((await owner.patch(`${members}/${responsible.userId}`, { role: "member" })).status).toBe(200);
        await eventually("the check of powers is complete", 10_000, async () => {
          const checks = await at.sql`select 1 from power_checks where organization_id = ${organizationId}`;
          return checks.length === 0;
        });
        await holder`select pg_advisory_unlock(365)`;
        expect((await entering).status).toBe(401);
        const live = await at.sql`
          select 1 from sessions where user_id = ${userId}
            and sso_connection_id = ${connectionId} and revoked_at is null`;
        expect(live).toHaveLength(0);
        expect((await browser.client.at(at.other.url).get("/v1/auth/session")).status).toBe(401);
      } finally {
        await holder`select pg_advisory_unlock_all()`;
        holder.release();
        await at.sql.unsafe("drop trigger delay_bound_session on sessions; drop function delay_bound_session");
      }
    },
  );
});

describe("a registration before the employee", () => {
  test("never becomes a member with its password, also if the sign-in inserts no session.", async () => {
    const { at } = sso;
    const claims = fresh();
    const squatter = await registered(at.one.url, { email: claims.email });
    await at.sql.unsafe(`
      create function refuse_bound_session() returns trigger language plpgsql as $$
      begin
        if new.organization_bound and new.user_id = '${squatter.userId}' then raise 'no session'; end if;
        return new;
      end $$;
      create trigger refuse_bound_session before insert on sessions
        for each row execute function refuse_bound_session();`);
    try {
      await enterWhile(claims, async () => undefined);
    } finally {
      await at.sql.unsafe("drop trigger refuse_bound_session on sessions; drop function refuse_bound_session");
    }
    const [joined] = await at.sql`
      select u.password_hash from members m join users u on u.id = m.user_id
      where m.user_id = ${squatter.userId} and m.organization_id = ${ours.organizationId}`;
    expect(joined).toEqual({ password_hash: null });
    expect((await squatter.client.at(at.other.url).get("/v1/auth/session")).status).toBe(401);
  });
});

test("1,000 bound sessions of a user end no session outside of the organization.", async () => {
  const { at, forged } = sso;
  const claims = fresh();
  const person = await registered(at.one.url, { email: claims.email });
  await proveMailbox(at.sql, person.userId);
  const first = await enterWhile(claims, async () => undefined);
  expect([first.status, first.body.user.user_id]).toEqual([200, person.userId]);
  await at.sql`
    insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                          rotated_at, expires_at, ends_at, created_at, organization_bound, sso_connection_id)
    select gen_random_uuid(), user_id, organization_id, auth_method, aal, auth_time, gen_random_uuid(),
           gen_random_uuid(), rotated_at, expires_at, ends_at, created_at, true, sso_connection_id
    from sessions, generate_series(1, 1000) where user_id = ${person.userId} and organization_bound`;
  forged.provider.claims = { ...claims };
  expect((await new SsoBrowser(at.one.url).enter(ours.connectionId)).status).toBe(200);
  const [live] = await at.sql`
    select count(*) filter (where organization_bound)::int as bound,
           count(*) filter (where not organization_bound)::int as own
    from sessions where user_id = ${person.userId} and revoked_at is null`;
  expect(live).toEqual({ bound: 1_000, own: 1 });
});

test("403: an address under a possible undo of a former user creates no account.", async () => {
  const { at } = sso;
  const claims = fresh();
  const former = await registered(at.one.url);
  await at.sql`
    insert into email_reservations (email, user_id, expires_at)
    values (${claims.email}, ${former.userId}, now() + interval '1 day')`;
  const response = await enterWhile(claims, async () => undefined);
  expect([response.status, await usersWith(claims.email)]).toEqual([403, 0]);
});
