/** The verifier detects every change of the trail that bypasses the service in PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Evidence, openTrail, type Trail } from "../../support/trail.ts";

const HOUR_MS = 3_600_000;
let trail: Trail;
/** The checkpoint that the auditor kept before the first change. */
let kept: string;

beforeAll(async () => {
  trail = await openTrail();
  await trail.insert(300);
  kept = (await trail.grow()).note;
  // Simulates a rolled-back statement: no row has the id 301.
  await trail.sql`select nextval(pg_get_serial_sequence('audit_logs', 'id'))`;
  await trail.insert(100);
  await trail.grow();
  await trail.sql`create table genuine as table audit_logs`;
});
afterAll(() => trail.close());

/** Changes the trail, downloads an export, and restores the trail. */
async function afterChange(change: string, period = {}): Promise<Evidence> {
  await trail.sql.unsafe(change);
  // The sequencer continues normally.
  await trail.grow();
  const evidence = await trail.download(period);
  await trail.sql.unsafe("delete from audit_logs; insert into audit_logs overriding system value table genuine");
  return evidence;
}

const at = (second: number) => new Date(trail.clock.now() + second * 1000).toISOString();
const INSERTED =
  "insert into audit_logs (id, event_id, timestamp, actor_type, action, resource_type, metadata, outcome";
const FORGED = "gen_random_uuid(), '2030-01-01T00:02:30Z', 'user', 'auth.logout', 'session', '{}', 'success'";

describe("an export with its proof", () => {
  test("is right for the whole trail, for a period, and for one without records", async () => {
    const { size } = (await trail.grow()).checkpoint;
    expect(await trail.verify(await trail.download(), kept)).toMatchObject({ ok: true, lines: size, leftOut: 0 });
    const period = { from: at(20), to: at(50), keptSize: 300 };
    expect(await trail.verify(await trail.download(period), kept)).toMatchObject({
      ok: true,
      lines: 31,
      firstLeaf: 19,
      lastLeaf: 49,
      period: { from: at(20), to: at(50) },
    });
    const { from, to } = period;
    expect(await trail.verify(await trail.download({ from, to }), kept)).toMatchObject({
      ok: false,
      line: null,
      problem: "a proof for kept_size=300 is needed, this one is for null",
    });
    expect(await trail.verify(await trail.download({ to: at(0) }))).toMatchObject({ ok: true, lines: 0 });
  });

  test("names a record that the proof says retention has dropped, unless the auditor says so too", async () => {
    const { lines, proof } = await trail.download();
    const [headerLine = "", ...entries] = proof.trimEnd().split("\n");
    const header = JSON.parse(headerLine);
    const claimed = { ...header, lines: header.lines - 1, left_out: 1, retained_from: "9999-01-01T00:00:00Z" };
    const dropped = entries.with(44, (entries[44] ?? "").replace(/\]$/, ",null]"));
    const count = (text: string) => text.replace(/"_count":\d+/, `"_count":${claimed.lines}`);
    const forged = {
      lines: `${lines.trimEnd().split("\n").toSpliced(44, 1).map(count).join("\n")}\n`,
      proof: `${[JSON.stringify(claimed), ...dropped].join("\n")}\n`,
    };
    const named = "the record with id 45 (leaf 44) is missing before this line";
    expect(await trail.verify(forged, kept)).toEqual({
      ok: false,
      line: 45,
      problem: `${named}; the proof says that retention drops records of before 9999-01-01T00:00:00.000Z`,
    });
    const verify = (retainedFrom: string) => trail.verify(forged, kept, undefined, { retainedFrom });
    expect(await verify("2029-12-01T00:00:00Z")).toEqual({ ok: false, line: 45, problem: named });
    expect(await verify("2030-02-01T00:00:00Z")).toMatchObject({ ok: true, dropped: 1, firstTimestamp: at(1) });
    expect(await verify("soon")).toMatchObject({ ok: false, line: null });
  });

  const changes: [string, string, number, string][] = [
    ["edited", "update audit_logs set outcome = 'failure' where id = 120", 120, "not what leaf 119 was made of"],
    ["edited in a part", `update audit_logs set metadata = metadata || '{"n": 8}' where id = 7`, 7, "leaf 6"],
    ["deleted", "delete from audit_logs where id = 45", 45, "id 45 (leaf 44) is missing before this line"],
    ["deleted at the beginning", "delete from audit_logs where id < 3", 1, "leaves 0 to 1 are missing"],
    [
      "swapped with another",
      `update audit_logs a set event_id = b.event_id, metadata = b.metadata, timestamp = b.timestamp from audit_logs b
       where (a.id, b.id) in ((9, 30), (30, 9))`,
      9,
      "leaf 8",
    ],
    ["re-dated", "update audit_logs set timestamp = timestamp + interval '1 minute' where id = 200", 200, "leaf 199"],
    [
      "inserted with the id and transaction of another time",
      `with gone as (delete from audit_logs where id = 77 returning transaction_id)
       ${INSERTED}, transaction_id) overriding system value select 77, ${FORGED}, transaction_id from gone`,
      77,
      "leaf 76",
    ],
    [
      "inserted with a transaction that is past",
      `${INSERTED}, transaction_id) overriding system value values (-5, ${FORGED}, '4')`,
      1,
      "the record with id -5 is no leaf of the log",
    ],
    [
      "inserted as one of before the log",
      `${INSERTED}, transaction_id) overriding system value values (-4, ${FORGED}, null)`,
      1,
      "the record with id -4 is no leaf of the log",
    ],
    [
      "inserted with a transaction to come",
      `${INSERTED}, transaction_id) overriding system value values (-3, ${FORGED}, '99999999999')`,
      1,
      "the record with id -3 is no leaf of the log",
    ],
  ];
  test.each(changes)("names a row that was %s", async (_, change, line, problem) => {
    expect(await trail.verify(await afterChange(change), kept)).toEqual({
      ok: false,
      line,
      problem: expect.stringContaining(problem),
    });
  });

  test("names the last record before its deletion, and a record outside of its period", async () => {
    const { size } = (await trail.grow()).checkpoint;
    const last = await afterChange(
      "delete from audit_logs where id = (select max(id) from audit_logs where id <= 401)",
    );
    expect(await trail.verify(last)).toMatchObject({ ok: false, line: 400 });
    expect(size).toBeGreaterThan(400);
    const moved = "update audit_logs set timestamp = timestamp + interval '1 hour' where id = 30";
    expect(await trail.verify(await afterChange(moved, { from: at(20), to: at(50) }))).toMatchObject({
      ok: false,
      line: 11,
      problem: expect.stringContaining("is not what leaf 29 was made of"),
    });
    const gone = "delete from audit_logs where id = 30";
    expect(await trail.verify(await afterChange(gone, { from: at(20), to: at(50) }))).toMatchObject({
      ok: false,
      line: 11,
      problem: "the record with id 30 (leaf 29) is missing before this line",
    });
  });

  test("names a row that was inserted later with an earlier time, although the log took it in", async () => {
    trail.clock.advance(HOUR_MS);
    await trail.insert(1);
    await trail.sql.unsafe("drop table genuine; create table genuine as table audit_logs");
    const evidence = await afterChange(`${INSERTED}) overriding system value values (301, ${FORGED})`);
    const verdict = await trail.verify(evidence, kept);
    expect(verdict).toMatchObject({
      ok: false,
      line: 301,
      problem: expect.stringContaining("is dated 2030-01-01T00:02:30"),
    });
  });
});

