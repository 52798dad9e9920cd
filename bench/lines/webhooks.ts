import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Costs, describeCosts, totalOf, withCosts } from "../cpu.ts";
import {
  type Bench,
  fixed,
  median,
  type Row,
  type Running,
  registerAccounts,
  startService,
  whole,
} from "../harness.ts";

const FEW = 1_000;
/** The value lies below the backlog that disables a webhook. */
const MANY = 49_000;
/** The number of deliveries in a measurement of rate and CPU time. */
const MEASURED = 900;
const SLOW_ENDPOINTS = 20;
const SLOW_MS = 4_800;
const SINGLE_DELIVERIES = 8;
const TIMEOUT_MS = 60_000;
const GOAL_PER_SECOND = 300;
const GOAL_RATIO = 0.8;
const GOAL_TIMES = 2;

/**
 * Measures webhook deliveries: the rate and the CPU time with backlogs of two sizes and beside a million pending
 * deliveries of a second tenant, and the time of a delivery beside slow endpoints of a second tenant.
 */
export async function webhookLines(bench: Bench): Promise<Row[]> {
  const receiver = startReceiver();
  const sql = postgres(bench.databaseUrl, { max: 2 });
  const service = await startService(bench, {
    SERVICE_WEBHOOK_ALLOW: "127.0.0.1/32",
    NODE_EXTRA_CA_CERTS: receiver.certificatePath,
  });
  try {
    const tenants = await registerAccounts(service.url, 3);
    await sql`update sessions set mfa_verified_at = now()`;
    const [fast, slow, off] = await Promise.all(tenants.map(({ accessToken }) => openTenant(service.url, accessToken)));
    if (!fast || !slow || !off) throw new Error("three tenants are needed");
    const webhookId = await fast.createWebhook(`${receiver.url}/fast`);
    const deliver = (count: number) => measureBacklog(bench, service, sql, receiver, webhookId, count);
    const few = await deliver(FEW);
    const many = await deliver(MANY);
    const offId = await off.createWebhook(`${receiver.url}/off`);
    await sql`update webhooks set enabled = false, disabled_reason = 'backlog' where id = ${offId}`;
    await insertPending(sql, offId, bench.scale.users);
    const beside = await deliver(FEW);
    const atRest = await deliveryTimes(sql, receiver, webhookId);
    for (let index = 0; index < SLOW_ENDPOINTS; index += 1)
      await insertPending(sql, await slow.createWebhook(`${receiver.url}/slow/${index}`), FEW);
    const crowded = await deliveryTimes(sql, receiver, webhookId);
    return [
      rateRow(`webhooks: deliveries to one receiver, ${whole(MANY)} pending`, many, few),
      besideRow(bench.scale.users, beside, few),
      neighbourRow(median(crowded), median(atRest)),
    ];
  } finally {
    await service.stop();
    await sql.end();
    receiver.stop();
  }
}

interface Deliveries {
  readonly perSecond: number;
  readonly costs: Costs;
}

/** Delivers `MEASURED` of the pending deliveries, and deletes the rest. */
async function measureBacklog(
  bench: Bench,
  service: Running,
  sql: postgres.Sql,
  receiver: Receiver,
  webhookId: string,
  count: number,
): Promise<Deliveries> {
  await sql`update webhooks set paused_until = now() + interval '1 h' where id = ${webhookId}`;
  await insertPending(sql, webhookId, count);
  const arrived = receiver.receives("/fast", MEASURED);
  await sql`update webhooks set paused_until = null where id = ${webhookId}`;
  const startedAt = performance.now();
  // `withCosts` divides by operations, so the number of operations is the rate of a single "second".
  const { costs } = await withCosts(bench, service, 1, async () => {
    await arrived;
    return { perSecond: MEASURED };
  });
  const perSecond = (1000 * MEASURED) / (performance.now() - startedAt);
  await sql`delete from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending'`;
  return { perSecond, costs };
}

