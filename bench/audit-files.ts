/**
 * Writes an export of `<records>` records with a proof, as the service would, and prints the verifier key: `bun
 * bench/audit-files.ts <records> <folder>`. The records are invented; hashes, tree and signature are real.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { signatureLine, toBase64, writeCheckpoint, writeVerifierKey } from "../clients/js/src/audit/note.ts";
import { writeProofHeader } from "../clients/js/src/audit/proof.ts";
import { GrowingTree } from "../clients/js/src/audit.ts";
import { leafOf, sha256 } from "../src/models/transparency-log/tiles.ts";

const ORIGIN = "bench.example/audit-log";
const FLUSH_LINES = 2_000;
const [count = 0, folder = "."] = [Number(process.argv[2]), process.argv[3]];

const tree = new GrowingTree(sha256);
const lines = lineFile("audit.ndjson");
const entries = lineFile("entries");
for (let leaf = 0; leaf < count; leaf += 1) {
  const line = record(leaf + 1);
  const hash = leafOf(line);
  tree.append(hash);
  lines.write(line);
  entries.write(`[${leaf},${leaf + 1},"${toBase64(hash)}"]`);
}
lines.write(`{"_signature":"sha256=${"0".repeat(64)}","_count":${count}}`);
lines.close();
entries.close();
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const verifierKey = writeVerifierKey(ORIGIN, publicKey.export({ format: "der", type: "spki" }).subarray(-32));
const text = writeCheckpoint({ origin: ORIGIN, size: count, root: tree.root() });
const checkpoint = `${text}\n${signatureLine(verifierKey, sign(null, Buffer.from(text), privateKey))}`;
const header = {
  ...{ checkpoint, treeSize: count, from: null, to: null, retainedFrom: null, keptSize: null },
  ...{ firstLeaf: 0, lastLeaf: count - 1, lines: count, leftOut: 0, left: [], right: [] },
};
const proof = Bun.file(join(folder, "audit.proof")).writer();
proof.write(`${writeProofHeader(header, toBase64)}\n`);
for await (const chunk of Bun.file(join(folder, "entries")).stream()) {
  proof.write(chunk);
  await proof.flush();
}
await proof.end();
await Bun.file(join(folder, "entries")).delete();
console.log(verifierKey);

function lineFile(name: string) {
  const fd = openSync(join(folder, name), "w");
  let pending: string[] = [];
  const flush = () => {
    writeSync(fd, pending.map((each) => `${each}\n`).join(""));
    pending = [];
  };
  return {
    write(line: string) {
      if (pending.push(line) >= FLUSH_LINES) flush();
    },
    close() {
      flush();
      closeSync(fd);
    },
  };
}

/** Builds the export record of a sign-in. */
function record(id: number): string {
  const uuid = (part: number) => `019aa5b1-02ab-7b52-a7f3-${(id * 16 + part).toString(16).padStart(12, "0")}`;
  return (
    `{"id":${id},"event_id":"${uuid(1)}","timestamp":"${new Date(1_767_225_600_000 + id * 10).toISOString()}",` +
    `"organization_id":"${uuid(2)}","actor_id":"${uuid(3)}","actor_type":"user","action":"auth.login",` +
    `"resource_type":"session","resource_id":"${uuid(4)}","ip_address":"203.0.113.7",` +
    `"user_agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36","request_id":"${uuid(5)}",` +
    `"metadata":{"method": "password", "trusted_browser": false},"outcome":"success"}`
  );
}
