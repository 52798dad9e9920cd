/** Actions that need a step-up ask when pressed, and go on afterwards (docs/pages.md). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, newEmail } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { codeOf, forgetUsedStep } from "../support/mfa.ts";
import { registerClient } from "../support/oauth.ts";
import { redirectOf, STEP_UP_ASKED, signedInForms } from "../support/pages.ts";
import { platformUser } from "../support/platform.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { storeConnection } from "../support/sso-connections.ts";
import { ageFactor, enterEnterprise } from "../support/states.ts";
import { memberWith, stepUpSessions, verify } from "../support/team.ts";

const CONTINUE = "/step-up/continue";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const formsOf = ({ client }: { readonly client: Client }) => signedInForms(at.one.url, client.jar);

/** An owner with an authenticator app, whose step-up has expired. */
async function staleOwner() {
  const owner = await steppedUpOwner(at);
  await verify(at.sql, owner.userId);
  await ageFactor(at.sql, owner.userId, 60);
  await owner.client.post("/v1/auth/refresh");
  await forgetUsedStep(at.sql, owner.userId);
  return owner;
}

const hiddenIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );

describe("an action on a page (G311, G312)", () => {
  test("asks for the step-up when pressed, and goes on with what was typed, once", async () => {
    const owner = await staleOwner();
    const { forms, send } = await formsOf(owner);
    const email = newEmail();
    expect(redirectOf(await send("/team", { step: "invite", email, role: "admin" }))[0]).toBe(STEP_UP_ASKED);
    expect(await at.sql`select 1 from invitations where email = ${email}`).toHaveLength(0);
    const verified = await send(STEP_UP_ASKED, { code: codeOf(owner.secret) });
    expect(redirectOf(verified)[0]).toBe(CONTINUE);
    const page = await forms.get(CONTINUE);
    expect([page.status, page.text.includes('action="/team"')]).toEqual([200, true]);
    const { csrf: _, ...fields } = hiddenIn(page.text);
    expect(fields).toMatchObject({ step: "invite", email, role: "admin" });
    expect(redirectOf(await send("/team", fields))).toEqual(["/team", "invited"]);
    const again = await forms.get(CONTINUE);
    expect(again.headers.get("location")).toBe("/account");
  });

  test("leads back to its page after a cancellation, and belongs to its session alone", async () => {
    const [owner, other] = [await staleOwner(), await steppedUpOwner(at)];
    const { forms, send } = await formsOf(owner);
    const asked = await send("/team", { step: "invite", email: newEmail(), role: "owner" });
    const waiting = asked.headers.getSetCookie().find((each) => each.startsWith("service_form=")) ?? "";
    expect(waiting).toMatch(/; HttpOnly/i);
    expect(waiting).toContain("Path=/step-up");
    expect((await forms.get(CONTINUE)).headers.get("location")).toBe("/team");
    const value = decodeURIComponent(/^service_form=([^;]+)/.exec(waiting)?.[1] ?? "");
    other.client.setCookie("service_form", value, "/step-up");
    const foreign = await (await formsOf(other)).forms.get(CONTINUE);
    expect(foreign.headers.get("location")).toBe("/account");
  });

  test("needs none where the body gives no power", async () => {
    const { send } = await formsOf(await staleOwner());
    const invited = await send("/team", { step: "invite", email: newEmail(), role: "member" });
    expect(redirectOf(invited)).toEqual(["/team", "invited"]);
  });

  test("of every form that grants power, adds a credential or takes data out asks", async () => {
    const person = await platformUser(at, "owner");
    await enterEnterprise(at.sql, person.organizationId);
    const member = await memberWith(at, person.organizationId, "member");
    const group = await person.client.post(`/v1/orgs/${person.organizationId}/groups`, { name: "Engineers" });
    const groupPage = `/team/groups/${group.body.id}`;
    const { forms, send } = await formsOf(person);
    const organization = `/admin/organizations/${person.organizationId}`;
    const url = "https://example.test/hook";
    const pressed: readonly (readonly [string, Record<string, string>])[] = [
      ["/team", { step: "invite", email: newEmail(), role: "owner" }],
      ["/team", { step: "role", id: member.userId, role: "admin" }],
      [`/team/members/${member.userId}`, { role_ids: UNKNOWN }],
      ["/team/roles/new", { step: "create", name: "Auditor", permissions: "audit.read" }],
      [`/team/roles/${UNKNOWN}`, { step: "save", name: "Auditor", permissions: "audit.read" }],
      ["/team/groups/new", { name: "Engineers", role_ids: UNKNOWN }],
      [groupPage, { step: "save", name: "Engineers", role_ids: UNKNOWN }],
      [groupPage, { step: "add", email: member.email }],
      ["/team/applications", { step: "approve", id: UNKNOWN }],
      ["/team/delete", { step: "export" }],
      [`/team/members/${member.userId}/creations`, {}],
      ["/machines", { step: "create-key", id: UNKNOWN, "scope:members.list": "yes", days: "30" }],
      ["/machines", { step: "create-webhook", url, event_types: "member.removed" }],
      ["/machines", { step: "change-webhook", id: UNKNOWN, url, event_types: "member.removed" }],
      ["/machines", { step: "switch-on", id: UNKNOWN }],
      ["/machines", { step: "rotate-secret", id: UNKNOWN }],
      ["/admin/machines", { step: "create-webhook", url, event_types: "member.removed" }],
      [organization, { step: "invite", email: newEmail(), role: "admin" }],
      [organization, { step: "role", id: member.userId, role: "owner" }],
      ["/admin/audit/export", {}],
    ];
    for (const [path, fields] of pressed) {
      expect([path, fields.step, redirectOf(await send(path, fields))[0]]).toEqual([path, fields.step, STEP_UP_ASKED]);
    }
    for (const list of ["/admin/users", "/admin/organizations"]) {
      const download = await forms.get(`${list}/export`);
      expect(download.headers.get("location")).toBe(`/step-up?return_to=${encodeURIComponent(list)}`);
    }
  });

  test("is displayed to a user whose step-up has expired as to a user with a recent step-up (G311)", async () => {
    const person = await platformUser(at, "owner");
    await enterEnterprise(at.sql, person.organizationId);
    await stepUpSessions(at.sql, person.userId);
    const { forms, send } = await formsOf(person);
    await person.client.post("/v1/auth/refresh");
    const connection = await storeConnection(at.sql, person.organizationId);
    for (const [path, fields] of [
      ["/team/single-sign-on", { step: "add", domain: `d${Date.now()}.example.test` }],
      ["/team/single-sign-on", { step: "create-link", connection: "yes", hours: "1" }],
      ["/team/directory", { step: "create" }],
      ["/team/directory", { step: "create-key" }],
    ] as const) {
      expect([path, fields.step, (await send(path, fields)).status < 400]).toEqual([path, fields.step, true]);
    }
    const application = await registerClient({}, person.client);
    const api = await person.client.post("/v1/admin/resources", {
      identifier: `https://${UNKNOWN.slice(0, 8)}${Date.now()}.example.test`,
      name: "Invoices",
      scopes: [{ name: "read" }],
    });
    const template = await person.client.post("/v1/admin/roles", {
      key: `k${Date.now()}`,
      name: "Auditor",
      permissions: [],
    });
    expect([api.status, template.status]).toEqual([201, 201]);
    const pages = [
      "/team/single-sign-on",
      `/team/single-sign-on/${connection}`,
      `/team/single-sign-on/${connection}?section=mapping`,
      "/team/directory",
      "/team/directory?section=groups",
      `/admin/oauth-clients/${application.id}`,
      `/admin/oauth-clients/${application.id}/claims`,
      `/admin/resources/${api.body.id}`,
      `/admin/roles/${template.body.id}`,
      `/admin/organizations/${person.organizationId}?section=sso`,
      "/team/policies",
    ];
    const readAll = async () => {
      const read = [];
      for (const path of pages) read.push([path, actionsOf((await forms.get(path)).text)] as const);
      return read;
    };
    const fresh = await readAll();
    await stepUpSessions(at.sql, person.userId, "an hour ago");
    await person.client.post("/v1/auth/refresh");
    expect(await readAll()).toEqual(fresh);
    const steps = fresh.flatMap(([, actions]) => actions);
    for (const step of ["add", "check", "create-link", "create-key", "add-secret"]) expect(steps).toContain(step);
  });
});

/** The buttons and the links to questions. An edit form is behind "Edit settings" before a step-up. */
function actionsOf(html: string): readonly string[] {
  const found = [...html.matchAll(/name="step" value="([^"]+)"|href="([^"]+\/confirm\?[^"]+)"/g)];
  return found.map(([, step, link]) => step ?? link ?? "").filter((each) => each !== "save");
}
