/**
 * Every way in which the power of the person responsible for a connection sinks ends the sessions of members who are
 * now above the connection, over two replicas (docs/contract.md, section 29.12).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { POWER_WAYS, type PowerWayName } from "../support/power-ways.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import {
  announceConnections,
  changeConnection,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { assignResponsibility } from "../support/states.ts";
import { stepUpSessions } from "../support/team.ts";
import { eventually } from "../support/waiting.ts";

let sso: SsoDeployment;
let subjects = 0;

/** The owner is responsible for the connection of the deployment, which other files use too. */
async function restore(): Promise<void> {
  const { at, forged } = sso;
  forged.provider.reset();
  await setPolicy(at, forged.organizationId, {});
  await changeConnection(at, forged.connectionId, { config: { groups_from: null } });
  await at.sql`
    update sso_connections set activated_by = ${forged.ownerId}, confirmed_power = null
    where id = ${forged.connectionId}`;
  await announceConnections(at);
}

beforeAll(async () => {
  sso = await ssoDeployment();
});
beforeEach(async () => {
  await restore();
  await stepUpSessions(sso.at.sql, sso.forged.ownerId);
});
afterAll(restore);

async function employee() {
  const { at, forged } = sso;
  const name = `lost-${++subjects}`;
  forged.provider.claims = { sub: name, email: `${name}@${forged.domain}` };
  const browser = new SsoBrowser(at.one.url);
  const { body } = await browser.enter(forged.connectionId);
  return { userId: String(body.user.user_id), client: browser.client };
}

const statusesOf = async (client: Client) =>
  await Promise.all(
    [sso.at.one.url, sso.at.other.url].map(async (url) => (await client.at(url).get("/v1/auth/session")).status),
  );

describe("the loss of power of the person responsible for a connection", () => {
  test.each(Object.keys(POWER_WAYS) as PowerWayName[])(
    "401 within a second for members above the connection, no others: %s (G416).",
    async (name) => {
      const { at, forged } = sso;
      const host = { client: forged.owner, userId: forged.ownerId, organizationId: forged.organizationId };
      const { personId, sink } = await POWER_WAYS[name](sso);
      const [strong, weak] = [await employee(), await employee()];
      const role = await createdRole(host, ["audit.read"]);
      expect((await assignRoles(host, host.organizationId, strong.userId, [role.id])).status).toBe(200);
      await assignResponsibility(at.sql, forged.connectionId, personId);
      await announceConnections(at);
      await eventually(
        "no check is waiting",
        5_000,
        async () => (await at.sql`select 1 from power_checks`).length === 0,
      );
      expect(await statusesOf(strong.client)).toEqual([200, 200]);
      await sink();
      await eventually("the session has ended", 5_000, async () =>
        (await statusesOf(strong.client)).every((status) => status === 401),
      );
      expect(await statusesOf(weak.client)).toEqual([200, 200]);
      const [ended] = await at.sql`
        select revoked_reason as reason from sessions where user_id = ${strong.userId} and organization_bound`;
      expect(ended?.reason).toBe("power_not_covered");
    },
  );
});
