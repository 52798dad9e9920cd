import { spawn } from "node:child_process";
import { dieWithParent, leashIsPresent } from "./die-with-parent.ts";

const MEMORY_MAX_KIB = 65_536;
const MEMORY_MIN_KIB = 1_024;
/** Hashes, as a hash worker does, at the lowest priority, and says how long one took. */
const PROBE = `
  const started = performance.now();
  for (let turn = 0; turn < 3; turn += 1)
    Bun.password.hashSync("a password", { algorithm: "argon2id", memoryCost: ${MEMORY_MAX_KIB}, timeCost: 1 });
  console.log((performance.now() - started) / 3);
`;

/**
 * The memory for which a hash (one pass) takes a worker about that long on this machine, as busy as it is now. Workers
 * run at the lowest priority: beside other programs the same hash may take a hundred times as long, and run into its
 * deadline.
 */
export async function hashMemoryKib(milliseconds: number): Promise<number> {
  const child = spawn(...dieWithParent("nice", ["-n", "19", process.execPath, "-e", PROBE]), {
    stdio: ["ignore", "pipe", "inherit"],
    detached: leashIsPresent,
  });
  let said = "";
  child.stdout?.on("data", (text) => {
    said += text;
  });
  await new Promise((ended) => child.once("close", ended));
  const memory = Math.round((MEMORY_MAX_KIB * milliseconds) / Number(said));
  return Math.min(MEMORY_MAX_KIB, Math.max(MEMORY_MIN_KIB, memory || MEMORY_MAX_KIB));
}
