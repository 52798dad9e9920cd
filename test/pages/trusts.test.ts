/** The pages of trusts of service accounts, by the forms (docs/contract.md, section 35.11). */
import { beforeAll, describe, expect, test } from "bun:test";
import { TRUST_PRESET_NAMES } from "../../src/flows/service-accounts/trust-presets.ts";
import { testCertificate } from "../support/certificate.ts";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { sendForm } from "../support/oauth.ts";
import { FormClient, mainOf, redirectOf, STEP_UP_ASKED } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, steppedUpOwner } from "../support/service-accounts.ts";
import { ageFactor } from "../support/states.ts";
import { joinedAs } from "../support/team.ts";

const PAGE = "/machines";
const SCRIPT = `"><script>alert(1)</script>'`;

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** Returns the browser of a signed-in user. */
async function formsOf({ client }: { readonly client: Client }, path = PAGE) {
  const forms = new FormClient(at.one.url);
  Object.assign(forms.client, { jar: client.jar });
  const csrf = await forms.csrf("/account");
  const mainAt = async (address: string) => mainOf((await forms.get(address)).text);
  return { forms, main: mainAt, send: (fields: Record<string, string>) => forms.post(path, { csrf, ...fields }) };
}

/** An owner with a service account. */
async function owned() {
  const owner = await steppedUpOwner(at);
  const account = await owner.client.post(accountsOf(owner.organizationId), { name: "Pipeline" });
  return { owner, id: String(account.body.id), ...(await formsOf(owner)) };
}

const trustIn = (address: string) => new URL(address, ISSUER).searchParams.get("trust") ?? "";
const github = (id: string, issuer: string) => ({
  step: "create-trust",
  id,
  preset: "github",
  name: "Release",
  issuer,
  repository_id: "64511",
  ref: "refs/heads/main",
  "scope:members.list": "yes",
});

