/**
 * Operations that begin, refresh or end the session run in sequence, in all tabs of a page: of two crossing responses,
 * the later response would win, possibly with the session of the previous user.
 */
import { SESSIONS, SOCIAL_SIGN_IN } from "./generated/methods.gen.ts";

/** Waits for all earlier holders of the lock. Resolves to the function that releases the lock. */
export type SessionLock = () => Promise<() => void>;

/** `locks`: the lock manager of the browser, shared by all tabs under `name`. */
export function createSessionLock(locks: LockManager | undefined, name: string): SessionLock {
  let last: Promise<void> = Promise.resolve();
  return () =>
    new Promise((acquire) => {
      const hold = () => new Promise<void>(acquire);
      // A page without permission for locks continues without a lock.
      if (locks) locks.request(name, hold).catch(() => acquire(() => undefined));
      else last = last.then(hold);
    });
}

/** Whether the operation may begin or end a session. */
export function changesSession(operation: string): boolean {
  return (!isSafe(operation) && /^(?:none|optional) /.test(operation)) || operation === SESSIONS.revokeAll;
}

/** The callback of a social sign-in is a GET that consumes the state and the code. */
export function isSafe(operation: string): boolean {
  return operation.includes(" GET ") && operation !== SOCIAL_SIGN_IN.finish;
}
