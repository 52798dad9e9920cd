/** An SMTP server whose replies a test sets, and the comparison of accepted emails with acknowledged registrations. */

import type postgres from "postgres";
import { SMTPServer } from "smtp-server";
import { Client, PASSWORD } from "../support/client.ts";
import { until } from "../support/waiting.ts";

/** Replies about the configuration of the service, which an operator corrects: the login, the recipient. */
export const CONFIGURATION_REPLIES = [
  { at: "login", code: 535, text: "5.7.8 Authentication credentials invalid" },
  { at: "recipient", code: 530, text: "5.7.0 Authentication required" },
  { at: "recipient", code: 550, text: "5.7.1 Relaying denied" },
] as const;
export type ConfigurationReply = (typeof CONFIGURATION_REPLIES)[number];

export class FaultMailServer {
  /** The refusal of every login or recipient; undefined: every email is accepted. */
  #refusal: ConfigurationReply | undefined;
  /** The number of refusals since the last change of the reply. */
  #refused = 0;
  readonly #accepted = new Set<string>();
  /** The addresses of registrations that the service acknowledged. */
  readonly #expected = new Set<string>();
  readonly #server: SMTPServer;
  #port = 0;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onAuth: (_auth, _session, done) => done(this.#refuseAt("login"), { user: "app" }),
      onRcptTo: (_address, _session, done) => done(this.#refuseAt("recipient")),
      onData: (stream, { envelope }, done) => {
        stream.resume().on("end", () => {
          for (const { address } of envelope.rcptTo) this.#accepted.add(address);
          done();
        });
      },
    });
    this.#server.on("error", () => undefined);
  }

  static async start(): Promise<FaultMailServer> {
    const mail = new FaultMailServer();
    mail.#port = await new Promise<number>((listening) => {
      const bound = mail.#server.listen(0, "127.0.0.1", () => listening((bound.address() as { port: number }).port));
    });
    return mail;
  }

  /** Settings of a replica. */
  get settings(): Record<string, string> {
    return { SERVICE_SMTP_URL: `smtp://app:secret@127.0.0.1:${this.#port}` };
  }

  /** Sets the refusal from now on, also for open connections; undefined: every email is accepted again. */
  refuse(reply: ConfigurationReply | undefined): void {
    this.#refusal = reply;
    this.#refused = 0;
    for (const connection of this.#server.connections) connection.close();
  }

  /** Registers a user at `url`, whose email the server refuses. */
  async registerRefused(url: string): Promise<void> {
    const email = `mail-${crypto.randomUUID()}@example.test`;
    const body = { organization_name: "Mail", email, password: PASSWORD };
    const { status } = await new Client(url).post("/v1/auth/register", body);
    if (status !== 201) throw new Error(`the registration returned ${status}`);
    this.#expected.add(email);
    await until("the server refuses", async () => this.#refused > 0);
  }

  /** The acknowledged registrations without an email, after every waiting email was due again. */
  async missing(sql: postgres.Sql): Promise<string[]> {
    const isArrived = (email: string) => this.#accepted.has(email);
    await sql`update outbox set next_attempt_at = now() where not held`;
    await until("emails arrive", async () => {
      const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from outbox where not held`;
      return row?.waiting === 0 || [...this.#expected].every(isArrived);
    });
    return [...this.#expected].filter((email) => !isArrived(email)).map((email) => `email to ${email}`);
  }

  stop(): Promise<void> {
    return new Promise((closed) => this.#server.close(() => closed()));
  }

  #refuseAt(step: ConfigurationReply["at"]): Error | null {
    if (this.#refusal?.at !== step) return null;
    this.#refused += 1;
    return Object.assign(new Error(this.#refusal.text), { responseCode: this.#refusal.code });
  }
}
