/** The worker pools of a replica, with their bounds. */
import type { Clock } from "./base/clock.ts";
import type { Deps } from "./deps.ts";
import type { Foundation } from "./foundation.ts";
import { EXPORT_DEADLINE_MS, EXPORTS_MAX } from "./limits/audit-limits.ts";
import {
  HASH_DEADLINE_MS,
  SIGN_DEADLINE_MS,
  SIGN_QUEUE_MAX,
  SIGN_SLOTS,
  SIGN_WORKERS,
  START_HASH_ATTEMPTS_MAX,
} from "./limits/process-limits.ts";
import { bodySlots } from "./pool/body-slots.ts";
import { type HashPool, openExportPool, openHashPool, openSignPool } from "./pool/pool.ts";
import { programWrites } from "./pool/program-writes.ts";
import { openSamlPool, type SamlPool } from "./pool/saml-pool.ts";
import type { SignerStatus } from "./pool/signer-status.ts";

/** Niceness of the workers relative to the thread that serves requests (nice(2)); measured in docs/decisions/0003. */
const HASH_NICE = 19;
const SIGN_NICE = 10;

export type Pools = Pick<Deps, "hashing" | "signing" | "exporting"> & { readonly samlPool: SamlPool };

export function openPools({ config, clock, telemetry }: Foundation, signer: SignerStatus): Pools {
  const common = { clock, telemetry };
  const { workers, queueMax } = config.hashing;
  return {
    hashing: openHashPool({ ...common, workers, queueMax, deadlineMs: HASH_DEADLINE_MS, niceIncrement: HASH_NICE }),
    exporting: openExportPool({
      ...common,
      workers: EXPORTS_MAX,
      queueMax: 0,
      deadlineMs: EXPORT_DEADLINE_MS,
      niceIncrement: SIGN_NICE,
    }),
    samlPool: openSamlPool({ ...common, niceIncrement: SIGN_NICE }),
    signing: openSignPool({
      ...common,
      ...config.signing,
      onSigned: signer.record,
      workers: SIGN_WORKERS,
      queueMax: SIGN_QUEUE_MAX,
      admissionsMax: SIGN_SLOTS,
      deadlineMs: SIGN_DEADLINE_MS,
      niceIncrement: SIGN_NICE,
    }),
  };
}

/** The slots of large bodies, and of writes of programs. `connections`: those to PostgreSQL. */
export function openSlots(clock: Clock, connections: number): Pick<Deps, "bodySlots" | "programWrites"> {
  return { bodySlots: bodySlots(clock), programWrites: programWrites(clock, connections) };
}

/** Repeats the first job: on a busy machine the workers, which have the lowest priority, can miss its deadline. */
export async function makeDummyHash({ config, random }: Foundation, hashing: HashPool): Promise<string> {
  const password = random.bytes(24).toString("base64url");
  for (let attempt = 1; attempt <= START_HASH_ATTEMPTS_MAX; attempt += 1) {
    const result = await hashing.run({ kind: "hash", password, cost: config.hashing.cost });
    if (result.ok && result.kind === "hash") return result.hash;
  }
  throw new Error("the hash workers do not respond");
}
