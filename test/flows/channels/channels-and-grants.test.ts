/**
 * Every grant beside every channel (G280, docs/contract.md, section 32.9): a grant through a channel whose person lacks
 * the power is refused with the name of the person, and passes with a confirmation or beside a person with the power.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { authorizeGrant, type GrantRequest } from "../../../src/flows/steps/channels/authorize-grant.ts";
import { COMPARISONS, GRANTS } from "../../../src/flows/steps/channels/grants.ts";
import { CHANNELS } from "../../../src/vocabulary/channels.ts";
import type { MemberPower } from "../../../src/vocabulary/member-power.ts";
import { registerAccount } from "../../support/accounts.ts";
import { STORE_CHANNEL, storeIdentity } from "../../support/channels.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { storeConnection } from "../../support/sso-connections.ts";
import { assignResponsibility, deactivateConnection, deleteMember } from "../../support/states.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const STRONG: MemberPower = { role: "admin", granted: ["policies.manage"] };

/** An organization with a member and a person with a role. */
async function place(role: "admin" | "member" | "owner") {
  const { organizationId } = await registerAccount(flows);
  const [person, member] = [await registerAccount(flows), await registerAccount(flows)];
  await flows.sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${organizationId}, ${person.userId}, ${role}, now()),
           (${organizationId}, ${member.userId}, 'member', now())`;
  return { organizationId, personId: person.userId, personName: person.email, memberId: member.userId };
}
type Place = Awaited<ReturnType<typeof place>>;

function requestOf(grant: GrantRequest["grant"], { organizationId, memberId }: Place): GrantRequest {
  const members = [{ userId: memberId, power: STRONG }];
  return { organizationId, grant, members, powers: [STRONG], at: new Date(flows.clock.now()) };
}

const ask = (request: GrantRequest, confirm = false) =>
  flows.deps.database.transaction("test", (sql) => authorizeGrant(sql, request, confirm));

describe("Each pair of a grant and a channel", () => {
  for (const grant of GRANTS) {
    for (const channel of CHANNELS) {
      const comparison = COMPARISONS[grant][channel];
      if (typeof comparison !== "string") {
        test(`${grant} is not compared with ${channel}, for a stated reason.`, () => {
          expect(comparison.reason).toMatch(/^[A-Z].{20,}\.$/);
        });
        continue;
      }
      test(`${grant} through ${channel} of a weaker person names the person, and is confirmed.`, async () => {
        const weak = await place("admin");
        const id = await STORE_CHANNEL[channel](flows, weak);
        const request = requestOf(grant, weak);
        const refused = await ask(request);
        expect(refused).toMatchObject({ ok: false, error: { code: "conflict", reason: "channels_not_covered" } });
        const named = refused.ok ? [] : (refused.error.channels ?? []);
        const person = { id: weak.personId, name: weak.personName };
        expect(named.filter((each) => each.kind === channel).map((each) => [each.id, each.person])).toEqual([
          [id, person],
        ]);
        const confirmed = await ask(request, true);
        expect(confirmed.ok && confirmed.value.some((each) => each.id === id)).toBe(true);
      });

      test(`${grant} through ${channel} is confirmed after a later promotion of the person (G366).`, async () => {
        const promoted = await place("admin");
        const id = await STORE_CHANNEL[channel](flows, promoted);
        await flows.sql`
          update members set role = 'owner'
          where organization_id = ${promoted.organizationId} and user_id = ${promoted.personId}`;
        const refused = await ask(requestOf(grant, promoted));
        expect(refused).toMatchObject({ ok: false, error: { reason: "channels_not_covered" } });
        expect(refused.ok ? [] : refused.error.channels?.map((each) => each.id)).toContain(id);
      });

      test(`${grant} through ${channel} of a person with the power needs no confirmation.`, async () => {
        const strong = await place("owner");
        await STORE_CHANNEL[channel](flows, strong);
        expect(await ask(requestOf(grant, strong))).toEqual({ ok: true, value: [] });
      });
    }
  }
});

describe("The power behind a channel", () => {
  test("The power of a person without a membership is no power.", async () => {
    const departed = await place("owner");
    await STORE_CHANNEL.linked_identity(flows, departed);
    await deleteMember(flows.sql, departed.organizationId, departed.personId);
    expect((await ask(requestOf("member_role", departed))).ok).toBe(false);
  });

  test("A confirmed power counts for the activator at the time, and for no later activator.", async () => {
    const weak = await place("admin");
    const id = await STORE_CHANNEL.role_rule(flows, weak);
    const confirmed = { activatedBy: weak.personId, ...STRONG };
    const stored = flows.sql.json(confirmed as never);
    await flows.sql`update sso_connections set confirmed_power = ${stored} where id = ${id}`;
    expect((await ask(requestOf("role_rule", weak))).ok).toBe(true);
    await assignResponsibility(flows.sql, id, weak.memberId);
    expect((await ask(requestOf("role_rule", weak))).ok).toBe(false);
  });

  test("A link that the member made in person, an inactive connection and an ended key reach no account.", async () => {
    const weak = await place("member");
    const connection = await STORE_CHANNEL.linked_identity(flows, weak);
    await flows.sql`update sso_identities set linked_by = 'user' where connection_id = ${connection}`;
    const inactive = await STORE_CHANNEL.linked_identity(flows, weak);
    await deactivateConnection(flows.sql, inactive);
    const key = await STORE_CHANNEL.directory_key(flows, weak);
    await flows.sql`update api_keys set revoked_at = now() where id = ${key}`;
    expect(await ask(requestOf("member_role", weak))).toEqual({ ok: true, value: [] });
  });

  test("The channels of a second organization and of a second member do not count.", async () => {
    const [one, other] = [await place("member"), await place("member")];
    await storeIdentity(flows, await storeConnection(flows.sql, one.organizationId), one.personId);
    for (const channel of CHANNELS) await STORE_CHANNEL[channel](flows, other);
    expect(await ask(requestOf("member_role", one))).toEqual({ ok: true, value: [] });
  });
});
