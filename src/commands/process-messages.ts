/**
 * The messages between a supervisor and its processes, on the IPC channel. A side has at most one pending request per
 * direction, so requests need no numbers and requests to a stuck process do not accumulate.
 */

/** `started`: the process serves requests and can be asked. */
export type ToSupervisor =
  | { readonly type: "started" }
  | { readonly type: "all_metrics_requested" }
  /** Without text if the process failed to collect metrics. */
  | { readonly type: "metrics"; readonly text?: string };

export type ToProcess =
  | { readonly type: "metrics_requested" }
  /** Without text if the metrics could not be joined. */
  | { readonly type: "all_metrics"; readonly text?: string };

/** A pending response. */
export interface Pending<T> {
  readonly response: Promise<T>;
  settle(value: T): void;
}

export function pending<T>(): Pending<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { response: promise, settle: resolve };
}

/** Resolves with the fallback if the work takes longer. */
export async function within<T, U>(milliseconds: number, work: Promise<T>, fallback: U): Promise<T | U> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(fallback), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
