/** The verifier of clients/js/src/audit.ts against published vectors and independent implementations. */
import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { consistencyNodes, coveringNodes, jointHash } from "../../clients/js/src/audit/merkle.ts";
import {
  isSignedBy,
  readNote,
  readVerifierKey,
  signatureLine,
  writeVerifierKey,
} from "../../clients/js/src/audit/note.ts";
import { sha256 } from "../../clients/js/src/audit/sha256.ts";
import {
  canonicalize,
  GrowingTree,
  leafHash,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from "../../clients/js/src/audit.ts";
import { EMPTY_ROOT, growTiles, hashIn, type Tile, tilePartOf } from "../../src/models/transparency-log/tiles.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

/** Leaves, roots and proofs from the tests of Certificate Transparency, the origin of RFC 6962. */
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const N96 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const N5F = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const N6B = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
const NBC = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const NCA = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const ND3 = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7";
const N0E = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const leaves = LEAVES.map((leaf) => leafHash(bytes(leaf)));
const treeOf = (size: number) => ({ size, root: bytes(ROOTS[size - 1] ?? "") });

describe("SHA-256", () => {
  test("equals OpenSSL's for every length around a block", () => {
    for (const length of [...Array(200).keys(), 1_000, 65_537]) {
      const input = Uint8Array.from({ length }, (_, index) => (index * 31) % 256);
      expect(hex(sha256(input))).toBe(createHash("sha256").update(input).digest("hex"));
    }
  });
});

describe("the canonical form (RFC 8785)", () => {
  test("is that of the RFC's example", () => {
    const text = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"€$\u000F\u000aA'B\u0022\u005c\\\"\/","literals":[null,true,false]}`;
    expect(canonicalize(text)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        `"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
  });

  test("sorts names by UTF-16 code units", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"];
    const object = (order: string[]) => `{${order.map((name) => `${JSON.stringify(name)}:0`).join()}}`;
    expect(canonicalize(object(names))).toBe(object(sorted));
  });

  test.each([
    '{"a":1e400}',
    "[-1e400]",
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b" : 1}}',
    '[{"\\u0061":1,"a":1}]',
    "{",
    "",
    '{"a":1}x',
  ])("refuses %s, of which readers could see different things", (text) =>
    expect(() => canonicalize(text)).toThrow(SyntaxError),
  );

  test("takes no colon in a text for a member", () => {
    expect(canonicalize('{"b":"\\":\\"x\\":","a":[":"]}')).toBe('{"a":[":"],"b":"\\":\\"x\\":"}');
  });
});

