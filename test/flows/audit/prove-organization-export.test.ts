/** An organization's export with proof: the verifier detects dropped, exchanged and concealed records. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Evidence, openTrail, type Trail } from "../../support/trail.ts";

const ONE = "019a0000-0000-7000-8000-000000000001";
const TWO = "019a0000-0000-7000-8000-000000000002";
const SECRET = "a secret of the other organization";
let trail: Trail;
let kept: string;
/** Evidence of the two organizations from the time before the first change. */
let evidence: Evidence;
let other: Evidence;

/** Inserts records of the two organizations in turn, a second apart. */
async function insert(count: number, first = 0): Promise<void> {
  await trail.sql`
    insert into audit_logs
      (event_id, timestamp, organization_id, actor_type, action, resource_type, metadata, outcome)
    select gen_random_uuid(), ${new Date(trail.clock.now())}::timestamptz + (n + ${first}) * interval '1 second',
           case when n % 5 = 0 then ${ONE}::uuid when n % 7 = 0 then null else ${TWO}::uuid end,
           'user', 'auth.login', 'session', jsonb_build_object('n', n, 'text', ${SECRET}::text || n), 'success'
    from generate_series(1, ${count}) n`;
}

beforeAll(async () => {
  trail = await openTrail();
  await insert(600);
  kept = (await trail.grow()).note;
  await insert(100, 600);
  await trail.grow();
  await trail.sql`create table genuine as table audit_logs`;
  [evidence, other] = [await download({ keptSize: 600 }), await trail.download({ organizationId: TWO, keptSize: 600 })];
});
afterAll(() => trail.close());

const at = (second: number) => new Date(trail.clock.now() + second * 1000).toISOString();
const download = (more = {}) => trail.download({ organizationId: ONE, ...more });
const verify = (evidence: Evidence, note?: string, more = {}) => trail.verify(evidence, note, undefined, more);
const linesOf = (text: string) => text.trimEnd().split("\n");
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

async function afterChange(change: string): Promise<Evidence> {
  await trail.sql.unsafe(change);
  await trail.grow();
  const evidence = await download({ keptSize: 600 });
  await trail.sql.unsafe("delete from audit_logs; insert into audit_logs overriding system value table genuine");
  return evidence;
}

describe("An organization's export with proof", () => {
  test("is complete, and shows hashes alone of the others.", async () => {
    const verdict = await verify(evidence, kept, { organizationId: ONE });
    expect(verdict).toMatchObject({
      ok: true,
      lines: 140,
      other: 560,
      organizationId: ONE,
      firstLeaf: 0,
      lastLeaf: 699,
    });
    const others = await trail.sql<{ event_id: string }[]>`
      select event_id from audit_logs where organization_id is distinct from ${ONE}`;
    for (const { event_id } of others) expect(evidence.lines + evidence.proof).not.toContain(event_id);
    expect(evidence.proof).not.toContain(TWO);
    // The proof joins foreign leaves to the minimal number of hashes.
    expect(linesOf(evidence.proof).length).toBeLessThan(1 + 140 + 3 * 141);
    expect(await verify(evidence, kept, { organizationId: TWO })).toMatchObject({ ok: false, line: null });
  });

  test("is complete for a period, and for an organization without records.", async () => {
    const period = await download({ from: at(100), to: at(200), keptSize: 600 });
    expect(await verify(period, kept)).toMatchObject({ ok: true, lines: 21, firstLeaf: 99, lastLeaf: 199 });
    expect(await verify(await download({ from: at(655) }))).toMatchObject({ ok: true, lines: 10 });
    expect(await verify(await download({ to: at(0) }))).toMatchObject({ ok: true, lines: 0 });
    const none = await trail.download({ organizationId: ONE.replace(/1$/, "9") });
    expect(await verify(none)).toMatchObject({ ok: true, lines: 0, other: expect.any(Number) });
    expect(await verify(other, kept)).toMatchObject({ ok: true, organizationId: TWO });
  });

  const changes: [string, string, string][] = [
    ["edited", "update audit_logs set outcome = 'failure' where id = 120", "not what leaf 119 was made of"],
    ["deleted", "delete from audit_logs where id = 45", "leaf 44 is missing or changed"],
    ["deleted at the beginning", "delete from audit_logs where id < 6", "leaves 0 to 3 are missing"],
    ["deleted at the end", "delete from audit_logs where id = 700", "leaf 699 is missing"],
    [
      "given to another organization",
      `update audit_logs set organization_id = '${TWO}' where id = 50`,
      "leaf 49 is missing or",
    ],
    [
      "taken from another organization",
      `update audit_logs set organization_id = '${ONE}' where id = 51`,
      "not what leaf 50",
    ],
    [
      "exchanged with one of another organization",
      `update audit_logs a set organization_id = b.organization_id, metadata = b.metadata from audit_logs b
       where (a.id, b.id) in ((55, 56), (56, 55))`,
      "leaf",
    ],
  ];
  test.each(changes)("names a row that was %s behind the service's back.", async (_, change, problem) => {
    const verdict = await verify(await afterChange(change), kept);
    expect(verdict).toMatchObject({ ok: false, line: expect.any(Number), problem: expect.stringContaining(problem) });
  });
});

