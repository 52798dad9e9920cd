import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import { switchOrganization } from "../../../src/flows/auth/switch-organization.ts";
import { acceptInvitation } from "../../../src/flows/invitations/accept.ts";
import { createInvitation } from "../../../src/flows/invitations/create.ts";
import { callerOf, clientAt, codeOf, registerAccount, SECOND_MS, tokenIn, unwrap } from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Somebody who owns one organization and is a member of another one. */
async function memberOfTwo() {
  const [host, guest] = [await registerAccount(flows), await registerAccount(flows)];
  const inviter = await callerOf(flows, host.signedIn);
  const { organizationId } = host;
  const input = { organizationId, email: guest.email, role: "member" as const, client: clientAt() };
  unwrap(await createInvitation(flows.deps, { caller: inviter, ...input }));
  const token = tokenIn(await flows.newestEmail(guest.email, "invitation"));
  const caller = await callerOf(flows, guest.signedIn);
  const accepting = { token, caller, password: undefined, displayName: undefined, client: clientAt() };
  unwrap(await acceptInvitation(flows.deps, accepting));
  return { ...guest, caller, other: organizationId };
}

const move = (caller: Awaited<ReturnType<typeof callerOf>>, organizationId: string) =>
  switchOrganization(flows.deps, { caller, organizationId, client: clientAt() });

describe("switching the organization", () => {
  test("moves the very session, its role and both of its access tokens", async () => {
    const { caller, signedIn, other } = await memberOfTwo();
    const moved = unwrap(await move(caller, other));
    const expected = { id: caller.id, organizationId: other, role: "member" };
    expect(await callerOf(flows, moved)).toMatchObject(expected);
    expect(await callerOf(flows, signedIn)).toMatchObject(expected);
  });

  test("gives a new refresh token; the one before it is a repetition for ten seconds and then a theft", async () => {
    const { caller, signedIn, other } = await memberOfTwo();
    const moved = unwrap(await move(caller, other));
    const present = async ({ refreshToken }: { readonly refreshToken: string }) =>
      await refresh(flows.deps, { refreshToken, client: clientAt() });
    expect(unwrap(await present(signedIn.tokens)).tokens).toEqual(moved.tokens);
    flows.clock.advance(10 * SECOND_MS + 1);
    expect(codeOf(await present(signedIn.tokens))).toBe("authentication_required");
    expect(codeOf(await present(moved.tokens))).toBe("authentication_required");
  });

  test("is not_found for an organization of others, and forbidden for one that is suspended", async () => {
    const { caller, other } = await memberOfTwo();
    const stranger = await registerAccount(flows);
    expect(codeOf(await move(caller, stranger.organizationId))).toBe("not_found");
    await flows.sql`update organizations set suspended_at = now() where id = ${other}`;
    expect(codeOf(await move(caller, other))).toBe("forbidden");
  });
});