describe("the tree (RFC 6962)", () => {
  test("has the roots of the vectors", () => {
    const tree = new GrowingTree();
    const roots = leaves.map((leaf) => {
      tree.append(leaf);
      return hex(tree.root());
    });
    expect(roots).toEqual(ROOTS);
    expect(hex(new GrowingTree().root())).toBe(createHash("sha256").digest("hex"));
  });

  const inclusions: [number, number, string[]][] = [
    [0, 1, []],
    [0, 8, [N96, N5F, N6B]],
    [5, 8, [NBC, NCA, ND3]],
    [2, 3, [ROOTS[1] ?? ""]],
    [1, 5, [ROOTS[0] ?? "", N5F, NBC]],
  ];
  test.each(inclusions)("proves leaf %d of %d, and no further leaf by the hashes", (index, size, hashes) => {
    const proof = hashes.map(bytes);
    const at = (leaf: number, of: number, hash = leaves[index] as Uint8Array) =>
      verifyInclusion({ index: leaf, hash }, treeOf(of), proof);
    expect(at(index, size)).toBe(true);
    for (let of = 1; of <= 8; of += 1) {
      for (let leaf = 0; leaf < 8; leaf += 1) expect(at(leaf, of)).toBe(leaf === index && of === size);
    }
    expect(at(index, size, leaves[7])).toBe(false);
    expect(verifyInclusion({ index, hash: leaves[index] as Uint8Array }, treeOf(size), [...proof, bytes(N5F)])).toBe(
      false,
    );
  });

  const consistencies: [number, number, string[]][] = [
    [1, 1, []],
    [1, 8, [N96, N5F, N6B]],
    [6, 8, [N0E, NCA, ND3]],
    [2, 5, [N5F, NBC]],
  ];
  test.each(consistencies)("proves the growth from %d to %d leaves, and no further growth", (from, to, hashes) => {
    const proof = hashes.map(bytes);
    expect(verifyConsistency(treeOf(from), treeOf(to), proof)).toBe(true);
    for (let one = 1; one <= 8; one += 1) {
      for (let other = 1; other <= 8; other += 1) {
        if ((one !== from || other !== to) && one !== other)
          expect(verifyConsistency(treeOf(one), treeOf(other), proof)).toBe(false);
      }
    }
  });

  test("is equal from tiles for any batches, and every consistency proof from tiles verifies", () => {
    const size = 700;
    const all = Array.from({ length: size }, (_, index) => ({ rowId: index, hash: leafHash(Buffer.from(`${index}`)) }));
    const tiles = new Map<string, Tile>();
    const roots = new Map<number, Uint8Array>();
    let tree = { size: 0, root: EMPTY_ROOT, edge: [] as readonly Tile[] };
    for (let step = 1; tree.size < size; step = (step % 97) + 13) {
      const batch = all.slice(tree.size, tree.size + step);
      const grown = growTiles(tree, batch);
      for (const tile of grown.changed) tiles.set(`${tile.level}/${tile.index}`, tile);
      tree = { size: tree.size + batch.length, root: grown.root, edge: grown.edge };
      roots.set(tree.size, tree.root);
    }
    const reference = new GrowingTree();
    for (const { hash } of all) {
      reference.append(hash);
      const root = roots.get(reference.size);
      if (root) expect(hex(root)).toBe(hex(reference.root()));
    }
    const hashOf = (node: { level: number; index: number }) => {
      const part = tilePartOf(node);
      return hashIn(tiles.get(`${part.level}/${part.index}`)?.hashes ?? new Uint8Array(), part);
    };
    const trees = [...roots].map(([treeSize, root]) => ({ size: treeSize, root }));
    for (const one of trees) {
      for (const other of trees.filter((each) => each.size >= one.size)) {
        const proof = consistencyNodes(one.size, other.size).map((nodes) => jointHash(nodes.map(hashOf)));
        expect(verifyConsistency(one, other, proof)).toBe(true);
      }
    }
    expect(coveringNodes(0, size).map(({ level }) => 2 ** level)).toEqual([512, 128, 32, 16, 8, 4]);
  });

  test("refuses to grow from tiles that somebody changed", () => {
    const grown = growTiles({ size: 0, root: EMPTY_ROOT, edge: [] }, [{ rowId: 1, hash: leafHash(bytes("00")) }]);
    const edge = [{ level: 0, index: 0, hashes: leafHash(bytes("01")), rowIds: [1] }];
    expect(() => growTiles({ size: 1, root: grown.root, edge }, [])).toThrow("were changed");
    expect(hex(nodeHash(leaves[0] as Uint8Array, leaves[1] as Uint8Array))).toBe(ROOTS[1] ?? "");
  });
});

describe("signed notes (c2sp.org/signed-note)", () => {
  /** The example of golang.org/x/mod/sumdb/note. */
  const PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
  const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const SIGNATURE = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
  const NOTE = `${TEXT}\n\u2014 PeterNeumann ${SIGNATURE}\n`;

  test("verify as Go's example does, and not once changed", async () => {
    const key = readVerifierKey(PETER);
    expect(await isSignedBy(readNote(NOTE), key)).toBe(true);
    expect(readNote(NOTE).text).toBe(TEXT);
    expect(await isSignedBy(readNote(NOTE.replace("answer", "Answer")), key)).toBe(false);
    expect(await isSignedBy(readNote(NOTE.replace("x08go/ZJ", "x08go/ZK")), key)).toBe(false);
    expect(await isSignedBy(readNote(NOTE.replace("\u2014 Peter", "\u2014 Paul")), key)).toBe(false);
  });

  test("are signed by a key of one name alone", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    const key = writeVerifierKey("log.example", raw);
    const note = `a\n\n${signatureLine(key, sign(null, Buffer.from("a\n"), privateKey))}`;
    expect(await isSignedBy(readNote(note), readVerifierKey(key))).toBe(true);
    expect(await isSignedBy(readNote(note), readVerifierKey(writeVerifierKey("other.example", raw)))).toBe(false);
  });

  test.each(["", "a+b", PETER.replace("c74f20a3", "c74f20a4"), PETER.slice(0, -4), `${PETER} x`])(
    "refuses the key %s",
    (text) => expect(() => readVerifierKey(text)).toThrow(SyntaxError),
  );
});
