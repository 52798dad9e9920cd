import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { pendingMigrations } from "../../db/migrate.ts";
import { openConnection } from "../../db/migrator/session.ts";
import { inspectConnection } from "../../src/database/connection-report.ts";
import { openDatabase } from "../../src/database/database.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";

let folder: string;
let url: URL;
const forwarders: Server[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "identity-socket-"));
  url = new URL(await freshDatabase());
});
afterAll(() => {
  for (const each of forwarders) each.close();
  rmSync(folder, { recursive: true });
});

/** Forwards connections of an address to the server. */
async function forward(at: { path: string } | { host: string; port: number }): Promise<void> {
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  forwarders.push(server);
  await new Promise<void>((listening) => server.listen(at, listening));
}

/** The path of a statement of the service, of a command, and of the examination by `doctor`. */
async function connectsBy(text: string): Promise<void> {
  const database = openDatabase({ url: text, connections: 2, telemetry: await silentTelemetry() });
  const sql = openConnection(text);
  try {
    expect(await database.run("test.one", (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
    expect(await pendingMigrations(sql)).toEqual([]);
    expect((await inspectConnection(text)).pooler).toBe("none");
  } finally {
    await Promise.all([database.close(), sql.end()]);
  }
}

const withParameters = (text: string) => `${url.href}?${text}`;

describe("the service connects (G440)", () => {
  test.each([
    "sslmode=prefer&channel_binding=require&gssencmode=disable&application_name=hoster",
    "schema=public&pgbouncer=true&connection_limit=5&pool_timeout=10&connect_timeout=30",
    "keepalives=1&keepalives_idle=30&keepalives_interval=10&keepalives_count=3&tcp_user_timeout=5000",
    "options=-c%20work_mem%3D8MB&target_session_attrs=read-write",
    "client_encoding=utf8&search_path=nowhere&statement_timeout=1",
  ])("by a URL with %s", async (parameters) => {
    await connectsBy(withParameters(parameters));
  });

  test("to an IPv6 address", async () => {
    const port = await freePort();
    await forward({ host: "::1", port });
    await connectsBy(url.href.replace(url.host, () => `[::1]:${port}`));
  });

  test("to a Unix socket, by the parameter and by an encoded host", async () => {
    await forward({ path: join(folder, `.s.PGSQL.${url.port}`) });
    const host = url.href.replace(url.host, () => `:${url.port}`);
    await connectsBy(`${host}?host=${folder}`);
    await connectsBy(url.href.replace(url.host, () => `${encodeURIComponent(folder)}:${url.port}`));
    await connectsBy(`${url.href.replace(url.host, () => "")}?host=${folder}&port=${url.port}`);
  });

  test("to localhost where the server listens at 127.0.0.1 alone", async () => {
    await connectsBy(url.href.replace(url.host, () => `localhost:${url.port}`));
  });

  test.each(["p\u00e4ss", "pa\u0308ss", "\u00bd\u2163 \ufb01", "a\u00a0b\u00adc", "パスワード", "12\u00a0#/%?@"])(
    "with the password %j, as the server prepares the password for SCRAM",
    async (password) => {
      const sql = openSql(url.href);
      const role = `reader_${randomBytes(4).toString("hex")}`;
      await sql.unsafe(`create role ${role} login password '${password}'`);
      const text = new URL(url.href);
      Object.assign(text, { username: role, password: encodeURIComponent(password) });
      const database = openDatabase({ url: text.href, connections: 1, telemetry: await silentTelemetry() });
      try {
        expect(await database.run("test.one", (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
      } finally {
        await database.close();
        await sql.unsafe(`drop role ${role}`);
      }
    },
  );

  test("to the first of several hosts that responds", async () => {
    const closed = await freePort();
    await connectsBy(url.href.replace(url.host, () => `127.0.0.1:${closed},${url.host}`));
  });

  test("with settings of sessions that the URL cannot change", async () => {
    const text = withParameters("options=-c%20statement_timeout%3D1%20-c%20work_mem%3D8MB&application_name=mine");
    const database = openDatabase({ url: text, connections: 1, telemetry: await silentTelemetry() });
    const names = ["statement_timeout", "work_mem", "application_name"];
    const rows = await database.run(
      "test.settings",
      (sql) => sql`select name, setting from pg_settings where name in ${sql(names)} order by name`,
    );
    await database.close();
    expect(rows.map(({ setting }) => setting)).toEqual(["mine 0.2", "5000", "8192"]);
  });
});
