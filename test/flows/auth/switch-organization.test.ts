import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import { switchOrganization } from "../../../src/flows/auth/switch-organization.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  memberOfTwo,
  registerAccount,
  SECOND_MS,
  signIn,
  unwrap,
} from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { suspendOrganization } from "../../support/states.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const move = (caller: Awaited<ReturnType<typeof callerOf>>, organizationId: string) =>
  switchOrganization(flows.deps, { caller, organizationId, client: clientAt() });

describe("switching the organization", () => {
  test("moves the very session, its role and both of its access tokens", async () => {
    const { caller, signedIn, other } = await memberOfTwo(flows);
    const moved = unwrap(await move(caller, other));
    const expected = { id: caller.id, organizationId: other, role: "member" };
    expect(await callerOf(flows, moved)).toMatchObject(expected);
    expect(await callerOf(flows, signedIn)).toMatchObject(expected);
  });

  test("gives a new refresh token; the one before it is a repetition for ten seconds and then a theft", async () => {
    const { caller, signedIn, other } = await memberOfTwo(flows);
    const moved = unwrap(await move(caller, other));
    const present = async ({ refreshToken }: { readonly refreshToken: string }) =>
      await refresh(flows.deps, { refreshToken, admissionOf: () => undefined, client: clientAt() });
    expect(unwrap(await present(signedIn.tokens)).tokens).toEqual(moved.tokens);
    flows.clock.advance(10 * SECOND_MS + 1);
    expect(codeOf(await present(signedIn.tokens))).toBe("authentication_required");
    expect(codeOf(await present(moved.tokens))).toBe("authentication_required");
  });

  test("is not_found for a foreign organization, and forbidden for a suspended organization", async () => {
    const { caller, other } = await memberOfTwo(flows);
    const stranger = await registerAccount(flows);
    expect(codeOf(await move(caller, stranger.organizationId))).toBe("not_found");
    await suspendOrganization(flows.sql, other);
    expect(codeOf(await move(caller, other))).toBe("forbidden");
  });

  test("of a session that has just ended moves nothing, and leaves where the next sign-in enters", async () => {
    const { caller, email, organizationId, other } = await memberOfTwo(flows);
    await flows.sql`update sessions set revoked_at = now(), revoked_reason = 'logout' where id = ${caller.id}`;
    expect(codeOf(await move(caller, other))).toBe("authentication_required");
    const [row] = await flows.sql`select organization_id from sessions where id = ${caller.id}`;
    expect(row?.organization_id).toBe(organizationId);
    expect((await signIn(flows, email)).session.organizationId).toBe(organizationId);
  });

  test("has the next sign-in enter the same organization", async () => {
    const { caller, email, other } = await memberOfTwo(flows);
    unwrap(await move(caller, other));
    expect((await signIn(flows, email)).session.organizationId).toBe(other);
  });
});
