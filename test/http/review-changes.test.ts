/**
 * What a third party with an account for an hour changed in an organization (docs/contract.md, sections 12.16 and
 * 13.12): the review after a reset lists people, connections and domains, and creations name their keys.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { signedIn } from "../support/client.ts";
import { tokenTo } from "../support/mail.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { SetupHolder, setupHost } from "../support/setup-links.ts";
import { keyCaller } from "../support/signal-receiver.ts";
import { insertConnection, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { invitationsOf, invited, joinedAs, memberWith, stepUpSessions } from "../support/team.ts";
import { resetBy } from "../support/user-emails.ts";

const REVIEW = "/v1/users/me/credential-review";
const NEXT_PASSWORD = "the password after the reset";
const END_LINK = /^http:\/\/localhost:3000\/reset-password\/review\?token=([A-Za-z0-9_-]{43})$/m;

let sso: SsoDeployment;
let at: SsoDeployment["at"];
beforeAll(async () => {
  sso = await ssoDeployment();
  ({ at } = sso);
});

/** An owner whose account, addresses and sessions are a year old. */
async function oldOwner() {
  const host = await setupHost(sso);
  const { organizationId, ownerId } = host;
  const [user] = await at.sql`
    update users set created_at = now() - interval '1 year', controlled_at = now() - interval '1 year',
                     email_verified_at = now() - interval '1 year'
    where id = ${ownerId} returning email`;
  await at.sql`update user_emails set verified_at = now() - interval '1 year' where user_id = ${ownerId}`;
  return { ...host, client: host.owner, userId: ownerId, organizationId, email: String(user?.email) };
}

describe("the review after a reset", () => {
  test("lists admitted and promoted members, connections and domains, which remain (G367).", async () => {
    const owner = await oldOwner();
    const { organizationId, ownerId, client, email } = owner;
    const path = (rest: string) => `/v1/orgs/${organizationId}${rest}`;
    const before = await memberWith(at, organizationId, "member");
    const accomplice = await joinedAs(at, owner, "owner");
    const plain = await joinedAs(at, owner, "member");
    expect((await client.patch(path(`/members/${before.userId}`), { role: "admin" })).status).toBe(200);
    const connectionId = crypto.randomUUID();
    await insertConnection(at, { connectionId, organizationId, ownerId: accomplice.userId }, {});
    expect((await client.post(path(`/sso/connections/${connectionId}/take-over`))).status).toBe(200);
    const claimed = await client.post(path("/domains"), { domain: "later-claimed.test" });
    expect(claimed.status).toBe(201);
    expect((await resetBy(at, email, NEXT_PASSWORD)).status).toBe(204);
    const { client: after } = await signedIn(at.one.url, email, NEXT_PASSWORD);
    const { body } = await after.get(REVIEW);
    const remaining = body.items.filter(({ ends }: { ends: boolean }) => !ends);
    const of = (kind: string, id: string) => ({ kind, id, organization_id: organizationId, held: false });
    const expected = [
      of("member", accomplice.userId),
      of("member", before.userId),
      of("member", plain.userId),
      of("connection", connectionId),
      of("domain", claimed.body.id),
    ];
    expect(remaining).toHaveLength(expected.length);
    for (const item of expected) expect(remaining).toContainEqual(expect.objectContaining(item));
    const mail = at.mail.delivered.find(({ to, text }) => to.includes(email) && END_LINK.test(text));
    const address = accomplice.email.replace("@", " [at] ").replaceAll(".", "[.]");
    expect(mail?.text).toContain(`Member whom you admitted or gave permissions “${address}”`);
    expect(mail?.text).toContain("Domain “later-claimed[.]test”");
    await tokenTo(at.mail, email, END_LINK);
    expect((await after.post(REVIEW, { decision: "end", password: NEXT_PASSWORD })).status).toBe(204);
    const members = await at.sql`
      select user_id from members where organization_id = ${organizationId} and user_id <> ${ownerId}`;
    expect(members).toHaveLength(3);
    expect((await after.get(REVIEW)).body).toEqual({ reset_at: null, items: [] });
  });

  test("lists neither older changes nor changes by other people, and opens no review without any (G367).", async () => {
    const owner = await oldOwner();
    const { organizationId, ownerId, email } = owner;
    const other = await joinedAs(at, owner, "owner");
    await joinedAs(at, { client: other.client, organizationId }, "admin");
    await at.sql`update invitations set created_at = now() - interval '40 days' where invited_by = ${ownerId}`;
    expect((await resetBy(at, email, NEXT_PASSWORD)).status).toBe(204);
    const { client } = await signedIn(at.one.url, email, NEXT_PASSWORD);
    expect((await client.get(REVIEW)).body).toEqual({ reset_at: null, items: [] });
  });
});

describe("the creations of a person", () => {
  test("name the key of an invitation, and the set-up link of a domain and a key (G368).", async () => {
    const owner = await oldOwner();
    const { organizationId, base } = owner;
    const maker = await memberWith(at, organizationId, "admin");
    await stepUpSessions(at.sql, maker.userId);
    const made = await keyOf(maker.client, accountsOf(organizationId), ["members.invite"]);
    const call = keyCaller(at.one.url, made.key);
    const byKey = `${crypto.randomUUID()}@example.test`;
    expect((await call("POST", invitationsOf(organizationId), { email: byKey })).status).toBe(201);
    await invited(at, maker.client, organizationId);
    const link = await maker.client.post(base, { intents: ["domains", "directory"] });
    const holder = new SetupHolder(sso);
    await holder.begin(new URL(link.body.url).searchParams.get("token") ?? "");
    const domain = `${crypto.randomUUID()}.test`;
    expect((await holder.send("POST", "/v1/setup/domains", { domain })).status).toBe(201);
    expect((await holder.send("POST", "/v1/setup/directory-token")).status).toBe(201);
    const path = `/v1/orgs/${organizationId}/members/${maker.userId}/creations`;
    const { body } = await owner.client.get(path);
    const withOf = (kind: string) =>
      body.items
        .filter((item: { kind: string }) => item.kind === kind)
        .map((item: { made_with: { kind: string } | null }) => item.made_with?.kind ?? null)
        .sort();
    expect(withOf("invitation")).toEqual(["api_key", null]);
    expect(withOf("domain")).toEqual(["setup_link"]);
    expect(withOf("api_key")).toEqual([null, "setup_link"]);
    expect(withOf("setup_link")).toEqual([null]);
    const invitation = body.items.find(({ name }: { name: string }) => name === byKey);
    expect(invitation.made_with).toEqual({ kind: "api_key", id: made.id, name: expect.stringContaining("…)") });
  });
});
