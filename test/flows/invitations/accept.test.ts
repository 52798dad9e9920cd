import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { acceptInvitation } from "../../../src/flows/invitations/accept.ts";
import { createInvitation } from "../../../src/flows/invitations/create.ts";
import { resendInvitation, revokeOrganizationInvitation } from "../../../src/flows/invitations/manage.ts";
import { previewInvitation } from "../../../src/flows/invitations/preview.ts";
import { authorizePermission, type MemberCaller } from "../../../src/flows/steps/authorization/authorize-member.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  DAY_MS,
  inviterOf,
  registerAccount,
  signInWith,
  tokenIn,
  unwrap,
} from "../../support/accounts.ts";
import { newEmail, PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { disableUser, suspendOrganization } from "../../support/states.ts";
import { statementsWait } from "../../support/team.ts";

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

  test("while open refuses a further invitation of the address; an expired invitation does not", async () => {
    const caller = await owner();
    const { email } = await invited(caller);
    expect(codeOf(await invite(caller, email))).toBe("conflict");
    flows.clock.advance(7 * DAY_MS);
    expect(codeOf(await invite(caller, email))).toBe("ok");
  });

  test("after a resend has a new token and further seven days, also after its expiry", async () => {
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

  test("lets no account join without a session that is disabled or has an organization to sign in to", async () => {
    const [caller, disabled, member] = [await owner(), await registerAccount(flows), await registerAccount(flows)];
    await suspendOrganization(flows.sql, disabled.organizationId);
    await disableUser(flows.sql, disabled.userId);
    for (const { email } of [disabled, member]) {
      unwrap(await invite(caller, email));
      expect(codeOf(await accept(await newestToken(email)))).toBe("authentication_required");
    }
  });

  test("does not join, without a session, an account in a further organization meanwhile", async () => {
    const [caller, guest] = [await owner(), await registerAccount(flows)];
    await suspendOrganization(flows.sql, guest.organizationId);
    const { id } = unwrap(await invite(caller, guest.email));
    const token = await newestToken(guest.email);
    const { organizationId: other } = await registerAccount(flows);
    let accepting: ReturnType<typeof accept> | undefined;
    await flows.sql.begin(async (sql) => {
      await sql`select 1 from users where id = ${guest.userId} for no key update`;
      await sql`insert into members (organization_id, user_id, role, joined_at)
        values (${other}, ${guest.userId}, 'member', now())`;
      accepting = accept(token);
      await statementsWait(flows.sql, 1);
    });
    expect(await accepting).toMatchObject({
      error: { code: "authentication_required", cause: "the invited address has an account" },
    });
    expect(await flows.sql`select accepted_at from invitations where id = ${id}`).toMatchObject([
      { accepted_at: null },
    ]);
  });

  test("joins the account of a suspended organization and ends what a stranger set up for it (G34, G68)", async () => {
    const [caller, guest] = [await owner(), await registerAccount(flows)];
    await suspendOrganization(flows.sql, guest.organizationId);
    unwrap(await invite(caller, guest.email));
    const token = await newestToken(guest.email);
    const outcomes = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(outcomes.map(codeOf).filter((code) => code === "ok")).toHaveLength(1);
    expect(codeOf(await signInWith(flows, guest.email))).toBe("authentication_required");
    expect(await flows.newestEmail(guest.email, "account_secured")).toMatchObject({ password: true });
    const [record] = await flows.sql`
      select metadata from audit_logs where actor_id = ${guest.userId} and action = 'auth.control.proven'`;
    expect(record?.metadata).toMatchObject({ proof: "invitation", password: true });
  });

  test("makes the initial platform owner of a new user with the account, or neither", async () => {
    const { email, token } = await invited(await owner());
    const config = { ...flows.deps.config, initialOwnerEmail: email };
    const input = { token, caller: undefined, password: PASSWORD, displayName: undefined, client: clientAt() };
    await flows.sql`
      create function refuse_role() returns trigger language plpgsql as 'begin raise exception ''no role''; end'`;
    await flows.sql`
      create trigger refuse_role before update of platform_role on users execute function refuse_role()`;
    await expect(acceptInvitation({ ...flows.deps, config }, input)).rejects.toThrow("no role");
    await flows.sql`drop trigger refuse_role on users`;
    expect(await flows.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    unwrap(await acceptInvitation({ ...flows.deps, config }, input));
    expect(await flows.sql`select platform_role from users where email = ${email}`).toMatchObject([
      { platform_role: "owner" },
    ]);
  });

  test("accepted during a revocation stays accepted, and the revocation is a conflict", async () => {
    const { manage } = await invited(await owner());
    let revoking: ReturnType<typeof revokeOrganizationInvitation> | undefined;
    await flows.sql.begin(async (sql) => {
      await sql`update invitations set accepted_at = now() where id = ${manage.invitationId}`;
      revoking = revokeOrganizationInvitation(flows.deps, manage);
      await statementsWait(flows.sql, 1);
    });
    expect(await revoking).toMatchObject({ error: { code: "conflict" } });
  });

  test("is not to be made for an organization that the caller does not belong to", async () => {
    const [caller, other] = [await owner(), await owner()];
    const inviting = await authorizePermission(flows.deps, caller.session, other.organizationId, "members.invite");
    expect(codeOf(inviting)).toBe("not_found");
  });
});