describe("the pages of trusts (G556)", () => {
  test("An owner creates a trust by a preset, tests a token and ends the trust.", async () => {
    const issuer = new ForgedProvider(testCertificate());
    const { id, main, send, owner } = await owned();
    expect(await main(PAGE)).toContain("A trust replaces stored keys in pipelines.");
    const choice = await main(`${PAGE}?form=create-trust&id=${id}`);
    for (const name of TRUST_PRESET_NAMES) expect(choice).toContain(`preset=${name}`);
    const form = await main(`${PAGE}?form=create-trust&id=${id}&preset=github`);
    expect(form).toContain('value="https://token.actions.githubusercontent.com"');
    const made = await send(github(id, issuer.url));
    const [place, result] = redirectOf(made);
    expect(result).toBe("trust-created");
    const page = await main(place ?? "");
    for (const text of [
      "repository_id is 64511",
      "ref is refs/heads/main",
      issuer.url,
      `client_id=${id}`,
      "/oauth2/token",
    ]) {
      expect([text, page.includes(text)]).toEqual([text, true]);
    }
    expect(page).toContain(`Created by ${owner.email}`);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer.url, aud: ISSUER, sub: "repo:a/b", repository_id: "64511", ref: "refs/heads/main" };
    const times = { iat: now, exp: now + 300, jti: crypto.randomUUID() };
    const ids = trustIn(place ?? "");
    const tested = async (assertion: string) => mainOf((await send({ step: "test-trust", id: ids, assertion })).text);
    const good = await issuer.sign({ ...claims, ...times }, {});
    expect(await tested(good)).toContain("The trust accepts this token");
    const refused = await tested(await issuer.sign({ ...claims, ...times, ref: SCRIPT }, {}));
    expect([refused.includes("The trust refuses this token"), refused.includes("<script>alert")]).toEqual([
      true,
      false,
    ]);
    expect(refused).toContain("<code>condition</code>");
    expect((await send({ step: "test-trust", id: ids, assertion: " " })).status).toBe(400);
    const exchange = (assertion: string) =>
      sendForm(at.one.url, "/oauth2/token", {
        grant_type: "client_credentials",
        client_id: id,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: assertion,
      });
    // The test has consumed nothing.
    expect((await exchange(good)).status).toBe(200);
    expect(redirectOf(await send({ step: "disable-trust", id: ids }))[1]).toBe("trust-off");
    const later = await issuer.sign({ ...claims, ...times, jti: crypto.randomUUID() }, {});
    expect((await exchange(later)).status).toBe(401);
    expect(redirectOf(await send({ step: "enable-trust", id: ids }))[1]).toBe("trust-on");
    const question = await main(`${PAGE}/confirm?step=delete-trust&id=${ids}`);
    expect(question).toContain("Delete the trust Release?");
    expect(redirectOf(await send({ step: "delete-trust", id: ids }))).toEqual([PAGE, "trust-deleted"]);
    expect((await exchange(later)).status).toBe(401);
    expect((await main(`${PAGE}?trust=${ids}`)).includes("repository_id is")).toBe(false);
  });

  test("A refused form names the wrong inputs, keeps the values, and creates nothing.", async () => {
    const { id, send, owner } = await owned();
    const good = github(id, "https://token.actions.githubusercontent.com");
    for (const [changed, field] of [
      [{ repository_id: "acme/app" }, "repository_id"],
      [{ repository_id: "" }, "repository_id"],
      [{ ref: "main" }, "ref"],
      [{ issuer: "http://issuer.example.com" }, "issuer"],
      [{ issuer: ISSUER }, "issuer"],
      [{ name: "https://example.com" }, "name"],
      [{ "scope:members.list": "" }, undefined],
      [{ preset: "other", conditions: "x" }, "conditions"],
      [{ preset: "other", conditions: '[{"claim":"repository","equals":"a/b"}]' }, "conditions"],
      [{ preset: "other", conditions: '[{"claim":"a","equals":"*"}]' }, "conditions"],
      [{ preset: "spiffe", trust_domain: "acme.test", path: "a", keys: "{}" }, "keys"],
    ] as const) {
      const fields = { ...good, ...changed } as Record<string, string>;
      if (fields["scope:members.list"] === "") delete fields["scope:members.list"];
      const wrong = await send(fields);
      const shown = field === undefined ? 'id="scopes-error"' : `id="${field}-error"`;
      expect([changed, wrong.status, wrong.text.includes(shown)]).toEqual([changed, 400, true]);
      if (!("name" in changed)) expect(wrong.text).toContain('value="Release"');
    }
    const immutable = await send({ ...good, preset: "other", conditions: '[{"claim":"ref","equals":"a"}]' });
    expect(immutable.text).toContain("Many customers share this issuer");
    const hostile = await send({ ...good, repository_id: SCRIPT, name: SCRIPT });
    expect([hostile.status, hostile.text.includes("<script>alert")]).toEqual([400, false]);
    expect((await send({ ...good, preset: "unknown" })).status).toBe(400);
    expect((await owner.client.get(`${accountsOf(owner.organizationId)}/${id}/trusts`)).body.items).toEqual([]);
  });

  test("Creating and turning on need a step-up; a member without permission sees and changes no trust.", async () => {
    const { owner, id, send, main } = await owned();
    const issuer = new ForgedProvider(testCertificate());
    const [place] = redirectOf(await send(github(id, issuer.url)));
    const ids = trustIn(place ?? "");
    await send({ step: "disable-trust", id: ids });
    const member = await joinedAs(at, owner, "member");
    const theirs = await formsOf(member);
    expect((await theirs.main(`${PAGE}?trust=${ids}`)).includes("64511")).toBe(false);
    for (const step of ["delete-trust", "enable-trust", "test-trust"]) {
      expect([step, (await theirs.send({ step, id: ids, assertion: "a.b.c" })).status]).toEqual([step, 403]);
    }
    expect((await theirs.send(github(id, issuer.url))).status).toBe(403);
    const stranger = await formsOf(await steppedUpOwner(at));
    expect((await stranger.main(`${PAGE}?trust=${ids}`)).includes("64511")).toBe(false);
    expect((await stranger.send({ step: "delete-trust", id: ids })).status).toBe(404);
    await ageFactor(at.sql, owner.userId, 60);
    await owner.client.post("/v1/auth/refresh");
    const aged = await formsOf(owner);
    expect(await aged.main(`${PAGE}?form=create-trust&id=${id}&preset=github`)).toContain(
      "needs two-step verification",
    );
    expect(redirectOf(await aged.send(github(id, issuer.url)))[0]).toBe(STEP_UP_ASKED);
    expect(redirectOf(await aged.send({ step: "enable-trust", id: ids }))[0]).toBe(STEP_UP_ASKED);
    expect(await main(`${PAGE}?trust=${ids}`)).toContain("Turn on");
  });

  test("The form of an organization does not tell which other organizations exist.", async () => {
    const { id, send } = await owned();
    const { organizationId } = await steppedUpOwner(at);
    const fields = { ...github(id, "https://token.actions.githubusercontent.com"), name: "" };
    const answers = [];
    for (const organizations of [organizationId, crypto.randomUUID()]) {
      const { status, text } = await send({ ...fields, organizations });
      answers.push([status, text.includes('id="name-error"')]);
    }
    expect(answers).toEqual([
      [400, false],
      [400, false],
    ]);
    expect((await send(fields)).text).toContain('id="name-error"');
  });

  test("The console creates a trust of the platform with a reach; a viewer reads the trust alone.", async () => {
    const console_ = "/admin/machines";
    const admin = await steppedUpAdmin(at, "admin");
    const { body: account } = await admin.client.post("/v1/admin/service-accounts", { name: "Fleet" });
    const host = await steppedUpOwner(at);
    const { send, main } = await formsOf(admin, console_);
    const fields = github(account.id, "https://token.actions.githubusercontent.com");
    const unknown = await send({ ...fields, organizations: "no-such-organization" });
    expect([unknown.status, unknown.text.includes('id="organizations-error"')]).toEqual([400, true]);
    const [place] = redirectOf(await send({ ...fields, organizations: host.organizationId }));
    const [row] =
      await at.sql`select organizations from service_account_trusts where service_account_id = ${account.id}`;
    expect(row?.organizations).toEqual([host.organizationId]);
    expect(await main(place ?? "")).toContain(`/admin/audit?user_id=${account.id}`);
    const viewer = await formsOf(await platformUser(at, "viewer"), console_);
    const read = await viewer.main(place ?? "");
    expect([read.includes("64511"), read.includes("delete-trust")]).toEqual([true, false]);
    expect((await viewer.send({ step: "delete-trust", id: trustIn(place ?? "") })).status).toBe(403);
  });
});
