/**
 * `bun bench/memory-limit.ts <MB>`: a start and 200 sign-ins, 20 at once, in a memory control group of that size. As
 * root. Embedded mode; with DATABASE_URL and REDIS_URL in the environment, the replica alone is measured.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [SIGN_INS, AT_ONCE] = [200, 20];
const PORT = 4577;
const URL_OF_SERVICE = `http://127.0.0.1:${PORT}`;
const START_DEADLINE_MS = 60_000;
const BODY = { email: `${crypto.randomUUID()}@example.test`, password: "correct horse battery 9" };

/** The files of a group, by the version of control groups. */
const VERSION_1 = {
  root: "/sys/fs/cgroup/memory",
  limit: "memory.limit_in_bytes",
  peak: "memory.max_usage_in_bytes",
  stat: /^total_rss (\d+)$/m,
};
const VERSION_2 = { root: "/sys/fs/cgroup", limit: "memory.max", peak: "memory.peak", stat: /^anon (\d+)$/m };

const mb = Number(process.argv[2] ?? 512);
const version = existsSync(VERSION_1.root) ? VERSION_1 : VERSION_2;
const group = join(version.root, `identity-memory-${process.pid}`);
mkdirSync(group);
writeFileSync(join(group, version.limit), String(mb * 2 ** 20));
const data = mkdtempSync(join(tmpdir(), "identity-memory-"));

const enter = `echo $$ > ${group}/cgroup.procs; exec "$@"`;
const service = Bun.spawn(["sh", "-c", enter, "sh", process.execPath, "src/main.ts", "serve"], {
  cwd: join(import.meta.dir, ".."),
  env: {
    ...process.env,
    PORT: String(PORT),
    SERVICE_RATE_LIMITS: "off",
    SERVICE_DATA_DIRECTORY: join(data, "data"),
  },
  stdout: "ignore",
  stderr: "inherit",
});
try {
  await ready();
  console.log(`ready: ${mib("now")} MiB`);
  const registered = await post("register", { ...BODY, organization_name: "Memory" });
  const statuses = new Map<number, number>();
  const client = async () => {
    for (let sent = 0; sent < SIGN_INS / AT_ONCE; sent += 1) {
      const status = await post("login", BODY);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  console.log(`registration ${registered}, sign-ins by status`, Object.fromEntries(statuses));
  console.log(`after: ${mib("now")} MiB; peak with page cache: ${mib("peak")} MiB of ${mb}`);
} finally {
  service.kill();
  await service.exited;
  // The embedded PostgreSQL ends a moment after the service.
  await Bun.sleep(3_000);
  rmdirSync(group);
  rmSync(data, { recursive: true, force: true });
}

async function ready(): Promise<void> {
  const endAt = performance.now() + START_DEADLINE_MS;
  while (performance.now() < endAt && service.exitCode === null) {
    const response = await fetch(`${URL_OF_SERVICE}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await Bun.sleep(100);
  }
  throw new Error("the service did not become ready");
}

async function post(path: string, body: object): Promise<number> {
  const headers = { "content-type": "application/json" };
  const url = `${URL_OF_SERVICE}/v1/auth/${path}`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

/** Memory of all processes of the group: of the moment without page cache, or the peak with page cache. */
function mib(what: "now" | "peak"): number {
  const read = (name: string) => readFileSync(join(group, name), "utf8");
  const bytes = what === "peak" ? read(version.peak) : version.stat.exec(read("memory.stat"))?.[1];
  return Math.round(Number(bytes) / 2 ** 20);
}
