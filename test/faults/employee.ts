/** A user with deactivations and activations by a directory during faults (G173). */
import type postgres from "postgres";
import { PASSWORD } from "../support/client.ts";
import { directoryOf, insertVerifiedDomain, signInAs, userBody } from "../support/directories.ts";
import { stopwatch } from "../support/waiting.ts";
import {
  type Book,
  type HeldSession,
  type LedgerClient,
  REFUSED_BY_VERIFIERS_MS,
  REVOKED_EVERYWHERE_MS,
} from "./ledger-client.ts";

/** A user of a directory with a password. */
export interface ProvisionedUser {
  readonly organizationId: string;
  readonly email: string;
  /** The key of the directory, and the record of the user. */
  readonly key: string;
  readonly record: string;
}

/** Creates an organization with a directory, and provisions a user. */
export async function provisionUser(url: string, sql: postgres.Sql): Promise<ProvisionedUser> {
  const at = { one: { url }, sql };
  const directory = await directoryOf(at);
  const { organizationId, domain, key } = directory;
  await insertVerifiedDomain(at, organizationId, domain);
  const email = directory.address("employee");
  const { status, body } = await directory.scim("POST", "/Users", userBody(email));
  if (status !== 201) throw new Error(`provisioning returned ${status}`);
  await signInAs(at, directory, email);
  return { organizationId, email, key, record: `/v1/scim/v2/Users/${body.id}` };
}

const LOOK_TIMEOUT_MS = 3_000;
/** Longer than `DRAIN_QUIET_MS`: looks past the proxy must not keep a replica from stopping. */
const LOOK_EVERY_MS = 500;

export class Employee {
  readonly #book: Book;
  readonly #client: LedgerClient;
  readonly #user: ProvisionedUser;
  readonly #replicas: readonly string[];
  /** The sessions ended by acknowledged deactivations, the newest last. */
  readonly #ended: HeldSession[] = [];
  #lookedAt = performance.now();

  constructor(book: Book, client: LedgerClient, user: ProvisionedUser, replicas: readonly string[]) {
    [this.#book, this.#client, this.#user, this.#replicas] = [book, client, user, replicas];
  }

  async live(running: () => boolean, pauseMs: number): Promise<void> {
    while (running()) {
      await this.#become(true, running);
      const session = await this.#signIn();
      const isAccepted = session !== undefined && (await this.#look(session))?.status === 200;
      if ((await this.#become(false, running)) && session) this.#end(session, isAccepted);
      await this.#lookAtEnded();
      if (pauseMs > 0) await Bun.sleep(pauseMs);
    }
  }

  /** Presents every ended session again: to the verifiers, to each replica, and for a refresh. */
  async presentRevoked(): Promise<void> {
    for (const { id, accessToken, refreshToken } of this.#ended) {
      for (const url of this.#replicas)
        await this.#client.expectEnd(id, url, REVOKED_EVERYWHERE_MS, () => isAcceptedAt(url, accessToken));
      await this.#client.expectEnd(id, "a verifier", REFUSED_BY_VERIFIERS_MS, async () =>
        (await this.#client.verify(accessToken)).includes("accepted"),
      );
      const headers = { cookie: `service_rt=${refreshToken}` };
      const refreshed = await this.#client.send("POST", "/v1/auth/refresh", { headers });
      if (refreshed?.status === 200) this.#book.violations.push(`session ${id} of a deactivated user was refreshed`);
    }
  }

  /** Repeats the request until an acknowledgement, as directories do; false: the load ended before. */
  async #become(active: boolean, running: () => boolean): Promise<boolean> {
    const body = { Operations: [{ op: "Replace", path: "active", value: active }] };
    while (running()) {
      const response = await this.#client.send("PATCH", this.#user.record, { bearer: this.#user.key, body });
      if (response?.status === 200) return true;
    }
    return false;
  }

  async #signIn(): Promise<HeldSession | undefined> {
    const { email, organizationId } = this.#user;
    const body = { email, password: PASSWORD, organization_id: organizationId };
    const response = await this.#client.send("POST", "/v1/auth/login", { body });
    return response?.status === 200 ? this.#client.hold(response.body) : undefined;
  }

  #look({ accessToken }: HeldSession) {
    return this.#client.send("GET", "/v1/auth/session", { bearer: accessToken });
  }

  #end(session: HeldSession, isAccepted: boolean): void {
    this.#book.revocations.set(session.id, stopwatch());
    this.#ended.push(session);
    if (isAccepted) this.#book.deactivated += 1;
  }

  /** Presents the newest sessions whose ends must hold at every replica and verifier, once in a while. */
  async #lookAtEnded(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = performance.now();
    const [everywhere, atVerifiers] = [REVOKED_EVERYWHERE_MS, REFUSED_BY_VERIFIERS_MS].map((age) => this.#newest(age));
    for (const url of this.#replicas) {
      if (everywhere && (await isAcceptedAt(url, everywhere.accessToken))) this.#report(everywhere, url);
    }
    if (atVerifiers && (await this.#client.verify(atVerifiers.accessToken)).includes("accepted"))
      this.#report(atVerifiers, "a verifier");
  }

  #newest(ageMs: number): HeldSession | undefined {
    return this.#ended.findLast(({ id }) => (this.#book.revocations.get(id)?.() ?? 0) >= ageMs);
  }

  #report({ id }: HeldSession, where: string): void {
    this.#book.violations.push(`session ${id} of a deactivated user was let in by ${where}`);
  }
}

/** A replica that does not respond accepts no session. The ledger counts no request to a replica without the proxy. */
async function isAcceptedAt(url: string, accessToken: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/auth/session`, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
  }).catch(() => undefined);
  return response?.status === 200;
}
