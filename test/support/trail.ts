/** An audit trail with a transparency log in a separate database. The trail is sequenced when the test calls `grow`. */
import { type ExportEvidence, type ExportVerdict, verifyExport } from "../../clients/js/src/audit.ts";
import { auditLogOf } from "../../src/actors/audit-log-sequencer/memory.ts";
import {
  nothingSeen,
  type SequencerDeps,
  type SequencerMemory,
  sequence,
} from "../../src/actors/audit-log-sequencer.ts";
import { exportAudit } from "../../src/flows/audit/export.ts";
import { proveExport } from "../../src/flows/audit/prove-export.ts";
import type { ExportCaller } from "../../src/flows/steps/authorization/authorize-audit-export.ts";
import type { SessionView } from "../../src/models/session/session.ts";
import type { PublishedLog } from "../../src/models/transparency-log/published-log.ts";
import { clientAt, unwrap } from "./accounts.ts";
import { type Flows, openFlows } from "./flows.ts";

export interface Evidence {
  readonly lines: string;
  readonly proof: string;
}

interface Download {
  readonly from?: string;
  readonly to?: string;
  readonly keptSize?: number;
  readonly treeSize?: number;
  /** Restricts the export to this organization, as an organization key does. */
  readonly organizationId?: string;
}

export interface Trail extends Flows {
  readonly sequencer: SequencerDeps;
  /** The memory of the replica of this test. */
  readonly memory: SequencerMemory;
  /** Inserts records of a user at intervals of a second, each in a separate transaction; returns the row ids. */
  insert(count: number): Promise<number[]>;
  /** Inserts `count` records in a single statement. */
  insertMany(count: number): Promise<void>;
  /** Appends all pending records, and publishes the log. */
  grow(): Promise<PublishedLog>;
  /** Downloads an export with the proof. */
  download(period?: Download): Promise<Evidence>;
  /** Verifies an export like an auditor with the verifier key. */
  verify(
    evidence: Evidence,
    kept?: string,
    keys?: readonly string[],
    more?: Pick<ExportEvidence, "retainedFrom" | "treeSize" | "organizationId">,
  ): Promise<ExportVerdict>;
}

export async function openTrail(
  environment: Readonly<Record<string, string>> = {},
  settings: Partial<SequencerDeps> = {},
): Promise<Trail> {
  const flows = await openFlows(environment);
  const { database, clock, random, log, sealing } = flows.deps;
  const common = { database, clock, random, log, sealing };
  const sequencer = {
    ...common,
    namePrefix: "auth.test/audit-log",
    witnesses: [],
    quorum: 0,
    folder: undefined,
    ...settings,
  };
  const memory = nothingSeen(sequencer);
  const deps = { ...flows.deps, auditLog: auditLogOf(sequencer, memory) };
  const caller = { session: { userId: Bun.randomUUIDv7(), organizationId: Bun.randomUUIDv7() } as SessionView };
  let second = 0;

  const insert = async (count: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) {
      second += 1;
      const [row] = await flows.sql<{ id: number }[]>`
        insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
        values (gen_random_uuid(), ${new Date(clock.now() + second * 1000)}, 'user', 'auth.login', 'session',
                ${flows.sql.json({ n: second, text: 'é "quoted" \\ \n', z: null, a: true })}, 'success')
        returning id::float8 as id`;
      ids.push(row?.id ?? 0);
    }
    return ids;
  };

  return {
    ...flows,
    deps,
    sequencer,
    memory,
    insert,
    async insertMany(count) {
      await flows.sql`
        insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
        select gen_random_uuid(), ${new Date(clock.now())}::timestamptz + n * interval '1 millisecond', 'user',
               'auth.login', 'session', '{"many": true}', 'success'
        from generate_series(1, ${count}) n`;
    },
    async grow() {
      await sequence(sequencer, memory);
      await memory.cosigners?.settled();
      if (!memory.published) throw new Error("nothing is published");
      return memory.published;
    },
    async download({ keptSize, treeSize, organizationId, ...period } = {}) {
      const { session } = caller;
      const exporter = { actor: session, reader: session, only: organizationId } as unknown as ExportCaller;
      const asked = { caller: exporter, from: period.from, to: period.to };
      const exported = unwrap(await exportAudit(deps, { ...asked, provable: true, client: clientAt() }));
      const lines = await new Response(exported.spool.stream(exported.bytes)).text();
      const size = treeSize ?? exported.treeSize ?? 0;
      const proved = unwrap(await proveExport(deps, { ...asked, treeSize: size, keptSize }));
      return { lines, proof: await new Response(proved.spool.stream(proved.bytes, proved.head)).text() };
    },
    async verify({ lines, proof }, kept, keys = [memory.published?.verifierKey ?? ""], more = {}) {
      return await verifyExport({
        lines: new Blob([lines]).stream(),
        proof: new Blob([proof]).stream(),
        keys,
        ...more,
        ...(kept === undefined ? {} : { kept }),
      });
    },
  };
}
