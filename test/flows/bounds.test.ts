/**
 * Bounds inside the process that refuse work: a counter counts each refusal, or the refusal names the bound and is
 * counted.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { revocations } from "../../src/actors/revocations.ts";
import type { Refusal } from "../../src/base/problem.ts";
import type { Result } from "../../src/base/result.ts";
import { LIBCRYPTO } from "../../src/config/settings.ts";
import { openDatabase } from "../../src/database/database.ts";
import { uploadAvatar } from "../../src/flows/avatars/change.ts";
import { requestOwnExport } from "../../src/flows/data-exports/request.ts";
import { requestEmailCode } from "../../src/flows/email-otp/request.ts";
import { forgotPassword } from "../../src/flows/password/forgot.ts";
import { authorizeLiveSession, changeCredentials } from "../../src/flows/steps/credentials/change-credentials.ts";
import { comparePassword } from "../../src/flows/steps/sign-in/verify-password.ts";
import { acquireSigningSlot } from "../../src/flows/steps/tokens/issue-session-tokens.ts";
import { requestAddress } from "../../src/flows/user-emails/request-change.ts";
import { BOUND_NAMES, type Bound } from "../../src/limits/bounds.ts";
import { DATABASE_DEADLINE_MS, DATABASE_QUEUE_MAX } from "../../src/limits/database-limits.ts";
import { SIGN_UPS_PER_NETWORK_MAX } from "../../src/limits/registration-limits.ts";
import { EMAIL_CHANGES_MAX } from "../../src/limits/user-email-limits.ts";
import { hashSignUpNetwork } from "../../src/models/sign-up/sign-up.ts";
import { openHashPool, openSignPool } from "../../src/pool/pool.ts";
import { background } from "../../src/telemetry/background.ts";
import { registrationOf } from "../../src/vocabulary/registration.ts";
import { callerOf, clientAt, credentialChange, registerAccount } from "../support/accounts.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { type Flows, openFlows } from "../support/flows.ts";

const ROOT = join(import.meta.dir, "../..");
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

async function count(bound: Bound): Promise<number> {
  const text = await flows.deps.telemetry.prometheus();
  return Number(
    new RegExp(`^service_bound_refusals_total\\{service_bound="${bound}"[^}]*\\} (\\d+)$`, "m").exec(text)?.[1],
  );
}

function boundOf(result: Result<unknown, Refusal>): Bound | undefined {
  return result.ok ? undefined : result.error.bound;
}

/** A pool with zero queue places. */
const full = () => ({ ...flows.deps, workers: 1, queueMax: 0, niceIncrement: 0 });

describe("a refusal names its bound", () => {
  test("hash_deadline: a password that was not hashed in time", async () => {
    const hashing = openHashPool({ ...full(), deadlineMs: 0 });
    expect(boundOf(await comparePassword({ ...flows.deps, hashing }, PASSWORD, null, "network"))).toBe("hash_deadline");
    await hashing.close();
  });

  test("sign_slots: a sign-in or refresh beyond the slots of the signing pool, with the jobs that wait", async () => {
    const signing = openSignPool({ libcrypto: LIBCRYPTO, ...full(), admissionsMax: 0, deadlineMs: 1_000 });
    const refused = acquireSigningSlot({ signing }, "user");
    expect(boundOf(refused)).toBe("sign_slots");
    expect(refused.ok || refused.error.counters).toEqual({ waiting_jobs: 0, workers: 1 });
    await signing.close();
  });

  test("email_changes: a sixth request for an address within an hour", async () => {
    const caller = await callerOf(flows, (await registerAccount(flows)).signedIn);
    const confirmed = { ...(await credentialChange(flows, caller)), password: PASSWORD };
    const request = async () =>
      await requestAddress(flows.deps, { ...confirmed, kind: "change", field: "new_email", email: newEmail() });
    for (let turn = 0; turn < EMAIL_CHANGES_MAX; turn += 1) expect((await request()).ok).toBe(true);
    expect(boundOf(await request())).toBe("email_changes");
  });

  test("data_exports: a second export within a day", async () => {
    const caller = await callerOf(flows, (await registerAccount(flows)).signedIn);
    const confirmed = { ...(await credentialChange(flows, caller)), password: PASSWORD };
    expect((await requestOwnExport(flows.deps, confirmed)).ok).toBe(true);
    expect(boundOf(await requestOwnExport(flows.deps, confirmed))).toBe("data_exports");
  });

  const openToCodes = () => {
    const settings = () => registrationOf({ mode: "personal" });
    return { ...flows.deps, registration: { ...flows.deps.registration, settings } };
  };
  const askToSignUp = (deps: Flows["deps"], client: ReturnType<typeof clientAt>) =>
    requestEmailCode(deps, { email: "x", signUp: true, client });

  test("limit_sign_up: a request for a code to sign up beyond the limit of a network", async () => {
    const client = { ...clientAt(), network: "198.18.62.1" };
    const limits = { ...flows.deps.config.limits, enabled: true, signUp: { count: 1, seconds: 60 } };
    const deps = { ...flows.deps, config: { ...flows.deps.config, limits } };
    expect((await askToSignUp(deps, client)).ok).toBe(true);
    expect(boundOf(await askToSignUp(deps, client))).toBe("limit_sign_up");
  });

  test("sign_ups: a request for a code to sign up beyond the pending sign-ups of a network", async () => {
    const client = { ...clientAt(), network: "198.18.62.2" };
    const hash = hashSignUpNetwork(flows.deps.addressKey, client.network);
    const until = new Date(flows.deps.clock.now() + 60_000);
    await flows.deps.database.run(
      "test.fill",
      (sql) => sql`
        insert into sign_ups (id, email, code_hash, network_hash, expires_at, created_at)
        select gen_random_uuid(), 'pending-' || n || '@example.test', '\\x00', ${hash}, ${until}, now()
        from generate_series(1, ${SIGN_UPS_PER_NETWORK_MAX}::int) n`,
    );
    expect(boundOf(await askToSignUp(openToCodes(), client))).toBe("sign_ups");
  });

  test("picture_queue: a picture that would wait too long", async () => {
    const caller = await callerOf(flows, (await registerAccount(flows)).signedIn);
    const pictureDecoder = { decode: async () => ({ ok: false, code: "queue_full" }) as const };
    const upload = { caller, client: clientAt(), file: new Uint8Array() };
    expect(boundOf(await uploadAvatar({ ...flows.deps, pictureDecoder }, upload))).toBe("picture_queue");
  });

  test("credential_changes: a change overtaken by further changes each time", async () => {
    const caller = await callerOf(flows, (await registerAccount(flows)).signedIn);
    const overtaken = await changeCredentials(flows.deps, caller, authorizeLiveSession, async () => undefined);
    expect(boundOf(overtaken)).toBe("credential_changes");
  });
});

