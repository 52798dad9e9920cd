import { expect, test } from "bun:test";
import { freePort } from "../../db/embedded.ts";
import { Client, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { runService, startReplica } from "../support/replica.ts";
import { freshDatabase, redisUrl } from "../support/services.ts";
import { eventually, until } from "../support/waiting.ts";

const childrenOf = (pid: number) =>
  Bun.spawnSync(["ps", "--ppid", String(pid), "-o", "pid="])
    .stdout.toString()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);

test("SERVICE_PROCESSES: several share a port, one that dies is replaced, and SIGTERM drains them all", async () => {
  const port = await freePort();
  const env = { DATABASE_URL: await freshDatabase(), REDIS_URL: await redisUrl(), PORT: String(port) };
  const service = await startReplica({ ...env, SERVICE_PROCESSES: "2" });
  const listening = () => service.output().match(/"msg":"listening"/g)?.length ?? 0;
  await until("both listen", async () => listening() === 2);
  const children = childrenOf(service.pid);
  expect(children).toHaveLength(2);
  const { email, client } = await registered(service.url);
  // Each of them lets in, and lets out, whom the other one knows.
  const sessions = await race(() => signedIn(service.url, email), 8);
  expect(sessions.map(({ answer }) => answer.status)).toEqual(Array(8).fill(200));
  await client.delete("/v1/auth/sessions");
  await eventually("all of them are refused everywhere", 1_000, async () => {
    const looks = await race((index) => (sessions[index]?.client ?? client).get("/v1/auth/session"), 8);
    return looks.every(({ status }) => status === 401);
  });
  process.kill(children[0] ?? 0, "SIGKILL");
  await until("there are two again", async () => listening() === 3);
  expect((await new Client(service.url).get("/readyz")).status).toBe(200);
  const left = childrenOf(service.pid);
  expect(await service.stop()).toBe(0);
  for (const pid of left) expect(() => process.kill(pid, 0)).toThrow();
});

test("processes whose supervisor is killed end by themselves", async () => {
  const env = { DATABASE_URL: await freshDatabase(), REDIS_URL: await redisUrl(), PORT: String(await freePort()) };
  const service = await startReplica({ ...env, SERVICE_PROCESSES: "2" });
  const children = childrenOf(service.pid);
  await service.kill();
  const alive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await until("they are gone", async () => !children.some(alive));
});

test("more than one process needs what they share", async () => {
  const { code, output } = await runService(["serve"], { SERVICE_PROCESSES: "2" });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("SERVICE_PROCESSES: more than one need DATABASE_URL, REDIS_URL"),
  ]);
});
