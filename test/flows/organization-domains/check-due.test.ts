/** The daily checks of domains: failures, warnings, losses, claims and transfers over weeks (G144). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkDueDomains } from "../../../src/flows/organization-domains/check-due.ts";
import { claimDomain } from "../../../src/flows/organization-domains/claim.ts";
import { transferDomain } from "../../../src/flows/organization-domains/transfer.ts";
import { verifyDomain } from "../../../src/flows/organization-domains/verify.ts";
import { replacePolicies } from "../../../src/flows/organization-policies/policies.ts";
import { authorizeMember } from "../../../src/flows/steps/authorization/authorize-member.ts";
import { authorizePlatformRole } from "../../../src/flows/steps/authorization/authorize-platform-role.ts";
import type { Bound } from "../../../src/limits/bounds.ts";
import { DOMAIN_CHECKS_MAX } from "../../../src/limits/sso-limits.ts";
import { recordName, recordValue } from "../../../src/vocabulary/domain-record.ts";
import { DEFAULT_POLICY } from "../../../src/vocabulary/policy-settings.ts";
import { callerOf, clientAt, HOUR_MS, registerAccount, signIn, unwrap } from "../../support/accounts.ts";
import { type DnsServer, SILENT, startDnsServer } from "../../support/dns-server.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifySessionsOf } from "../../support/platform.ts";
import { assignPlatformRole } from "../../support/states.ts";

const DAY_MS = 24 * HOUR_MS;
let flows: Flows;
let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer();
  flows = await openFlows({ SERVICE_DNS_SERVERS: dns.address });
});
afterAll(async () => {
  dns.stop();
  await flows.close();
});

let count = 0;
/** An owner with an organization; `claim` claims a domain and returns the claim. */
async function organization() {
  const account = await registerAccount(flows);
  const { email, organizationId } = account;
  const caller = async () => {
    const session = await callerOf(flows, await signIn(flows, email));
    return unwrap(await authorizeMember(flows.deps, session, organizationId));
  };
  return {
    ...account,
    caller,
    claim: async (domain: string) =>
      unwrap(await claimDomain(flows.deps, { caller: await caller(), domain, client: clientAt() })),
    verify: async (domainId: string) =>
      unwrap(await verifyDomain(flows.deps, { caller: await caller(), domainId, client: clientAt() })),
  };
}
const newDomain = () => {
  count += 1;
  return `daily${count}.test`;
};
const publish = ({ domain, token }: { readonly domain: string; readonly token: string }) =>
  dns.setTxt(recordName(domain), recordValue(token));
const rowOf = async (id: string) => (await flows.sql`select * from organization_domains where id = ${id}`)[0];
const statusOf = async (id: string) => (await rowOf(id))?.status;
const actionsOf = async (id: string) =>
  (
    await flows.sql`select action, actor_type from audit_logs where resource_id = ${id} order by timestamp, event_id`
  ).map(({ action, actor_type: by }) => `${by} ${action}`);
/** A day later, and the check of that day. */
async function nextDay(days = 1): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    flows.clock.advance(DAY_MS + 1);
    await checkDueDomains(flows.deps);
  }
}
const mailsOf = async (email: string, kind: string) =>
  (await flows.emailsTo(email)).filter(({ mail }) => mail.kind === kind).length;

describe("a claim that is older than open joining", () => {
  test("stays pending without a member with the role of users who join, until an owner checks", async () => {
    const owner = await organization();
    const claim = await owner.claim(newDomain());
    const { userId: formerMember } = await registerAccount(flows);
    await flows.sql`update organization_domains set claimed_by = ${formerMember} where id = ${claim.id}`;
    const settings = { ...DEFAULT_POLICY, domainJoin: "join" } as const;
    const change = { settings, policiesAt: null, confirm: false, revision: undefined, client: clientAt() };
    unwrap(await replacePolicies(flows.deps, { ...change, caller: await owner.caller() }));
    publish(claim);
    await nextDay();
    expect(await statusOf(claim.id)).toBe("pending");
    expect((await owner.verify(claim.id)).domain.status).toBe("verified");
    await nextDay();
    expect(await statusOf(claim.id)).toBe("verified");
  });
});

