/** The verifier returns a problem for every malformed evidence, and never throws. */
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { LineReader } from "../../clients/js/src/audit/line-reader.ts";
import { sameBytes } from "../../clients/js/src/audit/merkle.ts";
import { signatureLine, toBase64, writeVerifierKey } from "../../clients/js/src/audit/note.ts";
import {
  canonicalize,
  type ExportEvidence,
  type ExportVerdict,
  GrowingTree,
  leafHash,
  readCheckpoint,
  readNote,
  readVerifierKey,
  verifyConsistency,
  verifyExport,
  verifyInclusion,
} from "../../clients/js/src/audit.ts";

const RUNS = { numRuns: Number(process.env.FUZZ_RUNS ?? 300), seed: Number(process.env.FUZZ_SEED ?? 28) };
const ORIGIN = "log.example/audit";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const KEY = writeVerifierKey(ORIGIN, publicKey.export({ format: "der", type: "spki" }).subarray(-32));

const recordOf = (id: number) => ({ id, timestamp: "2030-01-01T00:00:00.000Z", metadata: { n: id } });
const noteOf = (text: string) => `${text}\n${signatureLine(KEY, sign(null, Buffer.from(text), privateKey))}`;

function evidenceOf(count: number) {
  const records = Array.from({ length: count }, (_, index) => JSON.stringify(recordOf(index + 1)));
  const tree = new GrowingTree();
  const hashes = records.map((record) => leafHash(Buffer.from(canonicalize(record))));
  for (const hash of hashes) tree.append(hash);
  const header = {
    format: "audit-export/1",
    checkpoint: noteOf(`${ORIGIN}\n${count}\n${toBase64(tree.root())}\n`),
    ...{ tree_size: count, from: null, to: null, retained_from: null, kept_size: null },
    ...{ first_leaf: 0, last_leaf: count - 1, lines: count, left_out: 0, left: [], right: [] },
  };
  const entries = hashes.map((hash, leaf) => JSON.stringify([leaf, leaf + 1, toBase64(hash)]));
  const trailer = JSON.stringify({ _signature: "sha256=0", _count: count });
  return { header, entries, lines: [...records, trailer] };
}

const GENUINE = evidenceOf(5);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const PROOF = text([JSON.stringify(GENUINE.header), ...GENUINE.entries]);
const LINES = text(GENUINE.lines);
const nested = (levels: number) => `${"[".repeat(levels)}0${"]".repeat(levels)}`;

async function* bytes(source: string | Uint8Array) {
  yield typeof source === "string" ? new TextEncoder().encode(source) : source;
}

const verdictOf = async (lines: string | Uint8Array, proof: string | Uint8Array, more: Partial<ExportEvidence> = {}) =>
  await verifyExport({ lines: bytes(lines), proof: bytes(proof), keys: [KEY], ...more });

function expectFailure(verdict: ExportVerdict): void {
  if (verdict.ok) throw new Error("the evidence was accepted");
  expect(Object.keys(verdict)).toEqual(["ok", "line", "problem"]);
  expect([verdict.line === null || verdict.line > 0, typeof verdict.problem]).toEqual([true, "string"]);
}

const withHeader = (changes: object) => text([JSON.stringify({ ...GENUINE.header, ...changes }), ...GENUINE.entries]);
const withEntry = (entry: string) => text([JSON.stringify(GENUINE.header), entry, ...GENUINE.entries.slice(1)]);
const withLine = (line: string) => text(GENUINE.lines.with(0, line));

test("Genuine evidence is accepted, in chunks of any size.", async () => {
  expect(await verdictOf(LINES, PROOF)).toMatchObject({ ok: true, lines: 5 });
  async function* single(source: string) {
    for (const byte of new TextEncoder().encode(source)) yield Uint8Array.of(byte);
  }
  const verdict = await verifyExport({ lines: single(LINES), proof: single(PROOF), keys: [KEY] });
  expect(verdict).toMatchObject({ ok: true, lines: 5 });
});

