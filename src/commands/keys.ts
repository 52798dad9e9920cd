import { defineCommand } from "citty";
import type { Foundation } from "../foundation.ts";
import { ensureRing, rotateRing, tokenMaxAgeMs } from "../models/signing-key/ring.ts";
import { listSigningKeys, type SigningKeyRow } from "../models/signing-key/signing-key.ts";
import { withFoundation } from "./configured.ts";

export const listKeysCommand = defineCommand({
  meta: { name: "list", description: "List the signing keys of this deployment's ring" },
  args: { json: { type: "boolean", description: "Print JSON" } },
  async run({ args }) {
    const keys = await withFoundation(readRing);
    console.log(
      args.json ? JSON.stringify(keys.map(describe), null, 2) : keys.map(line).join("\n") || "The ring is empty.",
    );
  },
});

export const rotateKeysCommand = defineCommand({
  meta: { name: "rotate", description: "Activate the next key; tokens of the old key stay valid" },
  async run() {
    const keys = await withFoundation(async (foundation) => {
      const { clock, config } = foundation;
      const at = new Date(clock.now());
      await ensureRing(foundation, at);
      await rotateRing(foundation, { at, tokenMaxAgeMs: tokenMaxAgeMs(config.tokens) });
      return await readRing(foundation);
    });
    console.log(keys.map(line).join("\n"));
    console.log("Rotated. Running replicas sign with the new key within five seconds.");
  },
});

function readRing({ database, sealing }: Foundation): Promise<SigningKeyRow[]> {
  return database.run("signing_key.list", (sql) => listSigningKeys(sql, sealing.id));
}

function describe({ kid, state, createdAt, activatedAt, retiredAt }: SigningKeyRow): object {
  return { kid, state, created_at: createdAt, activated_at: activatedAt, retired_at: retiredAt };
}

function line({ kid, state, createdAt }: SigningKeyRow): string {
  return `${state.padEnd(9)} ${kid}  created ${createdAt.toISOString()}`;
}