describe("a claim of a member with fewer permissions than users of the domain would get (G371)", () => {
  const policies = [
    ["the default role", "admin", []],
    ["a rule for roles", "member", [{ from: "groups", value: "staff", role: "admin" }]],
  ] as const;
  for (const [title, defaultRole, roleRules] of policies) {
    test(`stays pending beside single sign-on that gives ${title}, until an owner checks`, async () => {
      const [owner, weak] = [await organization(), await registerAccount(flows)];
      const { organizationId } = owner;
      await flows.sql`
        insert into members (organization_id, user_id, role, joined_at)
        values (${organizationId}, ${weak.userId}, 'member', now())`;
      const roleId = crypto.randomUUID();
      await flows.sql`
        insert into organization_roles (id, organization_id, key, name, description, permissions, created_at,
                                        updated_at)
        values (${roleId}, ${organizationId}, 'domains', 'Domains', '', '{sso.manage}', now(), now())`;
      await flows.sql`
        insert into member_roles (organization_id, user_id, role_id, source, granted_at)
        values (${organizationId}, ${weak.userId}, ${roleId}, 'manual', now())`;
      const [claim, further] = [await owner.claim(newDomain()), await owner.claim(newDomain())];
      await flows.sql`
        update organization_domains set claimed_by = ${weak.userId} where organization_id = ${organizationId}`;
      await flows.sql`
        insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                                  require_own_factor, revision, updated_at)
        values (${organizationId}, 'optional', 'own_methods', '{}', 'on', ${defaultRole},
                ${flows.sql.json(roleRules as never)}, 'always', false, 1, now())`;
      publish(claim);
      publish(further);
      await nextDay();
      expect([await statusOf(claim.id), await statusOf(further.id)]).toEqual(["pending", "pending"]);
      expect((await owner.verify(claim.id)).domain.status).toBe("verified");
      await flows.sql`update sso_policies set jit = 'off' where organization_id = ${organizationId}`;
      await nextDay();
      expect(await statusOf(further.id)).toBe("verified");
    });
  }

  test("is not transferred by the platform, and a claim of an owner is", async () => {
    const [holder, owner, weak] = [await organization(), await organization(), await registerAccount(flows)];
    const domain = newDomain();
    const held = await holder.claim(domain);
    publish(held);
    await holder.verify(held.id);
    const claim = await owner.claim(domain);
    await flows.sql`update organization_domains set claimed_by = ${weak.userId} where id = ${claim.id}`;
    await flows.sql`
      insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                                require_own_factor, revision, updated_at)
      values (${owner.organizationId}, 'optional', 'own_methods', '{}', 'on', 'admin', '[]', 'always', false, 1,
              now())`;
    const administrator = await organization();
    await assignPlatformRole(flows.sql, administrator.userId, "admin");
    await verifySessionsOf(flows, administrator.userId);
    const session = await callerOf(flows, administrator.signedIn);
    const caller = unwrap(await authorizePlatformRole(flows.deps, session, "admin"));
    const transfer = () =>
      transferDomain(flows.deps, {
        caller,
        domainId: claim.id,
        reason: "The registrar confirmed.",
        client: clientAt(),
      });
    expect(await transfer()).toMatchObject({ ok: false, error: { code: "conflict", reason: "domain_not_covered" } });
    expect([await statusOf(held.id), await statusOf(claim.id)]).toEqual(["verified", "pending"]);
    await flows.sql`update organization_domains set claimed_by = ${owner.userId} where id = ${claim.id}`;
    expect((await transfer()).ok).toBe(true);
  });
});

describe("a verified domain without its record", () => {
  test("fails on the first day, warns on days 1, 4 and 6, and is lost after seven days", async () => {
    const owner = await organization();
    const claim = await owner.claim(newDomain());
    publish(claim);
    expect((await owner.verify(claim.id)).domain.status).toBe("verified");
    await nextDay();
    expect(await statusOf(claim.id)).toBe("verified");
    dns.setTxt(recordName(claim.domain), "another value");
    await nextDay();
    expect([await statusOf(claim.id), await mailsOf(owner.email, "domain_failing")]).toEqual(["failing", 0]);
    const warnings: number[] = [];
    for (let day = 1; day <= 6; day += 1) {
      await nextDay();
      warnings.push(await mailsOf(owner.email, "domain_failing"));
    }
    expect(warnings).toEqual([1, 1, 1, 2, 2, 3]);
    expect(await statusOf(claim.id)).toBe("failing");
    await nextDay();
    expect([await statusOf(claim.id), await mailsOf(owner.email, "domain_lost")]).toEqual(["lost", 1]);
    expect(await actionsOf(claim.id)).toEqual([
      "user sso.domain.claimed",
      "user sso.domain.verified",
      "system sso.domain.failing",
      "system sso.domain.lost",
    ]);
    const values = await flows.newestEmail(owner.email, "domain_failing");
    expect([values.domain, values.record_name, values.days]).toEqual([claim.domain, recordName(claim.domain), 1]);
  });

  test("is verified again as soon as the record is back, and counts from the beginning afterwards", async () => {
    const owner = await organization();
    const claim = await owner.claim(newDomain());
    publish(claim);
    await owner.verify(claim.id);
    dns.records.delete(recordName(claim.domain));
    await nextDay(5);
    publish(claim);
    await nextDay();
    expect((await rowOf(claim.id))?.missing_since).toBeNull();
    expect(await statusOf(claim.id)).toBe("verified");
    dns.records.delete(recordName(claim.domain));
    await nextDay(4);
    expect(await statusOf(claim.id)).toBe("failing");
  });

  test("is not lost while DNS does not respond", async () => {
    const owner = await organization();
    const claim = await owner.claim(newDomain());
    publish(claim);
    await owner.verify(claim.id);
    dns.records.delete(recordName(claim.domain));
    await nextDay();
    expect(await statusOf(claim.id)).toBe("failing");
    dns.faults.set(recordName(claim.domain), SILENT);
    await flows.sql`
      update organization_domains set missing_since = missing_since - interval '30 days',
        checked_at = checked_at - interval '30 days'
      where id = ${claim.id}`;
    await checkDueDomains(flows.deps);
    expect(await statusOf(claim.id)).toBe("failing");
    expect((await owner.verify(claim.id)).sighting).toBe("unknown");
    dns.faults.delete(recordName(claim.domain));
    await nextDay();
    expect(await statusOf(claim.id)).toBe("lost");
  });
});

