/** REDIS_URL with users and password files, against servers with these users (docs/configuration.md). */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { connect, connected } from "../../src/state/redis-connection.ts";
import { startRedis, startRedisCluster, stopLater } from "../support/services.ts";
import { until } from "../support/waiting.ts";

const PASSWORD = "a password, of a file";

function passwordFile(): string {
  const directory = mkdtempSync(join(tmpdir(), "identity-redis-login-"));
  stopLater(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "password");
  writeFileSync(file, `${PASSWORD}\n`);
  return file;
}

/** Adds a user with the password. */
async function addUser(port: number): Promise<void> {
  const administrator = new Redis({ port });
  await administrator.call("acl", "setuser", "service", "on", `>${PASSWORD}`, "~*", "&*", "+@all");
  administrator.disconnect();
}

/** Returns the Redis user of the service. */
async function userAt(url: string): Promise<unknown> {
  const connection = connect({ url, onConnectionError: () => undefined }, 1_000);
  try {
    await connected(connection);
    return await connection.call("acl", "whoami");
  } finally {
    connection.disconnect();
  }
}

test("a user of the URL signs in with the password of the URL or of a file", async () => {
  const { port } = await startRedis();
  await addUser(port);
  const host = `127.0.0.1:${port}`;
  expect(await userAt(`redis://${host}`)).toBe("default");
  expect(await userAt(`redis://service:${encodeURIComponent(PASSWORD)}@${host}`)).toBe("service");
  expect(await userAt(`redis://service@${host}/1?password_file=${passwordFile()}`)).toBe("service");
});

test("so does one at every node of a cluster", async () => {
  const url = new URL(await startRedisCluster());
  const first = new Redis({ port: Number(url.port) });
  await until("the nodes know each other", async () => String(await first.cluster("SLOTS")).split(",").length >= 9);
  const ports = [...String(await first.cluster("NODES")).matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) =>
    Number(port),
  );
  first.disconnect();
  for (const port of ports) {
    await addUser(port);
    const administrator = new Redis({ port });
    await administrator.call("acl", "setuser", "default", "off");
    administrator.disconnect();
  }
  url.username = "service";
  url.searchParams.set("password_file", passwordFile());
  await until("it signs in", () =>
    userAt(url.href).then(
      (user) => user === "service",
      () => false,
    ),
  );
});
