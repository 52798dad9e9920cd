import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { acceptInvitation, previewInvitation } from "../../../src/flows/invitations/accept.ts";
import { createInvitation } from "../../../src/flows/invitations/create.ts";
import { resendInvitation, revokeOrganizationInvitation } from "../../../src/flows/invitations/manage.ts";
import { authorizePermission, type MemberCaller } from "../../../src/flows/steps/authorize-member.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  DAY_MS,
  inviterOf,
  registerAccount,
  tokenIn,
  unwrap,
} from "../../support/accounts.ts";
import { newEmail, PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const inviting = { role: "member" as const, client: clientAt() };
const invite = (caller: MemberCaller, email: string) => createInvitation(flows.deps, { caller, email, ...inviting });
const accept = (token: string, caller?: SessionView) =>
  acceptInvitation(flows.deps, { token, caller, password: PASSWORD, displayName: undefined, client: clientAt() });
const preview = (token: string) => previewInvitation(flows.deps, token);
const newestToken = async (email: string) => tokenIn(await flows.newestEmail(email, "invitation"));
const owner = async () => await inviterOf(flows, (await registerAccount(flows)).signedIn);

async function invited(caller: MemberCaller) {
  const email = newEmail();
  const { id } = unwrap(await invite(caller, email));
  const manage = { caller, invitationId: id, client: clientAt() };
  return { email, token: await newestToken(email), manage };
}

describe("an invitation", () => {
  test("makes a new user a member, once", async () => {
    const caller = await owner();
    const { token, email } = await invited(caller);
    const accepted = unwrap(await accept(token));
    if (accepted.kind !== "new_user") throw new Error("the address had an account");
    const member = await callerOf(flows, accepted.signedIn);
    expect(member).toMatchObject({ email, organizationId: caller.organizationId, role: "member" });
    expect(codeOf(await accept(token))).toBe("conflict");
    expect(codeOf(await preview(token))).toBe("conflict");
  });

  test("lives seven days, to the millisecond", async () => {
    const caller = await owner();
    const [inTime, late] = [await invited(caller), await invited(caller)];
    flows.clock.advance(7 * DAY_MS - 1);
    expect(codeOf(await preview(late.token))).toBe("ok");
    expect(codeOf(await accept(inTime.token))).toBe("ok");
    flows.clock.advance(1);
    expect(codeOf(await preview(late.token))).toBe("authentication_required");
    expect(codeOf(await accept(late.token))).toBe("authentication_required");
  });

  test("that is open holds off another one of the address; one that has expired does not", async () => {
    const caller = await owner();
    const { email } = await invited(caller);
    expect(codeOf(await invite(caller, email))).toBe("conflict");
    flows.clock.advance(7 * DAY_MS);
    expect(codeOf(await invite(caller, email))).toBe("ok");
  });

  test("that is sent again has another token and another seven days, also when it had expired", async () => {
    const caller = await owner();
    const { email, token: first, manage } = await invited(caller);
    flows.clock.advance(8 * DAY_MS);
    const { expiresAt } = unwrap(await resendInvitation(flows.deps, manage));
    expect(expiresAt).toEqual(new Date(flows.clock.now() + 7 * DAY_MS));
    expect(codeOf(await preview(first))).toBe("authentication_required");
    flows.clock.advance(7 * DAY_MS - 1);
    expect(codeOf(await accept(await newestToken(email)))).toBe("ok");
  });

  test("that was revoked is not to be accepted, nor sent again", async () => {
    const { token, manage } = await invited(await owner());
    unwrap(await revokeOrganizationInvitation(flows.deps, manage));
    expect(codeOf(await accept(token))).toBe("conflict");
    expect(codeOf(await resendInvitation(flows.deps, manage))).toBe("conflict");
  });

  test("of an address with an account is accepted by its user alone", async () => {
    const [caller, { session: guest }, { session: stranger }] = [await owner(), await owner(), await owner()];
    unwrap(await invite(caller, guest.email));
    const token = await newestToken(guest.email);
    expect(codeOf(await accept(token))).toBe("authentication_required");
    expect(codeOf(await accept(token, stranger))).toBe("forbidden");
    expect(unwrap(await accept(token, guest))).toMatchObject({ kind: "member", role: "member" });
    expect(codeOf(await invite(caller, guest.email))).toBe("conflict");
  });

  test("is not to be made for an organization that the caller does not belong to", async () => {
    const [caller, other] = [await owner(), await owner()];
    const inviting = await authorizePermission(flows.deps, caller.session, other.organizationId, "members.invite");
    expect(codeOf(inviting)).toBe("not_found");
  });
});
