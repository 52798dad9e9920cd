/** Clients that record every acknowledgement, and the comparison of the ledger with the database. */
import type postgres from "postgres";
import { createVerifier, type Verifier } from "../../clients/js/src/verifier.ts";
import { PASSWORD } from "../support/client.ts";
import { ISSUER } from "../support/replica.ts";
import { stopwatch } from "../support/waiting.ts";
import { Employee, type ProvisionedUser } from "./employee.ts";
import {
  type Book,
  type HeldSession,
  LedgerClient,
  type Outcome,
  outcomeOf,
  REFUSED_BY_VERIFIERS_MS,
  REVOKED_EVERYWHERE_MS,
  type SignedIn,
} from "./ledger-client.ts";
import type { AcknowledgedEvent } from "./webhooks.ts";

export interface Load {
  readonly url: string;
  readonly replicas: readonly string[];
  readonly people: number;
  /** A user of a directory, who is deactivated again and again. */
  readonly provisioned?: ProvisionedUser;
  /** The pause between two requests of a user. */
  readonly pauseMs: number;
  readonly seed: number;
}

/** An access token is valid for fifteen minutes. A session waits longer for its turn in a run of half an hour. */
const REFRESH_AFTER_MS = 600_000;

export class Ledger implements Book {
  readonly sent: Record<Outcome, number> = { ok: 0, refused: 0, failed: 0, unknown: 0 };
  readonly users: string[] = [];
  readonly sessions: string[] = [];
  /** The age of the acknowledged revocation by session. */
  readonly revocations = new Map<string, () => number>();
  /** The results of verifiers for tokens with a known state. */
  readonly verified = { accepted: 0, refused: 0, cannotTell: 0 };
  deactivated = 0;
  /** The audit records of acknowledged requests by user, in order. */
  readonly histories: AcknowledgedEvent[][] = [];
  /** Violated guarantees. */
  readonly violations: string[] = [];
  /** Responses with 5xx and missing responses, with the time since the start. */
  readonly failures: string[] = [];
  slowestMs = 0;
  readonly #startedAt = performance.now();
  #running = true;
  readonly #people: (Person | Employee)[] = [];
  #clients: Promise<void>[] = [];
  #verifiers: readonly Verifier[] = [];