describe("a claim of a held domain", () => {
  test("waits with its record, and wins after the loss of the holder", async () => {
    const [holder, claimant] = [await organization(), await organization()];
    const domain = newDomain();
    const held = await holder.claim(domain);
    publish(held);
    await holder.verify(held.id);
    const claim = await claimant.claim(domain);
    expect([claim.status, claim.conflict]).toEqual(["pending", true]);
    dns.setTxt(recordName(domain), recordValue(held.token), recordValue(claim.token));
    const checked = (await claimant.verify(claim.id)).domain;
    expect([checked.status, checked.conflict]).toEqual(["pending", true]);
    await nextDay(20);
    expect([await statusOf(held.id), await statusOf(claim.id)]).toEqual(["verified", "pending"]);
    publish(claim);
    await nextDay(9);
    expect([await statusOf(held.id), await statusOf(claim.id)]).toEqual(["lost", "verified"]);
    expect((await holder.verify(held.id)).domain).toMatchObject({ status: "lost" });
  });

  test("without its record ends 30 days after the last sighting, and after 14 days without any", async () => {
    const [holder, claimant] = [await organization(), await organization()];
    const [seen, unseen] = [newDomain(), newDomain()];
    const claims = [];
    for (const domain of [seen, unseen]) {
      const held = await holder.claim(domain);
      const claim = await claimant.claim(domain);
      publish(held);
      await holder.verify(held.id);
      claims.push({ held, claim });
    }
    const [first, second] = claims;
    if (!first || !second) throw new Error("two claims are expected");
    dns.setTxt(recordName(seen), recordValue(first.held.token), recordValue(first.claim.token));
    await claimant.verify(first.claim.id);
    publish(first.held);
    await nextDay(15);
    expect([await statusOf(first.claim.id), await statusOf(second.claim.id)]).toEqual(["pending", undefined]);
    expect(await actionsOf(second.claim.id)).toEqual(["user sso.domain.claimed", "system sso.domain.deleted"]);
    await nextDay(16);
    expect(await statusOf(first.claim.id)).toBeUndefined();
  });

  test("is decided by a platform administrator, with records and mails that name no other organization", async () => {
    const [holder, claimant, admin] = [await organization(), await organization(), await organization()];
    const held = await holder.claim(newDomain());
    publish(held);
    await holder.verify(held.id);
    const claim = await claimant.claim(held.domain);
    await assignPlatformRole(flows.sql, admin.userId, "admin");
    await verifySessionsOf(flows, admin.userId);
    const session = await callerOf(flows, admin.signedIn);
    const caller = unwrap(await authorizePlatformRole(flows.deps, session, "admin"));
    const input = { caller, domainId: claim.id, reason: "The registrar confirmed.", client: clientAt() };
    const transferred = unwrap(await transferDomain(flows.deps, input));
    expect(transferred).toMatchObject({ id: claim.id, status: "verified", conflict: false });
    expect([await statusOf(held.id), await statusOf(claim.id)]).toEqual(["lost", "verified"]);
    const index = async () => {
      await flows.deps.domainDirectory.changedRow(claimant.organizationId);
      return flows.deps.domainDirectory.index();
    };
    expect((await index()).includesAddress(claimant.organizationId, `ada@${held.domain}`)).toBe(true);
    expect((await index()).includesAddress(claimant.organizationId, `ada@eu.${held.domain}`)).toBe(false);
    for (const [to, other, gained] of [
      [claimant, holder, true],
      [holder, claimant, false],
    ] as const) {
      const values = await flows.newestEmail(to.email, "domain_transferred");
      expect([values.is_gained, values.is_given_up]).toEqual([gained, !gained]);
      const records = await flows.sql`
        select metadata from audit_logs
        where action = 'sso.domain.transferred' and organization_id = ${to.organizationId}`;
      const text = JSON.stringify([values, ...records]);
      expect(records.length).toBe(1);
      expect(text).not.toContain(other.organizationId);
      expect(text).not.toContain("registrar");
    }
    const again = await transferDomain(flows.deps, input);
    expect(again.ok || again.error.code).toBe("conflict");
  });
});

test("domain_checks: an eleventh check of a domain within an hour names the bound", async () => {
  const { caller, claim, verify } = await organization();
  const { id } = await claim(newDomain());
  for (let check = 0; check < DOMAIN_CHECKS_MAX; check += 1) await verify(id);
  const refused = await verifyDomain(flows.deps, { caller: await caller(), domainId: id, client: clientAt() });
  expect(refused.ok ? undefined : refused.error.bound).toBe("domain_checks" satisfies Bound);
});