describe("Hostile evidence is a documented failure (G102):", () => {
  const hash = toBase64(new Uint8Array(32));
  const comment = `2030-01-01T00:00:00Z (${"x".repeat(1_000)})`;
  const proofs: [string, string][] = [
    ["a header of 400,000 levels", `${nested(400_000)}\n`],
    ["a header that never closes", `${"[".repeat(800_000)}\n`],
    ["a header with a deep member", withHeader({ more: "" }).replace('"more":""', `"more":${nested(400_000)}`)],
    ["an entry of 400,000 levels", withEntry(nested(400_000))],
    ["a record of 400,000 levels", withEntry(`[0,1,"${hash}",{"a":${nested(400_000)}}]`)],
    ["a record of objects in objects", withEntry(`[0,1,"${hash}",${'{"a":'.repeat(100_000)}0${"}".repeat(100_000)}]`)],
    ["a header that is an array", "[]\n"],
    ["a header that is null", "null\n"],
    ["a header with prototype keys", '{"__proto__":{"format":"audit-export/1"},"constructor":{}}\n'],
    ["a record with a prototype for its id", withEntry(`[0,1,"${hash}",{"__proto__":{"id":1}}]`)],
    ["a record with a timestamp that is an object", withEntry(`[0,1,"${hash}",{"id":1,"timestamp":{}}]`)],
    ["numbers beyond the range", withHeader({ tree_size: 1 }).replace('"tree_size":1', '"tree_size":1e400')],
    ["numbers beyond the integers", withHeader({ lines: 2 ** 60, last_leaf: 2 ** 60 })],
    ["negative numbers", withHeader({ first_leaf: -5 })],
    ["a range beyond the tree", withHeader({ last_leaf: 1e15, lines: 1e15 + 1 })],
    ["a range of nothing", withHeader({ first_leaf: 4, last_leaf: 0 })],
    ["100,000 subtrees", withHeader({ left: Array(20_000).fill(hash) })],
    ["hashes of a megabyte", withHeader({ right: ["A".repeat(1_000_000)] })],
    ["hashes that are numbers", withHeader({ right: [1] })],
    ["a time with a comment of any length", withHeader({ retained_from: comment })],
    ["a time that is a number", withHeader({ from: 5 })],
    ["a checkpoint that is no note", withHeader({ checkpoint: "\n\n\n" })],
    [
      "a checkpoint with a signature of a megabyte",
      withHeader({ checkpoint: `a\n\n\u2014 a ${"A".repeat(900_000)}\n` }),
    ],
    [
      "a checkpoint with 100,000 signatures",
      withHeader({ checkpoint: `a\n\n${"\u2014 a AAAAAAAA\n".repeat(50_000)}` }),
    ],
    [
      "a signed checkpoint of 10^16 leaves",
      withHeader({ checkpoint: noteOf(`${ORIGIN}\n9999999999999999\n${hash}\n`) }),
    ],
    ["a line of two megabytes", `"${"x".repeat(2_000_000)}"\n`],
    ["nothing", ""],
  ];
  test.each(proofs)("proof: %s", async (_, proof) => {
    expectFailure(await verdictOf(LINES, proof));
  });

  const exports: [string, string][] = [
    ["a record of 400,000 levels", withLine(nested(400_000))],
    ["a record that never closes", withLine("[".repeat(900_000))],
    ["a member of 10,000 levels", withLine(`{"id":1,"timestamp":"2030-01-01T00:00:00Z","metadata":${nested(10_000)}}`)],
    ["a record that is null", withLine("null")],
    ["a record that is a number", withLine("1e999")],
    ["an id beyond the integers", withLine('{"id":1e300,"timestamp":"2030-01-01T00:00:00Z"}')],
    ["prototype keys", withLine('{"__proto__":{"id":1,"timestamp":"2030-01-01T00:00:00Z"}}')],
    ["a time with a comment of any length", withLine(JSON.stringify({ id: 1, timestamp: comment }))],
    ["a line of two megabytes in one chunk", withLine(`"${"x".repeat(2_000_000)}"`)],
    ["a count beyond everything", text(GENUINE.lines.with(-1, `{"_signature":"","_count":${"9".repeat(100_000)}}`))],
    ["a trailer of 400,000 levels", text(GENUINE.lines.with(-1, `{"_signature":${nested(400_000)}`))],
  ];
  test.each(exports)("export: %s", async (_, lines) => {
    expectFailure(await verdictOf(lines, PROOF));
  });

  const kept = [
    "",
    "\n\n",
    nested(400_000),
    noteOf(`${ORIGIN}\n-1\nAA==\n`),
    noteOf(`${ORIGIN}\n9999999999999999\n${hash}\n`),
  ];
  test.each(kept)("kept checkpoint: %#", async (note) => {
    expectFailure(await verdictOf(LINES, PROOF, { kept: note }));
  });

  test("any change of any byte", async () => {
    const sources = [LINES, PROOF].map((source) => new TextEncoder().encode(source));
    const change = fc.record({ file: fc.nat(1), at: fc.nat(), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const files = sources.map((source) => source.slice());
        for (const { file, at, byte } of changes) {
          const changed = files[file] as Uint8Array;
          changed[at % changed.length] = byte;
        }
        const verdict = await verdictOf(files[0] as Uint8Array, files[1] as Uint8Array);
        // The signature of the trailer is an HMAC, and the statement about retention is not signed, so a change of
        // either can go undetected.
        if (!verdict.ok) expectFailure(verdict);
        else expect(verdict).toMatchObject({ lines: 5, treeSize: 5, checkpoint: { size: 5 } });
      }),
      RUNS,
    );
  });

  test("any JSON in place of any line", async () => {
    const line = fc.oneof(fc.json({ maxDepth: 20 }), fc.string({ unit: "binary", maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(fc.nat(5), line, fc.boolean(), async (at, other, isProof) => {
        const lines = isProof ? LINES : text(GENUINE.lines.with(at, other));
        const proof = isProof ? text([JSON.stringify(GENUINE.header), ...GENUINE.entries].with(at, other)) : PROOF;
        expectFailure(await verdictOf(lines, proof));
      }),
      RUNS,
    );
  });

  test("any member of the header", async () => {
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.maxSafeInteger(), fc.constant(hash));
    const names = Object.keys(GENUINE.header).filter((name) => name !== "retained_from");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), value, async (name, changed) => {
        const verdict = await verdictOf(LINES, withHeader({ [name]: changed }));
        if (verdict.ok) expect(verdict).toMatchObject({ lines: 5, checkpoint: { size: 5 } });
        else expectFailure(verdict);
      }),
      RUNS,
    );
  });
});