describe("A changed file of an organization's export", () => {
  let lines: string[];
  let header: Record<string, number | string | string[]>;
  let entries: string[];
  beforeAll(() => {
    lines = linesOf(evidence.lines);
    const [head = "", ...rest] = linesOf(evidence.proof);
    [header, entries] = [JSON.parse(head), rest];
  });

  const withProof = (changed: object, rest: readonly string[]) =>
    textOf([JSON.stringify({ ...header, ...changed }), ...rest]);
  const counted = (rest: readonly string[]) =>
    textOf([...rest.slice(0, -1), (rest.at(-1) ?? "").replace(/"_count":\d+/, `"_count":${rest.length - 1}`)]);
  const own = (index: number) => entries.findIndex((entry) => entry.startsWith(`[${index},`));
  const concealed = (index: number, of: string) => {
    const [leaf, , hash] = JSON.parse(entries[own(index)] ?? "");
    return entries.with(own(index), JSON.stringify({ leaf, level: 0, hash, of }));
  };
  const expectWrong = async (changed: Evidence) => {
    const verdict = await verify(changed, kept, { organizationId: ONE });
    expect(verdict).toMatchObject({ ok: false, problem: expect.any(String) });
  };

  test("is detected after a dropped record with its leaf passed off as a foreign leaf.", async () => {
    const changed = withProof({ lines: 139, other: 561 }, concealed(49, "other"));
    const verdict = await verify({ lines: counted(lines.toSpliced(9, 1)), proof: changed }, kept);
    expect(verdict).toMatchObject({ ok: false, problem: expect.stringContaining("has signed") });
    const nobody = withProof({ lines: 139, nobody: 1 }, concealed(49, "nobody"));
    await expectWrong({ lines: counted(lines.toSpliced(9, 1)), proof: nobody });
  });

  test("is detected when records are dropped, doubled, reordered or of another organization.", async () => {
    const others = linesOf(other.lines);
    for (const changed of [
      lines.toSpliced(9, 1),
      lines.toSpliced(9, 0, lines[9] ?? ""),
      lines.with(3, lines[4] ?? "").with(4, lines[3] ?? ""),
      lines.with(3, others[3] ?? ""),
      lines.toSpliced(3, 0, others[3] ?? ""),
      others,
      [lines.at(-1) ?? ""],
    ]) {
      await expectWrong({ ...evidence, lines: counted(changed) });
    }
    await expectWrong({ lines: evidence.lines, proof: other.proof });
    await expectWrong(other);
  });

  test("is detected when a statement is of another organization, period, tree or key.", async () => {
    const statement = String(header.statement);
    const [otherHead = ""] = linesOf(other.proof);
    const period = JSON.parse(linesOf((await download({ from: at(100), keptSize: 600 })).proof)[0] ?? "");
    for (const forged of [
      JSON.parse(otherHead).statement,
      period.statement,
      "",
      statement.replace(ONE, TWO),
      statement.replace("lines 140", "lines 139"),
      statement.replace(/\u2014 \S+/, "\u2014 other.example"),
      String(header.checkpoint),
    ]) {
      await expectWrong({ ...evidence, proof: withProof({ statement: forged }, entries) });
    }
    await expectWrong({ ...evidence, proof: withProof({ organization_id: TWO }, entries) });
    await expectWrong({ ...evidence, proof: withProof({ format: "audit-export/1" }, entries) });
  });

  test("is detected when hashes of others are exchanged, dropped, split or joined across the range.", async () => {
    const first = entries.findIndex((entry) => entry.startsWith("{"));
    const subtree = JSON.parse(entries[first] ?? "");
    const [, second = ""] = entries.filter((entry) => entry.startsWith("{"));
    const swapped = { ...subtree, hash: JSON.parse(second).hash };
    for (const changed of [
      entries.with(first, JSON.stringify(swapped)),
      entries.toSpliced(first, 1),
      entries.with(first, JSON.stringify({ ...subtree, level: subtree.level + 1 })),
      entries.with(first, JSON.stringify({ ...subtree, level: 40 })),
      entries.with(first, JSON.stringify({ ...subtree, of: "nobody" })),
      entries.with(first, JSON.stringify({ ...subtree, of: "me" })),
      [...entries, second],
    ]) {
      await expectWrong({ ...evidence, proof: withProof({}, changed) });
    }
    for (const member of ["lines", "left_out", "other", "nobody", "first_leaf", "last_leaf", "tree_size"]) {
      await expectWrong({ ...evidence, proof: withProof({ [member]: Number(header[member]) + 1 }, entries) });
    }
  });

  test("is detected for each class of bytes.", async () => {
    for (const source of ["lines", "proof"] as const) {
      const text = evidence[source];
      // The log proves neither the HMAC of the trailer nor the statement about retention.
      const free = ['"_signature"', '"retained_from"'].map(
        (name) => [text.indexOf(name), text.indexOf(name) + 90] as const,
      );
      for (let position = 3; position < text.length; position += 1_511) {
        if (free.some(([begin, end]) => begin >= 0 && position >= begin && position <= end)) continue;
        const flipped = String.fromCharCode(text.charCodeAt(position) ^ 1);
        const changed = text.slice(0, position) + flipped + text.slice(position + 1);
        await expectWrong({ ...evidence, [source]: changed });
      }
    }
  });
});
