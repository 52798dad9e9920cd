/** Applications of an organization: the request of a member, the decision, the end of the access. */
import { beforeAll, describe, expect, test } from "bun:test";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  exchange,
  hiddenIn,
  introspectAt,
  makePkce,
  personWithBrowser,
  registerClient,
  tokensFor,
} from "../support/oauth.ts";
import { redirectOf, textOf } from "../support/pages.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

const pkce = makePkce();
let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

describe("/oauth2/approval and /team/applications (G242)", () => {
  const LIST = "/team/applications";
  const CONFIRM = "/team/applications/confirm";
  const settings = JSON.stringify({ ...DEFAULT_POLICY, thirdPartyClients: "approved" });

  /** An organization that admits approved applications, with an owner and a member. */
  async function strictOrganization() {
    const owner = await personWithBrowser();
    const { organizationId } = owner;
    await stepUpSessions(at.sql, owner.userId);
    const member = await memberWith(at, organizationId, "member");
    await at.sql`delete from members where user_id = ${member.userId} and organization_id <> ${organizationId}`;
    await at.sql`
      insert into organization_policies values (${organizationId}, ${settings}::text::jsonb, now(), null, 1, now())`;
    const { client } = await signedIn(at.one.url, member.email);
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: client.jar });
    return { owner, member: { ...member, client, browser } };
  }

  test("A member asks for an application, and an administrator approves, then ends the access.", async () => {
    const { owner, member } = await strictOrganization();
    const application = await registerClient({ name: "<b>Notes</b>", first_party: false });
    const path = authorizePath(application, pkce.challenge);
    const asked = await member.browser.follow(path);
    expect([asked.path.split("?")[0], textOf(asked.answer.text)]).toEqual([
      "/oauth2/approval",
      expect.stringContaining("allows approved applications only"),
    ]);
    expect(asked.answer.text).not.toContain("<b>Notes</b>");
    const silent = await member.browser.follow(authorizePath(application, pkce.challenge, { prompt: "none" }));
    expect(silent.location?.searchParams.get("error")).toBe("interaction_required");
    for (const _ of ["first", "again"]) {
      const requested = await member.browser.submit(asked.path, { decision: "ask" });
      expect(textOf(requested.answer.text)).toContain("Your request is waiting for an administrator");
    }
    const back = await member.browser.submit(asked.path, { decision: "back" });
    expect(back.location?.searchParams.get("error")).toBe("access_denied");

    const list = await owner.browser.get(LIST);
    expect([list.status, textOf(list.text)]).toEqual([200, expect.stringContaining("app.example.test · requested by")]);
    const send = (by: Browser, step: string, id = application.id) =>
      by.post(LIST, { ...hiddenIn(list.text), organization: owner.organizationId, step, id });
    expect(redirectOf(await send(owner.browser, "approve"))).toEqual([LIST, "approved"]);
    const consent = await member.browser.follow(path);
    expect(consent.path).toStartWith("/oauth2/consent");
    const { location } = await member.browser.submit(consent.path, { decision: "allow" });
    const code = location?.searchParams.get("code") ?? "";
    const issued = await exchange(at.one.url, application, { code, pkce });
    const { access_token } = issued.body;
    expect([issued.status, (await introspectAt(at.one.url, application, access_token)).body.active]).toEqual([
      200,
      true,
    ]);

    const question = await owner.browser.get(`${CONFIRM}?step=end&id=${application.id}`);
    expect(textOf(question.text)).toContain("End the access of");
    expect(redirectOf(await send(owner.browser, "end"))).toEqual([LIST, "ended"]);
    expect((await introspectAt(at.one.url, application, access_token)).body.active).toBe(false);
    const refused = await member.browser.follow(path);
    expect(refused.location?.searchParams.get("error")).toBe("access_denied");
    const actions = await at.sql`
      select action from audit_logs where resource_id = ${application.id} and organization_id = ${owner.organizationId}
      order by id`;
    expect(actions.map(({ action }) => action).filter((action) => action.startsWith("organization."))).toEqual([
      "organization.application_requested",
      "organization.application_approved",
      "organization.application_revoked",
    ]);
  });

  test("An approval is for the displayed identity: 409 after a change of the application.", async () => {
    const { owner, member } = await strictOrganization();
    const application = await registerClient({ name: "Acme Notes", first_party: false });
    const asked = await member.browser.follow(authorizePath(application, pkce.challenge));
    await member.browser.submit(asked.path, { decision: "ask" });
    const read = async () => {
      const { text } = await owner.browser.get(LIST);
      return { ...hiddenIn(text), version: /name="version" value="([^"]+)"/.exec(text)?.[1] ?? "" };
    };
    const displayed = await read();
    expect(displayed.version).toBe("none");
    await at.sql`update oauth_clients set name = 'Bank', consent_from = now() where id = ${application.id}`;
    const approve = async (fields: Record<string, string>) =>
      await owner.browser.post(LIST, { ...fields, organization: owner.organizationId, step: "approve" });
    expect((await approve({ ...displayed, id: application.id })).status).toBe(409);
    const [waiting] = await at.sql`
      select status from organization_applications
      where organization_id = ${owner.organizationId} and client_id = ${application.id}`;
    expect(waiting).toEqual({ status: "requested" });
    expect(redirectOf(await approve({ ...(await read()), id: application.id }))).toEqual([LIST, "approved"]);
  });

  test("Members see no applications, and an administrator decides for the own organization alone.", async () => {
    const { owner, member } = await strictOrganization();
    const stranger = await personWithBrowser();
    await stepUpSessions(at.sql, stranger.userId);
    const application = await registerClient({ name: "Acme Notes", first_party: false });
    await tokensFor(await registerClient({ name: "Acme Own" }), stranger.browser);
    for (const path of [LIST, `${CONFIRM}?step=end&id=${application.id}`]) {
      expect([path, (await member.browser.get(path)).status]).toEqual([path, path === LIST ? 403 : 404]);
    }
    const page = hiddenIn((await stranger.browser.get(LIST)).text);
    const decide = { ...page, organization: stranger.organizationId, step: "approve", id: application.id };
    expect((await stranger.browser.post(LIST, decide)).status).toBe(303);
    const asked = await member.browser.follow(authorizePath(application, pkce.challenge));
    expect(asked.path).toStartWith("/oauth2/approval");
    const elsewhere = { ...decide, organization: owner.organizationId };
    expect((await stranger.browser.post(LIST, elsewhere)).status).not.toBe(303);
    for (const more of [
      { step: "end", id: crypto.randomUUID() },
      { step: "approve", id: crypto.randomUUID() },
      { step: "other" },
    ]) {
      expect([more, (await stranger.browser.post(LIST, { ...decide, ...more })).status]).toEqual([more, 404]);
    }
  });
});