describe("a refusal outside of flows is counted at the place of the refusal", () => {
  test("background_work: a request for an email while too many are being written", async () => {
    const before = await count("background_work");
    const deps = { ...flows.deps, background: background({ max: 0, log: flows.deps.log }) };
    await expect(forgotPassword(deps, { email: "ann@example.test", client: clientAt() })).rejects.toThrow();
    expect(await count("background_work")).toBe(before + 1);
  });

  test("database_queue: a statement beyond the bound of waiting statements", async () => {
    const before = await count("database_queue");
    const gate = Promise.withResolvers<void>();
    const { database } = flows.deps;
    const waiting = Array.from({ length: DATABASE_QUEUE_MAX }, () => database.run("test.wait", () => gate.promise));
    await expect(database.run("test.refused", () => gate.promise)).rejects.toThrow("database queue is full");
    gate.resolve();
    await Promise.all(waiting);
    expect(await count("database_queue")).toBe(before + 1);
  });

  test("database_deadline: a statement without a response in time", async () => {
    const before = await count("database_deadline");
    // A clock whose deadline has passed when the timer reads the time.
    let askedAt = 0;
    const clock = {
      ...flows.deps.clock,
      monotonic: () => {
        askedAt += DATABASE_DEADLINE_MS;
        return askedAt;
      },
    };
    const telemetry = { ...flows.deps.telemetry, clock };
    const database = openDatabase({ url: flows.databaseUrl, connections: 1, telemetry, name: "test" });
    await expect(database.run("test.silent", () => new Promise(() => undefined))).rejects.toThrow("no response");
    await database.close();
    expect(await count("database_deadline")).toBe(before + 1);
  });

  test("revocation_mailbox: an event that the mailbox does not take, full or stopped", async () => {
    const before = await count("revocation_mailbox");
    const stopped = revocations(flows.deps);
    await stopped.stop();
    const at = flows.clock.now();
    await stopped.announce([{ sessionId: "s", kind: "changed", reason: "test", at, expiresAt: at, xid: "1" }]);
    expect(await count("revocation_mailbox")).toBe(before + 1);
  });
});

describe("the list of bounds", () => {
  const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const filesOf = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => read(join(folder, name)));

  test("is in docs/operating.md, bound by bound", () => {
    const documented = read("docs/operating.md");
    expect(BOUND_NAMES.filter((bound) => !documented.includes(`| \`${bound}\` |`))).toEqual([]);
  });

  test("is covered by tests, bound by bound", () => {
    const tests = ["test/http", "test/flows", "test/actors"].flatMap(filesOf).join("\n");
    expect(BOUND_NAMES.filter((bound) => !new RegExp(`\\b${bound}\\b["(:]`).test(tests))).toEqual([]);
  });
});
