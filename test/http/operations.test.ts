import { beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

let at: Deployment;
let client: Client;
beforeAll(async () => {
  at = await deployment();
  client = new Client(at.one.url);
});

describe("GET /healthz", () => {
  test("is 200 while the process lives", async () => {
    expect((await client.get("/healthz")).body).toEqual({ status: "ok" });
  });
});

describe("GET /readyz", () => {
  test("is 200 with every check and the provider configuration", async () => {
    const { status, body } = await client.get("/readyz");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      checks: {
        database: { status: "ok", latency_ms: expect.any(Number) },
        migrations: { status: "ok", latency_ms: expect.any(Number) },
        redis: { status: "ok", latency_ms: expect.any(Number) },
      },
      provider_config: { degraded: false, providers: [] },
    });
  });

  test("is 503 with the envelope and every check when a migration of this build is missing", async () => {
    const databaseUrl = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: databaseUrl });
    const sql = openSql(databaseUrl);
    await sql`delete from drizzle.__drizzle_migrations`;
    const { status, body } = await new Client(replica.url).get("/readyz");
    expect(status).toBe(503);
    expect(body).toMatchObject({
      error: { code: "internal_error", message: "Not ready.", type: "internal_error" },
      status: "unavailable",
      checks: { database: { status: "ok" }, migrations: { status: "unavailable" } },
      provider_config: { degraded: false },
    });
    await replica.kill();
  });
});

describe("GET /metrics", () => {
  test("names requests, statements, jobs and gauges by semantic conventions", async () => {
    await client.get("/v1/auth/session");
    const { headers, text } = await client.get("/metrics");
    expect(headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    for (const name of [
      "http_server_request_duration_seconds",
      "db_client_operation_duration_seconds",
      "service_worker_job_duration_seconds",
      "service_worker_queue_size",
      "service_revocations_current",
      "service_state_shared",
      "process_memory_usage_bytes",
      "process_cpu_time_seconds_total",
      "nodejs_eventloop_delay_p99_seconds",
      "http_server_active_requests",
      "db_client_connection_count",
      "db_client_connection_max",
      "db_client_connection_pending_requests",
      "service_mail_oldest_age_seconds",
      "service_audit_log_lag_seconds",
      "service_webhook_attempts_total",
      "service_webhook_endpoints",
      "service_webhook_queue_size",
    ]) {
      expect(text).toContain(name);
    }
  });

  test("grows by no series from 10,000 paths and methods of a client's choice (G18b)", async () => {
    const random = { documented: false } as const;
    // Periodic statements create series with the first run, independent of a client's choice.
    const series = async () =>
      (await client.get("/metrics")).text.split("\n").filter((line) => !/^(#|db_client_)/.test(line)).length;
    await client.get("/random/first", random);
    await client.request("PROPFIND", "/random/first", random);
    const before = await series();
    for (let batch = 0; batch < 100; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => client.get(`/random/${batch}/${index}`, random)));
    }
    await client.request("MKCOL", "/random/x", random);
    expect(await series()).toBe(before);
  });
});

describe("GET /openapi.json and /docs", () => {
  test("describe every endpoint and need nothing from a further host", async () => {
    const { body } = await client.get("/openapi.json");
    expect(body.openapi).toStartWith("3.1");
    const operation = body.paths["/v1/auth/login"].post;
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["200", "400", "401", "429", "500"]));
    const { $ref } = operation.requestBody.content["application/json"].schema;
    expect($ref).toBe("#/components/schemas/LoginRequest");
    expect(body.components.schemas.LoginRequest.properties).toHaveProperty("organization_id");
    expect(body.paths["/v1/auth/sessions/{id}"].delete.parameters[0]).toMatchObject({ name: "id", in: "path" });
    const page = await client.get("/docs");
    expect(page.headers.get("content-type")).toStartWith("text/html");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.text).toContain("/v1/auth/organization");
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});

describe("probes of load balancers (G443)", () => {
  test.each(["/healthz", "/readyz"])("%s returns one status for GET, HEAD and OPTIONS", async (path) => {
    for (const method of ["GET", "HEAD", "OPTIONS"])
      expect([method, (await fetch(at.one.url + path, { method })).status]).toEqual([method, 200]);
    expect((await fetch(at.one.url + path, { method: "POST" })).status).toBe(404);
  });

  test("OPTIONS /readyz is 503 while the replica is not ready.", async () => {
    const databaseUrl = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: databaseUrl });
    await openSql(databaseUrl)`delete from drizzle.__drizzle_migrations`;
    expect((await fetch(`${replica.url}/readyz`, { method: "OPTIONS" })).status).toBe(503);
    await replica.kill();
  });

  // Each spelling that the field for the path of a health check accepts.
  const SPELLINGS = ["", "/", "?", "?full=1", "/?full=1"];

  test.each(["/healthz", "/readyz"])("%s has one status for every spelling of its path (G395).", async (path) => {
    for (const spelling of SPELLINGS) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const { status } = await fetch(at.one.url + path + spelling, { method, redirect: "manual" });
        expect([method, path + spelling, status]).toEqual([method, path + spelling, 200]);
      }
    }
  });

  test("A slash at the end makes no route of metrics, and no further path has that spelling (G395).", async () => {
    const statusOf = async (path: string) => (await fetch(at.one.url + path)).status;
    await statusOf("/healthz/");
    const { text } = await client.get("/metrics");
    expect(text).toContain('http_route="/healthz"');
    expect(text).not.toContain('http_route="/healthz/"');
    expect([await statusOf("/metrics/"), await statusOf("/readyz//"), await statusOf("/readyz/x")]).toEqual([
      404, 404, 404,
    ]);
  });
});
