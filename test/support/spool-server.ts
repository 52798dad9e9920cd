/** A process that responds with a sparse spool of `argv[2]` bytes, on the port that is its output. */
import { ftruncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { openSpool } from "../../src/base/spool.ts";

/** The objects of a service: the more memory the objects take, the later the runtime collects garbage. */
const objects = Array.from({ length: 400_000 }, (_, index) => ({ text: `object ${index}` }));

const bytes = Number(process.argv[2]);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch() {
    const spool = openSpool(tmpdir(), crypto.randomUUID());
    ftruncateSync(spool.fd, bytes);
    return new Response(spool.stream(bytes));
  },
});
console.log(server.port);
process.once("SIGTERM", () => process.exit(objects.length === 0 ? 1 : 0));