  /**
   * Starts users who sign in, refresh, read, and revoke at `url`, each with a seeded random sequence. The users also
   * call foreign APIs, whose verifiers follow the feed at `url` and at each replica. A provisioned user signs in
   * between the deactivations of the directory.
   */
  start({ url, replicas, people, provisioned, pauseMs, seed }: Load): void {
    const follow = (baseUrl: string) => createVerifier({ issuer: ISSUER, baseUrl, whenBlind: "deny" });
    this.#verifiers = [url, ...replicas].map(follow);
    const client = () => new LedgerClient(this, url, this.#verifiers);
    for (let index = 0; index < people; index += 1) {
      this.#people.push(new Person(this, client(), seed * 1000 + index));
    }
    if (provisioned) this.#people.push(new Employee(this, client(), provisioned, replicas));
    this.#clients = this.#people.map((person) => person.live(() => this.#running, pauseMs));
  }

  count(request: string, status: number | undefined, code: unknown, sentAt: number): void {
    const outcome = outcomeOf(status);
    this.sent[outcome] += 1;
    if (outcome !== "failed" && outcome !== "unknown") return;
    const [after, took] = [sentAt - this.#startedAt, performance.now() - sentAt].map((ms) => (ms / 1000).toFixed(1));
    this.failures.push(`after ${after} s: ${request}: ${status ?? "no response"} ${code ?? ""} in ${took} s`);
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
    await Promise.all(this.#people.map((person) => person.presentRevoked()));
    for (const verifier of this.#verifiers) verifier.close();
  }

  /** Returns true if every verifier receives the feed. */
  async areVerifiersReady(): Promise<boolean> {
    return (await Promise.all(this.#verifiers.map((verifier) => verifier.ready()))).every(Boolean);
  }

  get total(): number {
    return Object.values(this.sent).reduce((sum, count) => sum + count);
  }

  /** Returns acknowledged results that are missing in the database: rows, audit entries, owners. */
  async missing(sql: postgres.Sql): Promise<string[]> {
    const absent = async (
      what: string,
      ids: readonly string[],
      query: (ids: string[]) => postgres.PendingQuery<postgres.Row[]>,
    ) => {
      const found = new Set((await query([...ids])).map((row) => String(row.id)));
      return ids.filter((id) => !found.has(id)).map((id) => `${what} ${id}`);
    };
    const revoked = [...this.revocations.keys()];
    const lists = await Promise.all([
      absent(
        "user",
        this.users,
        (ids) => sql`
        select u.id from users u join members m on m.user_id = u.id and m.role = 'owner' where u.id in ${sql(ids)}`,
      ),
      absent(
        "audit entry of user",
        this.users,
        (ids) => sql`
        select actor_id as id from audit_logs where action = 'auth.register' and actor_id in ${sql(ids)}`,
      ),
      absent("session", this.sessions, (ids) => sql`select id from sessions where id in ${sql(ids)}`),
      absent(
        "audit entry of session",
        this.sessions,
        (ids) => sql`
        select resource_id as id from audit_logs
        where action in ('auth.login', 'auth.register') and resource_id in ${sql(ids)}`,
      ),
      absent(
        "revocation",
        revoked,
        (ids) => sql`
        select id from sessions where revoked_at is not null and id in ${sql(ids)}`,
      ),
      absent(
        "audit entry of revocation",
        revoked,
        (ids) => sql`
        select resource_id as id from audit_logs where action = 'auth.session.revoked' and resource_id in ${sql(ids)}`,
      ),
    ]);
    const [ownerless] = await sql<{ count: number }[]>`
      select count(*)::int from organizations o
      where not exists (select 1 from members m where m.organization_id = o.id and m.role = 'owner')`;
    const orphans = ownerless?.count ? [`${ownerless.count} organizations without an owner`] : [];
    return [...lists.flat(), ...orphans];
  }
}

class Person {
  readonly #ledger: Ledger;
  readonly #client: LedgerClient;
  readonly #random: () => number;
  readonly #email: string;
  readonly #live: HeldSession[] = [];
  readonly #revoked: HeldSession[] = [];
  readonly #history: AcknowledgedEvent[] = [];
  #registered = false;

  constructor(ledger: Ledger, client: LedgerClient, seed: number) {
    [this.#ledger, this.#client, this.#random] = [ledger, client, seeded(seed)];
    ledger.histories.push(this.#history);
    this.#email = `ledger-${seed}-${crypto.randomUUID()}@example.test`;
  }

  async live(running: () => boolean, pauseMs: number): Promise<void> {
    while (running()) {
      if (!this.#registered) await this.#register();
      else await this.#act(this.#random());
      if (pauseMs > 0) await Bun.sleep(pauseMs);
    }
  }

  /** Presents every revoked token again: verifiers must refuse the token at the latest after the bound. */
  async presentRevoked(): Promise<void> {
    for (const { id, accessToken } of this.#revoked) {
      await this.#client.expectEnd(id, "a verifier", REFUSED_BY_VERIFIERS_MS, async () =>
        (await this.#client.verify(accessToken)).includes("accepted"),
      );
    }
  }

  #act(chance: number): Promise<void> {
    const session = this.#live[Math.floor(this.#random() * this.#live.length)];
    if (!session || chance < 0.15) return this.#signIn();
    if (performance.now() - session.issuedAt > REFRESH_AFTER_MS) return this.#refresh(session);
    if (chance < 0.5) return this.#look(session);
    if (chance < 0.65) return this.#lookAtRevoked();
    if (chance < 0.88) return this.#refresh(session);
    return this.#live.length > 1 ? this.#revoke(session) : this.#look(session);
  }

  async #register(): Promise<void> {
    const body = { organization_name: "Ledger", email: this.#email, password: PASSWORD };
    const response = await this.#client.send("POST", "/v1/auth/register", { body });
    // After a registration with an unknown outcome, a sign-in reveals the outcome; a second registration would
    // conflict.
    this.#registered = response?.status === 201 || response?.status === 409;
    if (response?.status !== 201) return;
    this.#ledger.users.push(response.body.user.user_id);
    this.#hold(response.body, "auth.register");
  }

  async #signIn(): Promise<void> {
    const body = { email: this.#email, password: PASSWORD };
    const response = await this.#client.send("POST", "/v1/auth/login", { body });
    if (response?.status === 200) this.#hold(response.body, "auth.login");
  }

  async #look({ accessToken, id }: HeldSession): Promise<void> {
    const response = await this.#client.send("GET", "/v1/auth/session", { bearer: accessToken });
    if (response?.status === 401) this.#ledger.violations.push(`live session ${id} was refused`);
    for (const code of await this.#client.verify(accessToken))
      if (code !== "accepted" && code !== "cannot_tell")
        this.#ledger.violations.push(`live session ${id} was refused by a verifier: ${code}`);
  }

  async #lookAtRevoked(): Promise<void> {
    const session = this.#revoked[Math.floor(this.#random() * this.#revoked.length)];
    const elapsed = session && this.#ledger.revocations.get(session.id);
    if (!session || !elapsed || elapsed() < REVOKED_EVERYWHERE_MS) return;
    const response = await this.#client.send("GET", "/v1/auth/session", { bearer: session.accessToken });
    if (response?.status === 200) this.#ledger.violations.push(`revoked session ${session.id} was let in`);
    if (elapsed() < REFUSED_BY_VERIFIERS_MS) return;
    if ((await this.#client.verify(session.accessToken)).includes("accepted"))
      this.#ledger.violations.push(`revoked session ${session.id} was let in by a verifier`);
  }

  async #refresh(session: HeldSession): Promise<void> {
    const headers = { cookie: `service_rt=${session.refreshToken}` };
    const response = await this.#client.send("POST", "/v1/auth/refresh", { headers });
    if (response?.status === 200) {
      session.accessToken = response.body.access_token;
      session.issuedAt = performance.now();
      session.refreshToken = this.#client.refreshToken;
    } else if (response?.status === 401) {
      this.#ledger.violations.push(`refresh of live session ${session.id} was refused`);
      this.#drop(session);
      // The outcome is unknown, so the session is dropped: a second presentation of the refresh token would look like
      // theft.
    } else this.#drop(session);
  }

  async #revoke(session: HeldSession): Promise<void> {
    this.#drop(session);
    const bearer = session.accessToken;
    const response = await this.#client.send("DELETE", `/v1/auth/sessions/${session.id}`, { bearer });
    if (response?.status !== 204) return;
    this.#ledger.revocations.set(session.id, stopwatch());
    this.#history.push(`auth.session.revoked:${session.id}`);
    this.#revoked.push(session);
  }

  #hold(body: SignedIn, action: string): void {
    const session = this.#client.hold(body);
    this.#history.push(`${action}:${session.id}`);
    this.#live.push(session);
  }

  #drop(session: HeldSession): void {
    const index = this.#live.indexOf(session);
    if (index !== -1) this.#live.splice(index, 1);
  }
}

/** Mulberry32, a small seeded generator that is sufficient for random choices. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