describe("a file", () => {
  let evidence: Evidence;
  let lines: string[];
  beforeAll(async () => {
    const forged = await openTrail();
    await forged.insert(20);
    await forged.grow();
    evidence = await forged.download();
    keptNote = forged.memory.published?.note ?? "";
    shortProof = (await forged.download({ treeSize: 10, keptSize: 20 })).proof;
    lines = evidence.lines.trimEnd().split("\n");
    verifyFile = (text) => forged.verify({ ...evidence, lines: text });
    verifyShort = (text, kept, treeSize) =>
      forged.verify({ lines: text, proof: shortProof }, kept, undefined, treeSize === undefined ? {} : { treeSize });
    closeFile = () => forged.close();
  });
  afterAll(() => closeFile());
  let keptNote: string;
  /** A proof of the first ten leaves. */
  let shortProof: string;
  let verifyFile: (text: string) => ReturnType<Trail["verify"]>;
  let verifyShort: (text: string, kept?: string, treeSize?: number) => ReturnType<Trail["verify"]>;
  let closeFile: () => Promise<void>;

  const replaced =
    (index: number, ...by: string[]) =>
    () =>
      lines.toSpliced(index, 1, ...by);
  const files: [string, () => string[], number][] = [
    ["with a changed line", () => lines.with(4, (lines[4] ?? "").replace("success", "failure")), 5],
    ["with a member twice", () => lines.with(4, (lines[4] ?? "").replace("{", '{"action":"x",')), 5],
    ["without a line", replaced(7), 8],
    ["with a line twice", () => lines.toSpliced(7, 0, lines[6] ?? ""), 8],
    ["with two lines exchanged", () => lines.with(2, lines[3] ?? "").with(3, lines[2] ?? ""), 3],
    ["with a line that is no record", () => lines.with(9, "{}"), 10],
    ["without its trailer", () => lines.slice(0, -1), 21],
    ["with a wrong count", () => lines.with(-1, (lines.at(-1) ?? "").replace('"_count":20', '"_count":19')), 21],
    ["with a line after its trailer", () => [...lines, lines[0] ?? ""], 22],
    ["that is empty", () => [], 1],
  ];
  test.each(files)("%s is wrong there", async (_, changed, line) => {
    expect(
      await verifyFile(
        changed()
          .map((each) => `${each}\n`)
          .join(""),
      ),
    ).toMatchObject({ ok: false, line });
  });

  test("that ends early, with a proof of as many leaves, is wrong: the auditor knows of more", async () => {
    const trailer = (lines.at(-1) ?? "").replace('"_count":20', '"_count":10');
    const short = [...lines.slice(0, 10), trailer].map((line) => `${line}\n`).join("");
    const problem = "the records of leaves 10 to 19 are missing after the last line";
    expect(await verifyShort(short, keptNote)).toEqual({ ok: false, line: 11, problem });
    expect(await verifyShort(short)).toMatchObject({ ok: true, lines: 10, treeSize: 10, later: 10 });
    expect(await verifyShort(short, undefined, 20)).toMatchObject({ ok: false, line: null });
  });

  test("without a fault is right, and a file with an end within a line is not", async () => {
    expect(await verifyFile(evidence.lines)).toMatchObject({ ok: true, lines: 20 });
    expect(await verifyFile(evidence.lines.slice(0, -1))).toMatchObject({ ok: false, line: 21 });
    expect(await verifyFile(`${evidence.lines.slice(0, 700)}`)).toMatchObject({ ok: false });
  });
});
