import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, createDatabase, type Running, startProcess } from "../harness.ts";
import { CLIENTS } from "../oauth-codes.ts";
import type { PeerSetup } from "../oidc-provider/serve.ts";

export interface Peer {
  readonly running: Running;
}

/** Starts oidc-provider on an empty database of the same PostgreSQL, with signed-in accounts. */
export async function startPeer(bench: Bench, accounts: number): Promise<Peer> {
  const setup: PeerSetup = {
    accounts: Array.from({ length: accounts }, () => crypto.randomUUID()),
    clients: Object.values(CLIENTS),
  };
  const file = join(tmpdir(), `identity-bench-oidc-provider-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(setup));
  const databaseUrl = await createDatabase(bench.databaseUrl, "oidc_provider");
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: "production" };
  const running = await startProcess("bench/oidc-provider/serve.ts", [file], env);
  rmSync(file);
  return { running };
}
