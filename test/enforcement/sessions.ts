/**
 * `npm run test:sso-enforcement`: an organization with 50,000 sessions begins to require single sign-on, over two
 * replicas and beside the load of further organizations (G200). The test compares the latency of the load with the
 * latency before and after the change. `ENFORCED_SESSIONS` changes the number.
 */
import { expect, test } from "bun:test";
import { quantile } from "../../bench/harness.ts";
import { registered } from "../support/client.ts";
import { eventually, ownDeployment } from "../support/deployment.ts";
import { coveredMember, type Enforceable, enforce, enforceable, REPLICATED_MS } from "../support/sso-enforcement.ts";
import { stopwatch } from "../support/waiting.ts";

const SESSIONS = Number(process.env.ENFORCED_SESSIONS ?? 50_000);
const ENDED_MS = 30_000;
const DEADLINE_MS = 600_000;
/** Members with a browser: the test requests their access from both replicas. */
const WATCHED = 20;
const OTHERS = 20;
const LOAD_PER_SECOND = 100;
const QUIET_SECONDS = 20;
/** The p99 of further organizations during the change, as a multiple of the p99 at rest: before or after. */
const HARM_MAX = 3;

type At = Awaited<ReturnType<typeof ownDeployment>>;

/** Inserts members with one session each, with addresses in the domain of the organization. */
async function insertMembers({ sql }: At, { organizationId, domain }: Enforceable, count: number): Promise<void> {
  await sql`
    with numbers as (select gen_random_uuid() as id, n from generate_series(1, ${count}::integer) as n),
    people as (
      insert into users (id, email, email_verified_at, controlled_at, created_at, updated_at)
      select id, 'person-' || n || '@' || ${domain}, now(), now(), now(), now() from numbers returning id
    ),
    joined as (
      insert into members (organization_id, user_id, role, joined_at)
      select ${organizationId}, id, 'member', now() from people returning user_id
    )
    insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                          rotated_at, expires_at, ends_at, created_at)
    select gen_random_uuid(), user_id, ${organizationId}, 'password', 'aal1', now(), gen_random_uuid(),
           gen_random_uuid(), now(), now() + interval '1 day', now() + interval '1 day', now()
    from joined`;
  await sql`analyze`;
}

type Person = Awaited<ReturnType<typeof registered>>;

/** Requests of further organizations in an even rhythm: cached reads, reads of PostgreSQL, and writes. */
class Load {
  #sent = 0;
  #times: number[] = [];
  readonly #open = new Set<Promise<void>>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly failures: string[] = [];

  readonly #urls: readonly string[];
  readonly #people: readonly Person[];

  constructor(urls: readonly string[], people: readonly Person[]) {
    this.#urls = urls;
    this.#people = people;
    this.#timer = setInterval(() => {
      const request = this.#send().finally(() => this.#open.delete(request));
      this.#open.add(request);
    }, 1_000 / LOAD_PER_SECOND);
  }

  async #send(): Promise<void> {
    this.#sent += 1;
    const turn = this.#sent;
    const person = this.#people[turn % this.#people.length] as Person;
    const url = this.#urls[turn % this.#urls.length] ?? "";
    const headers = {
      authorization: `Bearer ${person.client.cookie("service_at")}`,
      "content-type": "application/json",
    };
    const kind = turn % 10;
    const change = { method: "PATCH", body: JSON.stringify({ display_name: `Person ${turn}` }) };
    const path =
      kind < 6 ? "/v1/auth/session" : kind < 9 ? `/v1/orgs/${person.organizationId}/members` : "/v1/users/me";
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers, ...(kind === 9 ? change : {}) });
    await response.arrayBuffer();
    this.#times.push(performance.now() - startedAt);
    if (response.status !== 200) this.failures.push(`${path}: ${response.status}`);
  }

  /** The p50 and p99 in milliseconds since the last call. */
  async take(): Promise<{ readonly requests: number; readonly p50: number; readonly p99: number }> {
    await Promise.all(this.#open);
    const times = this.#times;
    this.#times = [];
    return { requests: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
  }
}

test(
  `${SESSIONS} sessions are refused within a second and ended within 30, and other organizations notice nothing`,
  async () => {
    const at = await ownDeployment();
    const urls = [at.one.url, at.other.url];
    const host = await enforceable(at);
    const watched: Awaited<ReturnType<typeof coveredMember>>[] = [];
    for (let index = 0; index < WATCHED; index += 1) watched.push(await coveredMember(at, host));
    const others: Person[] = [];
    for (let index = 0; index < OTHERS; index += 1) others.push(await registered(at.one.url));
    await insertMembers(at, host, SESSIONS - WATCHED);
    const load = new Load(urls, others);
    await Bun.sleep(2_000);
    await load.take();
    await Bun.sleep(QUIET_SECONDS * 1_000);
    const before = await load.take();
    const startedAt = performance.now();
    const elapsed = stopwatch();
    expect((await enforce(at, host)).status).toBe(200);
    const answered = elapsed();
    const refused = await eventually("both replicas refuse every session", REPLICATED_MS, async () => {
      const asked = watched.flatMap(({ client }) => urls.map((url) => client.at(url).get("/v1/auth/session")));
      return (await Promise.all(asked)).every(({ status }) => status === 401);
    });
    const ended = await eventually("every session is revoked", ENDED_MS, async () => {
      const rows = await at.sql`
        select 1 from sessions s
        where s.organization_id = ${host.organizationId} and s.revoked_at is null and s.user_id <> ${host.userId}
        limit 1`;
      return rows.length === 0;
    });
    const endedWallMs = performance.now() - startedAt;
    const during = await load.take();
    await Bun.sleep(QUIET_SECONDS * 1_000);
    const after = await load.take();
    await load.stop();
    const harm = during.p99 / Math.max(before.p99, after.p99);
    const figures = { sessions: SESSIONS, answered, refused, ended, endedWallMs, before, during, after, harm };
    process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
    expect(load.failures).toEqual([]);
    expect(harm).toBeLessThan(HARM_MAX);
  },
  DEADLINE_MS,
);
