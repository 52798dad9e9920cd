/**
 * A preloaded module of the replicas of the soak: a request to the socket named after the process, in the folder
 * `SOAK_SOCKETS`, collects all garbage of the main thread and returns the size of the live objects in bytes.
 */
import { heapStats } from "bun:jsc";
import { join } from "node:path";

const folder = process.env.SOAK_SOCKETS;

if (Bun.isMainThread && folder !== undefined) {
  Bun.serve({
    unix: join(folder, String(process.pid)),
    fetch: () => {
      Bun.gc(true);
      return new Response(String(heapStats().heapSize));
    },
  }).unref();
}

/** The variables of a replica that loads this module. */
export const withLiveMemory = (sockets: string) => ({
  BUN_OPTIONS: `--preload ${import.meta.path}`,
  SOAK_SOCKETS: sockets,
});

/** Collects the garbage of a replica with `withLiveMemory`. Returns the size of the live objects in bytes. */
export async function liveBytes(sockets: string, pid: number): Promise<number> {
  const response = await fetch("http://localhost/", { unix: join(sockets, String(pid)) });
  return Number(await response.text());
}
