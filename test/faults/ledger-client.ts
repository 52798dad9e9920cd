/** A client of the fault suite, whose requests a ledger counts, and the verifiers of foreign APIs. */
import type { Verifier } from "../../clients/js/src/verifier.ts";
import { Client } from "../support/client.ts";

/** A time-out or a broken connection is `unknown`: the service may or may not have executed the request. */
export type Outcome = "ok" | "refused" | "failed" | "unknown";

export interface HeldSession {
  readonly id: string;
  accessToken: string;
  /** The time of the access token, by `performance.now()`. */
  issuedAt: number;
  refreshToken: string;
}

/** The response to a registration or a sign-in. */
export interface SignedIn {
  readonly user: { readonly session_family_id: string };
  readonly access_token: string;
}

/** The part of a ledger that every client writes. */
export interface Book {
  readonly sessions: string[];
  /** The age of the acknowledged revocation by session. */
  readonly revocations: Map<string, () => number>;
  /** The results of verifiers for tokens with a known state. */
  readonly verified: { accepted: number; refused: number; cannotTell: number };
  /** The accepted sessions that acknowledged deactivations by a directory ended. */
  deactivated: number;
  readonly violations: string[];
  slowestMs: number;
  count(request: string, status: number | undefined, code: unknown, sentAt: number): void;
}

/** An acknowledged revocation must hold at every replica after this time (G8). */
export const REVOKED_EVERYWHERE_MS = 1_000;
/** An acknowledged revocation must hold at every verifier that follows the feed after this time (G44). */
export const REFUSED_BY_VERIFIERS_MS = 2_000;
/** The time that a client waits; longer than any deadline of the service. */
const PATIENCE_MS = 15_000;

export class LedgerClient {
  readonly #book: Book;
  readonly #client: Client;
  readonly #verifiers: readonly Verifier[];

  constructor(book: Book, url: string, verifiers: readonly Verifier[]) {
    [this.#book, this.#client, this.#verifiers] = [book, new Client(url), verifiers];
  }

  /** The refresh token of the last response with a token. */
  get refreshToken(): string {
    return this.#client.cookie("service_rt") ?? "";
  }

  /** Records the session of an acknowledged sign-in. */
  hold(body: SignedIn): HeldSession {
    const id = body.user.session_family_id;
    this.#book.sessions.push(id);
    const tokens = { accessToken: body.access_token, refreshToken: this.refreshToken };
    return { id, ...tokens, issuedAt: performance.now() };
  }

  /** `undefined`: the outcome is unknown. */
  async send(method: string, path: string, options: Parameters<Client["request"]>[2]) {
    const startedAt = performance.now();
    // Each request carries an explicit credential; the cookies of the jar are only for inspection.
    const request = this.#client.request(method, path, {
      ...options,
      headers: { cookie: "", ...options?.headers },
      csrf: false,
      // HAProxy's own 503 is neither a response of the service nor an unknown outcome.
      documented: false,
    });
    const response = await Promise.race([request.catch(() => undefined), Bun.sleep(PATIENCE_MS)]);
    this.#book.slowestMs = Math.max(this.#book.slowestMs, performance.now() - startedAt);
    this.#book.count(`${method} ${path}`, response?.status, response?.body?.code, startedAt);
    if (performance.now() - startedAt >= PATIENCE_MS) this.#book.violations.push(`${method} ${path} hung`);
    if (outcomeOf(response?.status) !== "ok") await Bun.sleep(10);
    return response ?? undefined;
  }

  /**
   * Returns the code of each verifier. A verifier without the feed returns `cannot_tell`, which is neither acceptance
   * nor refusal.
   */
  async verify(accessToken: string): Promise<string[]> {
    const { verified } = this.#book;
    const verifications = await Promise.all(this.#verifiers.map((verifier) => verifier.verify(accessToken)));
    return verifications.map((verification) => {
      const code = verification.ok ? "accepted" : verification.refusal.code;
      if (code === "accepted") verified.accepted += 1;
      else if (code === "cannot_tell") verified.cannotTell += 1;
      else verified.refused += 1;
      return code;
    });
  }

  /** A revoked session must be refused at the latest after the bound. */
  async expectEnd(id: string, where: string, boundMs: number, isAccepted: () => Promise<boolean>): Promise<void> {
    const elapsed = this.#book.revocations.get(id) ?? (() => 0);
    for (;;) {
      const isDue = elapsed() >= boundMs;
      if (!(await isAccepted())) return;
      if (isDue) {
        this.#book.violations.push(`revoked session ${id} was let in by ${where} at the end`);
        return;
      }
      await Bun.sleep(20);
    }
  }
}

export function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined) return "unknown";
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "ok";
}
