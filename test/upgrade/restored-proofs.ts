/** An auditor who keeps a checkpoint from before a backup's point in time, and verifies the restored log against it. */
import type postgres from "postgres";
import { GrowingTree, sameBytes } from "../../clients/js/src/audit/merkle.ts";
import {
  type Checkpoint,
  isSignedBy,
  readCheckpoint,
  readNote,
  readVerifierKey,
  verifyRecord,
} from "../../clients/js/src/audit.ts";
import { Client } from "../support/client.ts";
import { platformUser } from "../support/platform.ts";
import { eventually } from "../support/waiting.ts";

const CHECKPOINT = "/v1/audit-log/checkpoint";
/** The time until a checkpoint covers all records: a constant, and the time for records from before the upgrade. */
const SEQUENCED_MS = 120_000;
const RECORDS_PER_MS = 1;
const HASH_BYTES = 32;
const UNDOCUMENTED = { documented: false } as const;

export interface Auditor {
  readonly client: Client;
  readonly verifierKey: string;
  readonly kept: Checkpoint;
  /** The audit record of the revocation. */
  readonly eventId: string;
}

/** Keeps the checkpoint that covers all present records, with the record of the sign-out of a user. */
export async function keepProofs(sql: postgres.Sql, url: string, userId: string): Promise<Auditor> {
  const { client } = await platformUser({ one: { url }, sql } as never, "admin");
  const [row] = await sql`
    select (select count(*)::int from audit_logs) as records,
           (select event_id from audit_logs where action = 'auth.logout' and actor_id = ${userId}) as "eventId"`;
  const deadlineMs = SEQUENCED_MS + row?.records / RECORDS_PER_MS;
  await eventually("the checkpoint covers every record", deadlineMs, async () => {
    const answer = await client.get(CHECKPOINT, UNDOCUMENTED);
    return answer.status === 200 && readCheckpoint(readNote(answer.text).text).size >= row?.records;
  });
  const [note, verifierKey] = [await client.get(CHECKPOINT, UNDOCUMENTED), await verifierKeyAt(url)];
  const signed = readNote(note.text);
  if (!(await isSignedBy(signed, readVerifierKey(verifierKey)))) throw new Error("the checkpoint has another signer");
  return { client, verifierKey, kept: readCheckpoint(signed.text), eventId: String(row?.eventId) };
}

/** Returns a line for every statement of the restored log that contradicts the kept checkpoint. */
export async function contradictions(sql: postgres.Sql, url: string, auditor: Auditor): Promise<string[]> {
  const { client, verifierKey, kept, eventId } = auditor;
  const tree = new GrowingTree();
  const tiles = await sql<{ hashes: Buffer }[]>`select hashes from transparency_tiles where level = 0 order by index`;
  for (const { hashes } of tiles)
    for (let at = 0; at < hashes.length && tree.size < kept.size; at += HASH_BYTES)
      tree.append(new Uint8Array(hashes.subarray(at, at + HASH_BYTES)));
  const isExtended = tree.size === kept.size && sameBytes(tree.root(), kept.root);
  const restored = client.at(url);
  // A large log grows for longer than the lifetime of an access token.
  await restored.post("/v1/auth/refresh", undefined, UNDOCUMENTED);
  const proof = await restored.get(`/v1/audit-logs/${eventId}/proof`, UNDOCUMENTED);
  const verdict = await verifyRecord({ proof: proof.text, keys: [verifierKey], eventId });
  const isNewer = verdict.ok && verdict.checkpoint.origin === kept.origin && verdict.checkpoint.size >= kept.size;
  return [
    ...(isExtended ? [] : ["restore: the log does not extend the checkpoint from before the point"]),
    ...(verdict.ok
      ? []
      : [`restore: the record of the revocation is not proved (${proof.status}): ${verdict.problem}`]),
    ...(verdict.ok && !isNewer ? ["restore: the proof has an older checkpoint than the auditor"] : []),
  ];
}

async function verifierKeyAt(url: string): Promise<string> {
  const { body } = await new Client(url).get("/.well-known/openid-configuration", UNDOCUMENTED);
  return String(body.service_audit_log.verifier_key);
}
