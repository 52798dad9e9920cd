import { type Bench, fixed, median, type Row, startService, whole } from "../harness.ts";
import { seededDatabases, signIn, signInAsOwner } from "../scale.ts";
import { seededEmail } from "../seed.ts";

const TRIES = 40;
const GOAL = 1.25;

type SendRequest = (turn: number) => Promise<Response>;

/**
 * Line 10 compares latencies at a million users and ten million audit rows with latencies at a thousand and ten
 * thousand.
 */
export async function growthLines(bench: Bench): Promise<Row[]> {
  const { small, large } = await seededDatabases(bench);
  const services = [await startOn(bench, small), await startOn(bench, large)] as const;
  const rows: Row[] = [];
  for (const name of Object.keys(services[0].requests)) {
    const times: [number[], number[]] = [[], []];
    for (let turn = -5; turn < TRIES * Math.max(1, bench.rounds / 2); turn += 1) {
      for (const side of [0, 1] as const) {
        const startedAt = performance.now();
        const response = await (services[side].requests[name] as SendRequest)(turn + 5);
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${name} returned ${response.status}`);
        if (turn >= 0) times[side].push(performance.now() - startedAt);
      }
    }
    const [before, after] = [median(times[0]), median(times[1])];
    rows.push({
      line: "10",
      work: `growth: ${name}, median`,
      measured: `${fixed(after)} ms with ${whole(bench.scale.users)} users`,
      compared: `${fixed(before)} ms with a thousand users`,
      ratio: fixed(after / before),
      goal: `at most ${GOAL} times`,
      reached: after / before <= GOAL,
      score: after / before,
    });
  }
  await Promise.all(services.map((service) => service.stop()));
  return rows;
}

async function startOn(bench: Bench, databaseUrl: string) {
  const service = await startService(bench, { DATABASE_URL: databaseUrl });
  const bearer = await signInAsOwner(service.url, databaseUrl);
  const get = (path: string) => () =>
    fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const requests: Record<string, SendRequest> = {
    "sign-in": (turn) => signIn(service.url, seededEmail((turn * 7) % 1000)),
    "session check": get("/v1/auth/session"),
    "session list": get("/v1/auth/sessions"),
    "user search": get(`/v1/admin/users?q=${encodeURIComponent(seededEmail(777))}`),
    "user list": get("/v1/admin/users"),
    "audit page": get("/v1/audit-logs"),
    "audit page by action and time": get("/v1/audit-logs?action=auth.logout&from=2026-01-01T00:00:00Z"),
  };
  return { requests, stop: () => service.stop() };
}