describe("The parts of the verifier are total (G102):", () => {
  const anyHash = fc.uint8Array({ maxLength: 70 });
  const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constantFrom(2 ** 53, 2 ** 60, 0.5));

  test("proofs of inclusion and consistency of any numbers and hashes are true or false", () => {
    fc.assert(
      fc.property(
        anyNumber,
        anyNumber,
        anyHash,
        anyHash,
        fc.array(anyHash, { maxLength: 300 }),
        (one, two, a, b, proof) => {
          const included = verifyInclusion({ index: one, hash: a }, { size: two, root: b }, proof);
          const consistent = verifyConsistency({ size: one, root: a }, { size: two, root: b }, proof);
          expect([included, consistent && !(one === two && sameBytes(a, b))]).toEqual([false, false]);
        },
      ),
      RUNS,
    );
  });

  test("notes, keys, checkpoints and texts are read, or a SyntaxError is thrown", () => {
    const readers = [readNote, readCheckpoint, readVerifierKey, canonicalize];
    const source = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json({ maxDepth: 30 }),
      fc.nat(200_000).map(nested),
      fc
        .tuple(fc.string(), fc.base64String(), fc.nat())
        .map(([name, base64, n]) => `${name}\n${n}\n${base64}\n\n\u2014 ${name} ${base64}\n`),
    );
    fc.assert(
      fc.property(source, fc.constantFrom(...readers), (input, read) => {
        try {
          read(input);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      RUNS,
    );
  });

  test("a text of 128 levels has a canonical form, and strings count as no levels", () => {
    expect(canonicalize(nested(128))).toBe(nested(128));
    expect(() => canonicalize(nested(129))).toThrow(SyntaxError);
    const brackets = JSON.stringify({ a: `\\"${"[{".repeat(1_000)}` });
    expect(canonicalize(brackets)).toBe(brackets);
  });

  test("a line of a megabyte in single bytes is read in time proportional to the length", async () => {
    async function* single() {
      const byte = Uint8Array.of(0x61);
      for (let sent = 0; sent < 1_000_000; sent += 1) yield byte;
      yield Uint8Array.of(10);
    }
    expect(await new LineReader(single()).next()).toHaveLength(1_000_000);
  }, 20_000);
});
