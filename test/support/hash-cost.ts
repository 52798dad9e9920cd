import { spawn } from "node:child_process";
import { dieWithParent, leashIsPresent } from "./die-with-parent.ts";

const MEMORY_MAX_KIB = 65_536;
const MEMORY_MIN_KIB = 1_024;
/** Computes a hash at the lowest priority, as a hash worker does, and prints the duration. */
const PROBE = `
  const started = performance.now();
  for (let turn = 0; turn < 3; turn += 1)
    Bun.password.hashSync("a password", { algorithm: "argon2id", memoryCost: ${MEMORY_MAX_KIB}, timeCost: 1 });
  console.log((performance.now() - started) / 3);
`;

/**
 * Returns the memory with which a hash of a single pass takes a worker about this long on this machine under the
 * present load. Workers run at the lowest priority: beside busy programs a hash may take a hundred times as long and
 * reach the deadline.
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
