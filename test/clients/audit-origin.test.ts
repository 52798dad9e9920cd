/** An export belongs to the log of the auditor's key, and to no further log of the operator. */
import { afterAll, expect, test } from "bun:test";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { signatureLine, writeCheckpoint, writeVerifierKey } from "../../clients/js/src/audit/note.ts";
import { canonicalize, GrowingTree, leafHash, readVerifierKey, verifyExport } from "../../clients/js/src/audit.ts";
import { witness } from "../../src/providers/checkpoints/witness.ts";
import { TestWitness } from "../support/witness.ts";

const PRODUCTION = "id.example.com/v1/audit-log/11111111";
const STAGING = "staging.example.com/v1/audit-log/22222222";
const cosigner = new TestWitness("witness.example");
afterAll(() => cosigner.stop());

function logKey(name: string): { readonly verifierKey: string; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { verifierKey: writeVerifierKey(name, raw), privateKey };
}
const keys = { [PRODUCTION]: logKey(PRODUCTION), [STAGING]: logKey(STAGING) };
for (const { verifierKey } of Object.values(keys)) cosigner.logs.push(readVerifierKey(verifierKey));

/**
 * Verifies an export with a single record, of a log whose checkpoint carries signatures of the two logs and the
 * witness.
 */
async function verdictOn(origin: string, keyOf: keyof typeof keys) {
  const record = JSON.stringify({ id: 1, timestamp: "2026-01-02T03:04:05.678Z", action: "auth.login" });
  const hash = leafHash(new TextEncoder().encode(canonicalize(record)));
  const tree = new GrowingTree();
  tree.append(hash);
  const text = writeCheckpoint({ origin, size: 1, root: tree.root() });
  const signatures = Object.values(keys).map((key) =>
    signatureLine(key.verifierKey, sign(null, Buffer.from(text), key.privateKey)),
  );
  const signed = { note: `${text}\n${signatures.join("")}`, origin, size: 1, proofFrom: async () => [] };
  const note = signed.note + (await witness(cosigner.verifierKey, cosigner.url).cosign(signed));
  const header = {
    ...{ format: "audit-export/1", checkpoint: note, tree_size: 1, from: null, to: null, retained_from: null },
    ...{ kept_size: null, first_leaf: 0, last_leaf: 0, lines: 1, left_out: 0, left: [], right: [] },
  };
  const proof = [header, [0, 1, Buffer.from(hash).toString("base64")]].map((line) => `${JSON.stringify(line)}\n`);
  return await verifyExport({
    lines: new Blob([`${record}\n{"_signature":"sha256=00","_count":1}\n`]).stream(),
    proof: new Blob(proof).stream(),
    keys: [keys[keyOf].verifierKey, cosigner.verifierKey],
    treeSize: 1,
  });
}

test("a checkpoint counts for the named log, with the signature of the log's key", async () => {
  expect(await verdictOn(PRODUCTION, PRODUCTION)).toMatchObject({ ok: true, checkpoint: { origin: PRODUCTION } });
});

test("a checkpoint of another log is refused, although the log's key and a witness signed it", async () => {
  const verdict = await verdictOn(STAGING, PRODUCTION);
  expect(verdict).toMatchObject({ ok: false });
  expect(JSON.stringify(verdict)).toContain(`is of the log ${STAGING}`);
});
