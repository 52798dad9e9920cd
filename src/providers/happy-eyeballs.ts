/** Connections to hosts with several addresses (Happy Eyeballs, RFC 8305). */
import ipaddr from "ipaddr.js";

/** "Connection Attempt Delay" (RFC 8305, section 5). */
const CONNECTION_ATTEMPT_DELAY_MS = 250;

/** Alternates the families, IPv6 first (RFC 8305, section 4), every family in the given order. */
export function orderAddresses(addresses: readonly string[]): readonly string[] {
  const isIpv6 = (address: string) => ipaddr.parse(address).kind() === "ipv6";
  const six = addresses.filter(isIpv6);
  const four = addresses.filter((address) => !isIpv6(address));
  return Array.from({ length: Math.max(six.length, four.length) }, (_, index) => [six[index], four[index]])
    .flat()
    .filter((address) => address !== undefined);
}

/**
 * Tries the addresses in order: the next attempt begins when an attempt fails, or after the delay. Resolves to the
 * first success and aborts the remaining attempts. Rejects with the last failure when all have failed, or when `signal`
 * aborts.
 */
export async function connectFirst<T>(
  addresses: readonly string[],
  attempt: (address: string, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  delayMs = CONNECTION_ATTEMPT_DELAY_MS,
): Promise<T> {
  const ended = new AbortController();
  const waiting = [...addresses];
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let inProgress = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function next(): void {
    clearTimeout(timer);
    const address = waiting.shift();
    if (address === undefined || ended.signal.aborted) return;
    inProgress += 1;
    attempt(address, ended.signal).then(resolve, (error) => {
      inProgress -= 1;
      if (waiting.length > 0) next();
      else if (inProgress === 0) reject(error);
    });
    timer = setTimeout(next, delayMs);
  }

  const abort = () => reject(new Error("the connection attempt was aborted"));
  signal.addEventListener("abort", abort, { once: true });
  next();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    ended.abort();
  }
}
