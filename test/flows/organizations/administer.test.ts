import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../../src/database/database.ts";
import type { Deps } from "../../../src/deps.ts";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import { switchOrganization } from "../../../src/flows/auth/switch-organization.ts";
import { challenge } from "../../../src/flows/mfa/challenge.ts";
import { administerOrganization } from "../../../src/flows/organizations/administer.ts";
import {
  authorizePlatformRole,
  type PlatformCaller,
} from "../../../src/flows/steps/authorization/authorize-platform-role.ts";
import type { SignInResult } from "../../../src/flows/steps/sign-in/complete-sign-in.ts";
import { SUSPENSION_BATCH } from "../../../src/limits/session-limits.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  enrolledAccount,
  HOUR_MS,
  memberOfTwo,
  passwordShown,
  registerAccount,
  SECOND_MS,
  STEP_MS,
  signIn,
  signInWith,
  totpAt,
  unwrap,
} from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifySessionsOf } from "../../support/platform.ts";
import { assignPlatformRole, suspendOrganization } from "../../support/states.ts";

let flows: Flows;
let admin: PlatformCaller;

beforeAll(async () => {
  flows = await openFlows();
  const { signedIn, userId } = await registerAccount(flows);
  await assignPlatformRole(flows.sql, userId, "admin");
  await verifySessionsOf(flows, userId);
  admin = unwrap(await authorizePlatformRole(flows.deps, await callerOf(flows, signedIn), "admin"));
});
afterAll(() => flows.close());

async function setSuspended(organizationId: string, suspended: boolean, deps = flows.deps): Promise<void> {
  const input = { caller: admin, organizationId, name: undefined, tier: undefined, suspended, client: clientAt() };
  unwrap(await administerOrganization(deps, input));
}

const refreshed = ({ tokens: { refreshToken } }: SignInResult) =>
  refresh(flows.deps, { refreshToken, admissionOf: () => undefined, client: clientAt() });

/** Returns the dependencies with a callback before the revocation of each batch of sessions. */
function beforeEachBatch(happens: () => Promise<void>): Deps {
  const { database } = flows.deps;
  const transaction: Database["transaction"] = async (name, work) => {
    if (name === "session.revoke_many") await happens();
    return await database.transaction(name, work);
  };
  return { ...flows.deps, database: { ...database, transaction } };
}

describe("a suspended organization", () => {
  test("has no sessions, and gets no session back at the restoration", async () => {
    const { email, organizationId, signedIn } = await registerAccount(flows);
    await setSuspended(organizationId, true);
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    expect(codeOf(await signInWith(flows, email))).toBe("authentication_required");
    await setSuspended(organizationId, false);
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    expect(codeOf(await signInWith(flows, email))).toBe("ok");
  });

  test("gets no session back either after a failed request between suspension and revocation (G69)", async () => {
    const { email, organizationId, signedIn } = await registerAccount(flows);
    const failing = beforeEachBatch(() => Promise.reject(new Error("the connection is lost")));
    await expect(setSuspended(organizationId, true, failing)).rejects.toThrow("the connection is lost");
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    await setSuspended(organizationId, false);
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    expect(codeOf(await signInWith(flows, email))).toBe("ok");
  });

  test("is restored once all of its sessions are revoked, more than one transaction revokes too", async () => {
    const { organizationId } = await registerAccount(flows);
    await flows.sql`
      insert into sessions
      select copy.* from sessions s, generate_series(1, ${SUSPENSION_BATCH}) n,
        jsonb_populate_record(s, jsonb_build_object('id', md5(s.id::text || n)::uuid)) copy
      where s.organization_id = ${organizationId}`;
    await suspendOrganization(flows.sql, organizationId);
    await setSuspended(organizationId, false);
    const [row] = await flows.sql`
      select count(*)::int as sessions, count(*) filter (where s.revoked_at is null)::int as live,
             o.suspended_at is not null as suspended
      from sessions s join organizations o on o.id = s.organization_id
      where o.id = ${organizationId} group by o.id`;
    expect(row).toEqual({ sessions: SUSPENSION_BATCH + 1, live: 0, suspended: false });
  });

  test("keeps sessions from after the restoration, beside a suspension still at work", async () => {
    const { email, organizationId, signedIn } = await registerAccount(flows);
    let later: SignInResult | undefined;
    const restoring = beforeEachBatch(async () => {
      await setSuspended(organizationId, false);
      later = await signIn(flows, email);
    });
    await setSuspended(organizationId, true, restoring);
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    expect((await callerOf(flows, later as SignInResult)).organizationId).toBe(organizationId);
  });

  test("ends sessions moved away within the lifetime of an access token, and none moved away before", async () => {
    const [late, early] = [await memberOfTwo(flows), await memberOfTwo(flows)];
    const moved = async ({ caller, other }: typeof late) => {
      const input = { caller, organizationId: other, client: clientAt() };
      return unwrap(await switchOrganization(flows.deps, input));
    };
    const stays = await moved(early);
    flows.clock.advance(HOUR_MS);
    const ends = await moved(late);
    for (const { organizationId } of [late, early]) await setSuspended(organizationId, true);
    expect((await callerOf(flows, unwrap(await refreshed(stays)))).organizationId).toBe(early.other);
    await expect(callerOf(flows, ends)).rejects.toThrow("authentication_required");
  });

  test("ends the mfa_tokens from before, also with a restoration a second later", async () => {
    const { email, organizationId, secret } = await enrolledAccount(flows);
    flows.clock.alignTo(SECOND_MS);
    const mfaToken = await passwordShown(flows, email);
    await setSuspended(organizationId, true);
    flows.clock.advance(SECOND_MS);
    await setSuspended(organizationId, false);
    flows.clock.advance(1);
    const response = async (token: string) =>
      await challenge(flows.deps, {
        admission: undefined,
        mfaToken: token,
        factors: { code: totpAt(flows, secret) },
        client: clientAt(),
      });
    expect(codeOf(await response(mfaToken))).toBe("authentication_required");
    // The refused challenge consumed the code of this time step.
    flows.clock.advance(STEP_MS);
    expect(codeOf(await response(await passwordShown(flows, email)))).toBe("ok");
  });
});
