/** Commands and queries of the documents, as printed, against a service (G270). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, userBody, verifyDomainOf } from "../support/directories.ts";
import { blockOf, runBlocks, serviceCommandsOf } from "../support/document-blocks.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown } from "../support/mfa.ts";
import { plain } from "../support/pictures.ts";
import { runService } from "../support/replica.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";

const CONTRACT = "docs/contract.md";
const GUIDES = "docs/guides/README.md";
const POLICIES = "docs/guides/organization-policies.md";
const folder = mkdtempSync(join(tmpdir(), "identity-documents-"));
let at: Deployment;

beforeAll(async () => {
  at = await deployment();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (values: Record<string, string> = {}, variables: Record<string, string> = {}) => ({
  url: at.one.url,
  folder,
  values,
  variables,
});

describe("README.md", () => {
  test("The commands of the first sign-in register, sign in, refresh and sign out.", async () => {
    const email = newEmail();
    const lines = await runBlocks("README.md", ["sh sign-in"], here({ "you@example.com": email }));
    const bodies = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    const [registration, login, session, refreshed] = bodies;
    expect(bodies).toHaveLength(4);
    expect([registration.status, login.status]).toEqual(["success", "success"]);
    expect(session.user.email).toBe(email);
    expect(refreshed.access_token).toBeString();
    expect(lines.find((line) => line.startsWith("HTTP/"))).toContain(" 204");
  });
});

describe("docs/guides/README.md", () => {
  test("The commands return tokens of a session that is stepped up, at the sign-in and later.", async () => {
    const person = await enrolled(at);
    const values = { "you@example.com": person.email, "correct horse battery": PASSWORD };
    const code = { "123456": codeOf(person.secret) };
    const shown = await passwordShown(at.one.url, person.email);
    const [login, challenge] = await runBlocks(
      GUIDES,
      ["sh token"],
      here({ ...values, ...code }, { MFA_TOKEN: shown }),
    );
    expect(JSON.parse(login ?? "").mfa_token).toBeString();
    const { access_token: token, user } = JSON.parse(challenge ?? "");
    expect(user.organization_id).toBeString();
    await forgetUsedStep(at.sql, person.userId);
    const [response] = await runBlocks(GUIDES, ["sh step-up"], here(code, { TOKEN: token }));
    const { access_token: later, mfa_verified_at, step_up_expires_at } = JSON.parse(response ?? "");
    expect(later).toBeString();
    expect(Date.parse(step_up_expires_at) - Date.parse(mfa_verified_at)).toBe(300_000);
  });
});

describe("docs/contract.md", () => {
  test("A token of the login serves the session, and the sign-out ends the session of the cookies.", async () => {
    const { email, client } = await registered(at.one.url);
    const { accessToken } = await signedIn(at.one.url, email);
    const values = { "ada@example.com": email, "correct horse battery": PASSWORD };
    const [login, session] = await runBlocks(CONTRACT, ["sh bearer"], here(values, { TOKEN: accessToken }));
    expect(JSON.parse(login ?? "").status).toBe("success");
    expect(JSON.parse(session ?? "").user.email).toBe(email);
    const lines = ["service_at", "service_csrf"].map((name) =>
      ["127.0.0.1", "FALSE", "/", "FALSE", "0", name, client.cookie(name)].join("\t"),
    );
    writeFileSync(join(folder, "cookies"), `${lines.join("\n")}\n`);
    await runBlocks(CONTRACT, ["sh sign-out"], here());
    expect((await client.get("/v1/auth/session")).status).toBe(401);
  });

  test("The challenge accepts the code of the authenticator app.", async () => {
    const person = await enrolled(at);
    const values = { "eyJ…": await passwordShown(at.one.url, person.email), "123456": codeOf(person.secret) };
    const [response] = await runBlocks(CONTRACT, ["sh challenge"], here(values));
    expect(JSON.parse(response ?? "").status).toBe("success");
  });

  test("The upload stores a picture.", async () => {
    const { accessToken } = await registered(at.one.url);
    writeFileSync(join(folder, "me.jpg"), await plain(64).jpeg().toBuffer());
    const [response] = await runBlocks(CONTRACT, ["sh avatar"], here({}, { TOKEN: accessToken }));
    expect(JSON.parse(response ?? "").avatar_url).toContain("/avatars/");
  });
});

describe("guides", () => {
  test("organization-policies.md: the commands read the policies, and preview a change.", async () => {
    const { organizationId: ORG, accessToken: TOKEN } = await steppedUpOwner(at);
    const lines = await runBlocks(POLICIES, ["sh address", "sh preview"], here({}, { ORG, TOKEN }));
    const [stored, preview] = lines.map((line) => JSON.parse(line));
    expect(stored.revision).toBeNumber();
    expect(preview.counts).toBeObject();
  });

  test("directories.md: the requests create and deactivate a user.", async () => {
    const directory = await directoryOf(at);
    await verifyDomainOf(at, directory);
    const { body } = await directory.scim("POST", "/Users", userBody(directory.address("grace")));
    const values = { "ada@example.com": directory.address("ada") };
    const variables = { KEY: directory.key, ID: body.id };
    const lines = await runBlocks("docs/guides/directories.md", ["sh requests"], here(values, variables));
    const [created, changed] = lines.map((line) => JSON.parse(line));
    expect(created.userName).toBe(directory.address("ada"));
    expect([changed.id, changed.active]).toEqual([body.id, false]);
  });

  test("privacy.md: the deletion log is exported and replayed.", async () => {
    const file = join(folder, "deletions.ndjson");
    for (const words of serviceCommandsOf("docs/guides/privacy.md", "sh deletions")) {
      const args = words.map((word) => word.replace("/safe/place/deletions.ndjson", file));
      expect([args, (await runService(args, { DATABASE_URL: at.databaseUrl })).code]).toEqual([args, 0]);
    }
    expect(readFileSync(file, "utf8")).toBeString();
  });
});

describe("queries for operators", () => {
  const QUERIES = [
    ["docs/runbook.md", "sql late-webhooks"],
    ["docs/runbook.md", "sql open-transactions"],
    ["docs/upgrading.md", "sql registered-elsewhere"],
    ["docs/upgrading.md", "sql uncontrolled"],
  ] as const;

  test.each(QUERIES)("%s, %s is valid in the present schema.", async (document, info) => {
    const { userId } = await registered(at.one.url);
    for (const statement of blockOf(document, info).replace("<user id>", userId).split(";\n"))
      expect(Array.isArray(await at.sql.unsafe(statement))).toBe(true);
  });
});
