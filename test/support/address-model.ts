/** The rules of the addresses of one user, in memory: the reference of `addresses.model.test.ts`. */
import { DAY_MS } from "./accounts.ts";

const REQUEST_MS = DAY_MS;
const UNDO_MS = 7 * DAY_MS;

/** A mailbox by number. */
type Mailbox = number;

export interface ModelRequest {
  readonly kind: "change" | "add" | "switch";
  readonly email: Mailbox;
  readonly previous: Mailbox;
  readonly requestedAt: number;
  isConfirmed: boolean;
  hasLink: boolean;
  hasUndo: boolean;
  expiresAt: number;
}

export class AddressModel {
  primary: Mailbox = 0;
  /** Own addresses with the time of the verification; undefined: the address awaits confirmation. */
  readonly own = new Map<Mailbox, number | undefined>([[0, 0]]);
  readonly requests: ModelRequest[] = [];
  readonly #reservedUntil = new Map<Mailbox, number>();
  /** Addresses of another user. */
  readonly #foreign: Set<Mailbox>;

  constructor(foreign: readonly Mailbox[]) {
    this.#foreign = new Set(foreign);
  }

  /** Mailbox, verified, primary. */
  list(): [Mailbox, boolean, boolean][] {
    return [...this.own].map(([mailbox, verifiedAt]) => [mailbox, verifiedAt !== undefined, mailbox === this.primary]);
  }

  isForeign(mailbox: Mailbox): boolean {
    return this.#foreign.has(mailbox);
  }

  isVerified(mailbox: Mailbox): boolean {
    return this.own.get(mailbox) !== undefined;
  }

  /** Whether the other user gets the address. */
  takeByOther(mailbox: Mailbox, at: number): boolean {
    const isReserved = (this.#reservedUntil.get(mailbox) ?? 0) > at;
    if (this.isVerified(mailbox) || isReserved || this.isForeign(mailbox)) return false;
    this.#foreign.add(mailbox);
    return true;
  }

  request(kind: "change" | "add", email: Mailbox, at: number): boolean {
    if (this.isVerified(email)) return false;
    this.#voidReplaced(kind, email);
    if (kind === "add") this.own.set(email, undefined);
    this.#push({ kind, email, isConfirmed: false, hasLink: true, hasUndo: true }, at, REQUEST_MS);
    return true;
  }

  confirm(index: number, at: number): boolean {
    const request = this.requests[index];
    if (!request?.hasLink || request.expiresAt <= at || this.isForeign(request.email)) return false;
    if (request.kind === "add") {
      if (!this.own.has(request.email) || this.isVerified(request.email)) return false;
      this.own.set(request.email, at);
    } else {
      const former = this.primary;
      if (!this.isVerified(request.email)) this.own.set(request.email, at);
      this.#makePrimary(request.email);
      this.#release(former, at);
      this.#endUndoAfterReturn(request.email, at);
    }
    Object.assign(request, { isConfirmed: true, hasLink: false, expiresAt: at + UNDO_MS });
    const reservedUntil = this.#reservedUntil.get(request.previous);
    if (reservedUntil) this.#reservedUntil.set(request.previous, Math.max(reservedUntil, at + UNDO_MS));
    return true;
  }

  switchTo(email: Mailbox, at: number): boolean {
    if (!this.isVerified(email)) return false;
    if (email === this.primary) return true;
    const hasUndo = !this.#endUndoAfterReturn(email, at);
    this.#voidReplaced("change", email);
    this.#push({ kind: "switch", email, isConfirmed: true, hasLink: false, hasUndo }, at, UNDO_MS);
    this.#makePrimary(email);
    return true;
  }

  remove(email: Mailbox, at: number): boolean {
    if (email === this.primary) return false;
    for (const request of this.requests) {
      if (request.email === email && !request.isConfirmed) request.hasLink = false;
    }
    if (this.isVerified(email)) this.#release(email, at);
    else this.own.delete(email);
    return true;
  }

  undo(index: number, at: number): boolean {
    const request = this.requests[index];
    if (!request?.hasUndo || request.expiresAt <= at) return false;
    const since = this.requests.slice(index);
    if (since.some(({ isConfirmed }) => isConfirmed)) this.#revert(request, at);
    else if (request.email !== this.primary) this.own.delete(request.email);
    for (const each of since) Object.assign(each, { hasLink: false, hasUndo: false });
    return true;
  }

  /** The first request that the mailbox can undo. */
  firstUndoableBy(mailbox: Mailbox, at: number): number {
    return this.requests.findIndex(
      ({ previous, hasUndo, expiresAt }) => previous === mailbox && hasUndo && expiresAt > at,
    );
  }

  #revert({ email, previous, requestedAt }: ModelRequest, at: number): void {
    if (!this.isVerified(previous)) this.own.set(previous, at);
    if (this.primary !== previous) this.#makePrimary(previous);
    this.own.delete(email === previous ? -1 : email);
    for (const [mailbox, verifiedAt] of this.own) {
      const isRecent = verifiedAt === undefined || verifiedAt >= requestedAt;
      if (mailbox !== this.primary && isRecent) this.own.delete(mailbox);
    }
  }

  #makePrimary(mailbox: Mailbox): void {
    this.primary = mailbox;
    this.#reservedUntil.delete(mailbox);
  }

  #release(mailbox: Mailbox, at: number): void {
    this.own.delete(mailbox);
    this.#reservedUntil.set(mailbox, at + UNDO_MS);
  }

  #endUndoAfterReturn(mailbox: Mailbox, at: number): boolean {
    const first = this.firstUndoableBy(mailbox, at);
    if (first < 0) return false;
    for (const request of this.requests.slice(first + 1)) {
      if (request.previous !== mailbox) request.hasUndo = false;
    }
    return true;
  }

  #voidReplaced(kind: "change" | "add", email: Mailbox): void {
    for (const request of this.requests) {
      const isReplaced = !request.isConfirmed && request.kind === kind;
      if (isReplaced && (kind === "change" || request.email === email)) request.hasLink = false;
    }
  }

  #push(request: Omit<ModelRequest, "previous" | "requestedAt" | "expiresAt">, at: number, lifetimeMs: number): void {
    this.requests.push({ ...request, previous: this.primary, requestedAt: at, expiresAt: at + lifetimeMs });
  }
}
