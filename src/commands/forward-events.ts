/** Forwards events to a receiver on this machine, signed as deliveries are (docs/contract.md, section 26.4). */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock, unixSeconds } from "../base/clock.ts";
import { WEBHOOK_LISTEN_DEADLINE_MS, WEBHOOK_LISTEN_LOOK_MS } from "../limits/machine-limits.ts";
import { type WebhookSigner, webhookHeaders } from "../models/webhook/webhook-signature.ts";

export interface ForwardedEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: string;
}

/** One page after a cursor; undefined: from now. A `RefusedReading` is final; any other error is tried again. */
export type EventReading = (
  after: string | undefined,
) => Promise<{ readonly events: readonly ForwardedEvent[]; readonly cursor: string }>;

export interface Forwarding {
  readonly target: URL;
  readonly secret: string;
  readonly signer: WebhookSigner | undefined;
  readonly read: EventReading;
  /** Ends after so many events. */
  readonly count: number;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** The service refuses the key or the webhook: a repetition would be refused too. */
export class RefusedReading extends Error {}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const PORT_ALONE = /^\d{1,5}$/;

/** `4000`, `localhost:4000/path` or a URL of this machine; undefined for anything else. */
export function localTarget(text: string): URL | undefined {
  const address = PORT_ALONE.test(text) ? `localhost:${text}` : text;
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`;
  if (!URL.canParse(url)) return undefined;
  const target = new URL(url);
  return LOOPBACK.has(target.hostname) ? target : undefined;
}

/** Forwards one event at a time, in order. Returns the exit code. */
export async function forwardEvents(forwarding: Forwarding): Promise<number> {
  const { target, secret, count, signal, print } = forwarding;
  print(`Forwarding to ${target.href}`);
  print(`Signing secret: ${secret}`);
  let [cursor, forwarded]: [string | undefined, number] = [undefined, 0];
  while (!signal.aborted && forwarded < count) {
    const page = await readPage(forwarding, cursor);
    if (page === "refused") return 1;
    if (cursor === undefined && page) print("Ready.");
    for (const event of page?.events ?? []) {
      if (signal.aborted || forwarded === count) break;
      print(await forward(forwarding, event));
      forwarded += 1;
    }
    cursor = page?.cursor ?? cursor;
    if (!page?.events.length) await sleep(WEBHOOK_LISTEN_LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return 0;
}

async function readPage({ read, print }: Forwarding, cursor: string | undefined) {
  try {
    return await read(cursor);
  } catch (error) {
    print(error instanceof Error ? error.message : "the events cannot be read");
    return error instanceof RefusedReading ? "refused" : undefined;
  }
}

/** Returns the line of one delivery: the event, and the response or why there was none. */
async function forward(forwarding: Forwarding, { eventId, eventType, payload }: ForwardedEvent): Promise<string> {
  const { target, secret, signer } = forwarding;
  const startedAt = systemClock.monotonic();
  const message = { id: eventId, timestamp: unixSeconds(systemClock.now()), body: payload };
  const headers = { "content-type": "application/json", ...webhookHeaders(signer, [secret], message) };
  const outcome = await post(target, headers, payload);
  const elapsed = Math.round(systemClock.monotonic() - startedAt);
  return `${eventType} ${eventId} -> ${outcome} (${elapsed} ms)`;
}

async function post(target: URL, headers: Record<string, string>, body: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(WEBHOOK_LISTEN_DEADLINE_MS);
    const response = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return `no response: ${error instanceof Error ? error.message : "the request failed"}`;
  }
}
