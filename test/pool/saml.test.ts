import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemClock } from "../../src/base/clock.ts";
import { openSamlPool } from "../../src/pool/saml-pool.ts";
import { agrees } from "../../workers/saml/second-implementation.ts";
import { verifyStrictly } from "../../workers/saml/strict-profile.ts";
import { runResponseJob } from "../../workers/saml.ts";
import { type CorpusCase, corpus, jobOf } from "../support/saml/corpus.ts";
import { hostileMessages } from "../support/saml/hostile.ts";
import { samlInput } from "../support/saml/inputs.ts";
import { ALICE, NOW } from "../support/saml/message.ts";
import { PRESET_SHAPES } from "../support/saml/presets.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const cases = corpus();
/** `npm run test:saml` runs 100,000 inputs. */
const FUZZ_RUNS = 150;
const BOUND_MS = 2_000;
/** Time for new threads on a machine with other work. */
const PATIENT_MS = 60_000;
const SUBJECTS = PRESET_SHAPES.map(({ parts }) => parts.nameId ?? ALICE);

async function verdictOf(each: CorpusCase): Promise<string> {
  const result = await runResponseJob(jobOf(each));
  return result.ok ? "accepted" : result.reason;
}

describe("corpus of SAML responses", () => {
  test("has at least 400 responses with different names", () => {
    expect(cases.length).toBeGreaterThanOrEqual(400);
    expect(new Set(cases.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(cases.length);
  });

  test("Both implementations accept every valid response of every product and read its identity.", async () => {
    for (const each of cases.filter(({ kind }) => kind === "valid")) {
      expect([each.name, await verdictOf(each)]).toEqual([each.name, "accepted"]);
    }
  });

  test("Every forgery is refused with the reason of the first failed check.", async () => {
    for (const each of cases.filter(({ kind }) => kind === "forgery")) {
      const verdict = await verdictOf(each);
      expect([each.name, verdict, (each.reasons as readonly string[]).includes(verdict)]).toEqual([
        each.name,
        verdict,
        true,
      ]);
    }
  });

  test("Every breach of a rule is refused with the reason of the rule.", async () => {
    for (const each of cases.filter(({ kind }) => kind === "breach")) {
      expect([each.name, await verdictOf(each)]).toEqual([each.name, each.reasons?.[0] ?? ""]);
    }
  });
});

describe("verified identity", () => {
  test("has the values of the assertion, with escaped characters resolved", async () => {
    const okta = cases.find(({ name }) => name === "okta: an umlaut and an escaped character") as CorpusCase;
    const result = await runResponseJob(jobOf(okta));
    expect(result).toMatchObject({
      ok: true,
      identity: {
        assertionId: "_assertion1",
        subject: "Jürgen & Söhne",
        sessionIndex: "_session1",
        attributes: [
          { name: "email", values: [ALICE] },
          { name: "groups", values: ["Everyone", "Admins"] },
        ],
      },
    });
  });

  test("counts only if the second implementation reads the same values", async () => {
    const job = jobOf(cases.find(({ name }) => name === "okta: usual") as CorpusCase);
    const result = verifyStrictly(job);
    expect(await agrees(job, result)).toBe(true);
    const { identity } = result;
    const [email, ...groups] = identity.attributes;
    const others = [
      { ...identity, nameId: "admin@acme.example" },
      { ...identity, nameIdFormat: null },
      { ...identity, sessionIndex: "_other" },
      { ...identity, attributes: groups },
      { ...identity, attributes: [{ name: "email", friendlyName: null, values: ["x"] }, ...groups] },
      { ...identity, attributes: [...identity.attributes, { name: "role", friendlyName: null, values: ["admin"] }] },
    ];
    expect(email?.name).toBe("email");
    for (const other of others) expect(await agrees(job, { ...result, identity: other })).toBe(false);
  });
});

describe("a hostile message", () => {
  // Each cost seconds, or hundreds of MiB, without the bounds of documents; `npm run test:saml` compares the CPU time.
  test.each(hostileMessages().map(({ name, xml, reason }) => [name, reason, xml] as const))(
    "%s is refused: %s.",
    async (name, reason, xml) => {
      const result = await runResponseJob(jobOf({ kind: "forgery", name, xml }));
      expect(result).toEqual({ ok: false, kind: "response", reason });
    },
  );
});

describe("generated input", () => {
  test("Changed bytes and generated trees give a reason within the time, or the signed identity.", async () => {
    await fc.assert(
      fc.asyncProperty(samlInput(), async (message) => {
        const startedAt = performance.now();
        const result = await runResponseJob(jobOf({ kind: "forgery", name: "", xml: "", job: { message } }));
        const isGenuine = result.ok && SUBJECTS.includes(result.identity.subject);
        return (!result.ok || isGenuine) && performance.now() - startedAt < BOUND_MS;
      }),
      { numRuns: FUZZ_RUNS },
    );
  });
});

describe("pool of the workers that parse XML", () => {
  const usual = cases.find(({ name }) => name === "okta: usual") as CorpusCase;
  const opened: { close(): Promise<void> }[] = [];
  const open = async (deadlineMs?: number) => {
    const common = { clock: systemClock, telemetry: await silentTelemetry(), niceIncrement: 0 };
    const pool = openSamlPool(common, deadlineMs);
    opened.push(pool);
    return pool;
  };
  afterAll(async () => {
    for (const pool of opened) await pool.close();
  });

  test("A worker verifies a response, and a refusal is a value.", async () => {
    const pool = await open(PATIENT_MS);
    expect(await pool.run(jobOf(usual), "organization")).toMatchObject({ ok: true, identity: { subject: ALICE } });
    expect(await pool.run({ ...jobOf(usual), message: "" }, "organization")).toEqual({
      ok: false,
      kind: "response",
      reason: "not_xml",
    });
  });

  test("A worker reads metadata of an identity provider.", async () => {
    const pool = await open(PATIENT_MS);
    const job = { kind: "metadata", xml: "<x/>", entityId: null, now: NOW } as const;
    expect(await pool.run(job, "organization")).toEqual({
      ok: false,
      kind: "metadata",
      problem: "no_identity_provider",
    });
  });

  test("A worker ends after an unexpected exception, and only the job of the worker is lost.", async () => {
    const pool = await open(PATIENT_MS);
    const job = jobOf(usual);
    const broken = { ...job, trust: { ...job.trust, certificates: ["not a certificate"] } };
    const results = await Promise.all([pool.run(broken, "first"), pool.run(job, "second")]);
    expect(results[0]).toEqual({ ok: false, code: "worker_died" });
    expect(results[1].ok).toBe(true);
  });

  test("A flood of one organization does not delay the job of another organization.", async () => {
    const pool = await open(PATIENT_MS);
    await pool.run(jobOf(usual), "warm-up");
    let verified = 0;
    const flood = Array.from({ length: 20 }, async () => {
      await pool.run(jobOf(usual), "flood");
      verified += 1;
    });
    expect((await pool.run(jobOf(usual), "other")).ok).toBe(true);
    // The running job, and at most one waiting job in turn.
    expect(verified).toBeLessThanOrEqual(2);
    await Promise.all(flood);
  });

  test("The deadline ends a job, and the next job gets a new worker.", async () => {
    const pool = await open(1);
    expect(await pool.run(jobOf(usual), "organization")).toMatchObject({ ok: false, code: "deadline" });
    const next = await open(PATIENT_MS);
    expect((await next.run(jobOf(usual), "organization")).ok).toBe(true);
  });
});