/** Milliseconds from the insertion of a single delivery to its arrival. */
async function deliveryTimes(sql: postgres.Sql, receiver: Receiver, webhookId: string): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < SINGLE_DELIVERIES; index += 1) {
    const arrived = receiver.receives("/fast", 1);
    const startedAt = performance.now();
    await insertPending(sql, webhookId, 1);
    await arrived;
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function insertPending(sql: postgres.Sql, webhookId: string, count: number): Promise<void> {
  await sql`
    insert into webhook_deliveries
      (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
    select ${webhookId}, gen_random_uuid(), gen_random_uuid()::text, 'user.updated', '{"type":"user.updated"}',
           'pending', now(), now() + interval '1 day', now()
    from generate_series(1, ${count}::int)`;
}

async function openTenant(url: string, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
  const session = await fetch(`${url}/v1/auth/session`, { headers });
  const { user } = (await session.json()) as { user: { organization_id: string } };
  return {
    async createWebhook(target: string): Promise<string> {
      const body = JSON.stringify({ url: target, event_types: ["user.disabled"] });
      const response = await fetch(`${url}/v1/orgs/${user.organization_id}/webhooks`, {
        method: "POST",
        headers,
        body,
      });
      const made = (await response.json()) as { id?: string };
      if (!made.id) throw new Error(`the webhook was refused: ${response.status} ${JSON.stringify(made)}`);
      return made.id;
    },
  };
}

interface Receiver {
  readonly url: string;
  readonly certificatePath: string;
  /** Resolves when the path has received `count` more requests than at the time of the call. */
  receives(path: string, count: number): Promise<void>;
  stop(): void;
}

/** The receiver uses TLS, as in production, with a certificate for 127.0.0.1. */
function startReceiver(): Receiver {
  const folder = mkdtempSync(join(tmpdir(), "bench-webhooks-"));
  const [keyPath, certificatePath] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=receiver", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", keyPath, "-out", certificatePath];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, ...files], { stdio: "ignore" });
  const counts = new Map<string, number>();
  const waiting = new Map<string, { readonly until: number; readonly resolve: () => void }>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key: readFileSync(keyPath, "utf8"), cert: readFileSync(certificatePath, "utf8") },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      await request.arrayBuffer();
      if (pathname.startsWith("/slow")) await Bun.sleep(SLOW_MS);
      const count = (counts.get(pathname) ?? 0) + 1;
      counts.set(pathname, count);
      const waiter = waiting.get(pathname);
      if (waiter && count >= waiter.until) waiter.resolve();
      return new Response(null, { status: 204 });
    },
  });
  return {
    url: `https://127.0.0.1:${server.port}`,
    certificatePath,
    async receives(path, count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(new Error(`too few requests came to ${path}`)), TIMEOUT_MS);
      waiting.set(path, { until: (counts.get(path) ?? 0) + count, resolve });
      await promise.finally(() => clearTimeout(timer));
    },
    stop() {
      server.stop(true);
      rmSync(folder, { recursive: true });
    },
  };
}

function rateRow(work: string, many: Deliveries, few: Deliveries): Row {
  return {
    line: "",
    work,
    measured: `${whole(many.perSecond)}/s`,
    compared: `${whole(few.perSecond)}/s with ${whole(FEW)} pending, ${fixed(totalOf(few.costs))} ms of CPU each`,
    ratio: fixed(many.perSecond / few.perSecond),
    goal: `at least ${GOAL_PER_SECOND}/s`,
    reached: many.perSecond >= GOAL_PER_SECOND,
    score: many.perSecond,
    cpu: describeCosts(many.costs),
  };
}

function besideRow(pending: number, beside: Deliveries, few: Deliveries): Row {
  const ratio = totalOf(few.costs) / totalOf(beside.costs);
  return {
    line: "",
    work: `webhooks: CPU of a delivery beside ${whole(pending)} pending deliveries of another tenant`,
    measured: `${fixed(totalOf(beside.costs))} ms`,
    compared: `${fixed(totalOf(few.costs))} ms without`,
    ratio: fixed(ratio),
    goal: `at least ${GOAL_RATIO}`,
    reached: ratio >= GOAL_RATIO,
    score: ratio,
    cpu: describeCosts(beside.costs),
  };
}

function neighbourRow(crowdedMs: number, atRestMs: number): Row {
  const times = crowdedMs / atRestMs;
  return {
    line: "",
    work: `webhooks: one delivery beside ${SLOW_ENDPOINTS} endpoints of another tenant that answer after 4.8 s, median`,
    measured: `${fixed(crowdedMs / 1000)} s`,
    compared: `${fixed(atRestMs / 1000)} s at rest`,
    ratio: `${fixed(times)} times`,
    goal: `at most ${GOAL_TIMES} times`,
    reached: times <= GOAL_TIMES,
    score: times,
  };
}
