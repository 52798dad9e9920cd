/** Journeys to the end, and single requests: pages, refused keys, emailed codes, password resets, audit trail. */
import { type Client, newEmail, registered } from "../support/client.ts";
import type { Journey } from "./journeys.ts";

type Work = (client: Client) => Promise<{ readonly status: number }>;

const documented = { documented: false } as const;

/** One request of each kind. A refusal is a result too: the soak looks for growth and for failures (5xx). */
const WORKS: Readonly<Record<string, Work>> = {
  "sign-in page": (client) => client.get("/sign-in", documented),
  "registration page": (client) => client.get("/register", documented),
  "account page": (client) => client.get("/account", documented),
  "security page": (client) => client.get("/account/security", documented),
  "team page": (client) => client.get("/team", documented),
  "emailed code": (client) => client.post("/v1/auth/email-otp/request", { email: newEmail() }, documented),
  "password reset": (client) => client.post("/v1/auth/password/forgot", { email: newEmail() }, documented),
  "passkey sign-in": (client) => client.post("/v1/auth/passkey/login/begin", {}, documented),
  "sign-in methods": (client) => client.post("/v1/auth/sso/discover", { email: newEmail() }, documented),
  "provider metadata": (client) => client.get("/.well-known/openid-configuration", documented),
  "authorization request": (client) => client.get("/oauth2/authorize?client_id=absent", documented),
  "token request": (client) => client.post("/oauth2/token", { grant_type: "client_credentials" }, documented),
  "SCIM without a key": (client) => client.get("/v1/scim/v2/Users", documented),
  sessions: (client) => client.get("/v1/auth/sessions", documented),
  profile: (client) => client.get("/v1/users/me", documented),
  "audit trail": (client) => client.get("/v1/audit-logs", documented),
};

export class MixedLoad {
  /** The number of requests by work and status. */
  readonly sent = new Map<string, number>();
  readonly failures: string[] = [];
  #running = true;
  #loop: Promise<void> | undefined;

  start(url: string, pauseMs: number, journeys: Readonly<Record<string, Journey>>): void {
    this.#loop = this.#run(url, pauseMs, journeys);
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#loop;
  }

  async #run(url: string, pauseMs: number, journeys: Readonly<Record<string, Journey>>): Promise<void> {
    while (this.#running) {
      for (const [name, journey] of Object.entries(journeys)) await this.#complete(name, journey);
      const client = await registered(url).then(
        (person) => person.client,
        () => undefined,
      );
      if (client) for (const [name, work] of Object.entries(WORKS)) await this.#send(name, () => work(client), pauseMs);
      await Bun.sleep(pauseMs);
    }
  }

  async #complete(name: string, journey: Journey): Promise<void> {
    if (!this.#running) return;
    const problem = await journey().then(
      () => undefined,
      (error) => String(error),
    );
    const key = `${name}, whole: ${problem === undefined ? "ok" : "failed"}`;
    this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    if (problem !== undefined) this.failures.push(`${name}: ${problem.slice(0, 300)}`);
  }

  async #send(name: string, work: () => ReturnType<Work>, pauseMs: number): Promise<void> {
    if (!this.#running) return;
    const status = await work().then(
      (response) => response.status,
      () => 0,
    );
    const key = `${name} ${status}`;
    this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    if (status >= 500 || status === 0) this.failures.push(`${name}: ${status || "no response"}`);
    await Bun.sleep(pauseMs);
  }
}
