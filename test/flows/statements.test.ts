/**
 * Statements that are assembled from fragments are recorded in test/flows/statements/ (docs/architecture.md, rule 12),
 * a file for each flow. `UPDATE_STATEMENTS=1` rewrites the files.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeOpaqueToken } from "../../src/base/opaque-token.ts";
import { hashToken } from "../../src/base/token-hash.ts";
import { login } from "../../src/flows/auth/login.ts";
import { refresh } from "../../src/flows/auth/refresh.ts";
import { register } from "../../src/flows/auth/register.ts";
import { acceptInvitation } from "../../src/flows/invitations/accept.ts";
import { challenge } from "../../src/flows/mfa/challenge.ts";
import { checkPower } from "../../src/flows/sso/check-power.ts";
import { POWER_CHECK_BATCH } from "../../src/limits/power-limits.ts";
import { listPowerChecks } from "../../src/models/channel/power-check.ts";
import {
  clientAt,
  DAY_MS,
  enrolledAccount,
  passwordShown,
  registerAccount,
  totpAt,
  unwrap,
} from "../support/accounts.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { exchangeIn, flowClient, flowCode, refreshIn } from "../support/oauth-flows.ts";
import { type RecordingDatabase, recordingDatabase } from "../support/recording-database.ts";
import { formatSql } from "../support/sql-text.ts";
import { adminsOfConnection } from "../support/uncovered-sessions.ts";

let flows: Flows;
let recording: RecordingDatabase;
let deps: Flows["deps"];

beforeAll(async () => {
  flows = await openFlows();
  recording = recordingDatabase(flows.deps.config.database.url ?? "");
  deps = { ...flows.deps, database: recording.database };
});
afterAll(async () => {
  await recording.database.close();
  await flows.close();
});

/** Compares the statements of `work` with the recorded file of the flow. */
async function expectStatements(flow: string, work: () => Promise<unknown>): Promise<void> {
  recording.recorded();
  await work();
  const text = recording
    .recorded()
    .map((statement) => `-- ${statement.name}\n${formatSql(statement.text)};\n`)
    .join("\n");
  const path = new URL(`./statements/${flow}.sql`, import.meta.url);
  if (process.env.UPDATE_STATEMENTS) await Bun.write(path, text);
  expect(text).toBe(await Bun.file(path).text());
}

const passwordOf = (email: string) => ({
  email,
  password: PASSWORD,
  organizationId: undefined,
  trustToken: undefined,
  admission: undefined,
  client: clientAt(),
});

test("registration", async () => {
  const organization = {
    organizationName: "Acme",
    organizationSlug: undefined,
    email: newEmail(),
    password: PASSWORD,
    displayName: undefined,
  };
  await expectStatements("register", async () => unwrap(await register(deps, { organization, client: clientAt() })));
});

test("sign-in with a password", async () => {
  const { email } = await registerAccount(flows);
  await expectStatements("login", async () => unwrap(await login(deps, passwordOf(email))));
});

test("sign-in with a password from a new browser", async () => {
  const { email } = await registerAccount(flows);
  const client = { ...clientAt(), userAgent: "another browser" };
  await expectStatements("login-new-browser", async () => unwrap(await login(deps, { ...passwordOf(email), client })));
});

test("first factor of a user with a second one", async () => {
  const { email } = await enrolledAccount(flows);
  await expectStatements("first-factor", async () => unwrap(await login(deps, passwordOf(email))));
});

test("challenge", async () => {
  const { email, secret } = await enrolledAccount(flows);
  const mfaToken = await passwordShown(flows, email);
  const input = { mfaToken, factors: { code: totpAt(flows, secret) }, admission: undefined, client: clientAt() };
  await expectStatements("challenge", async () => unwrap(await challenge(deps, input)));
});

test("refresh", async () => {
  const { refreshToken } = (await registerAccount(flows)).signedIn.tokens;
  const input = { refreshToken, admissionOf: () => undefined, client: clientAt() };
  await expectStatements("refresh", async () => unwrap(await refresh(deps, input)));
});

test("invitation accepted by a new user", async () => {
  const { userId, organizationId } = await registerAccount(flows);
  const token = makeOpaqueToken(flows.random);
  const at = new Date(flows.clock.now());
  const invitation = {
    id: flows.random.uuid(),
    organization_id: organizationId,
    email: newEmail(),
    role: "member",
    token_hash: hashToken(token),
    invited_by: userId,
    created_at: at,
    expires_at: new Date(at.getTime() + DAY_MS),
  };
  await flows.sql`insert into invitations ${flows.sql(invitation)}`;
  const input = { token, caller: undefined, password: PASSWORD, displayName: undefined, client: clientAt() };
  await expectStatements("accept-invitation", async () => unwrap(await acceptInvitation(deps, input)));
});

test("signing in to an application: the code, its exchange and a refresh", async () => {
  const recorded = { ...flows, deps };
  const account = await registerAccount(flows);
  const client = await flowClient(flows, account);
  await expectStatements("oauth-tokens", async () => {
    const issued = await exchangeIn(recorded, client, await flowCode(recorded, client, account));
    if (typeof issued === "string") throw new Error(issued);
    await refreshIn(recorded, client, issued.refreshToken);
  });
});

test("the check of power in an organization with one session to end", async () => {
  const { demote } = await adminsOfConnection(flows, 1, POWER_CHECK_BATCH + 1);
  await demote();
  const [check] = await flows.deps.database.run("power_check.list", (sql) => listPowerChecks(sql, 1));
  if (!check) throw new Error("no check is due");
  await expectStatements("power-check", () => checkPower(deps, check, () => false));
});
