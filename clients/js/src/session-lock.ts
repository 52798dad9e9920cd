/**
 * What begins, refreshes or ends the session is done one after the other, in all tabs of a page: of two answers that
 * cross, the later one would win, and be that of the user who was there before.
 */
import { METHODS } from "./generated/methods.gen.ts";

/** Waits for the turns that were taken before. Resolves to what ends this one. */
export type SessionLock = () => Promise<() => void>;

/** `locks`: those of the browser, which all tabs share under the name. */
export function turns(locks: LockManager | undefined, name: string): SessionLock {
  let last: Promise<void> = Promise.resolve();
  return () =>
    new Promise((begin) => {
      const turn = () => new Promise<void>(begin);
      // A page that may not use locks goes on without.
      if (locks) locks.request(name, turn).catch(() => begin(() => undefined));
      else last = last.then(turn);
    });
}

/** What may begin a session or end it. */
export function changesSession(operation: string): boolean {
  return (!isSafe(operation) && /^(?:none|optional) /.test(operation)) || operation === METHODS.sessions.revokeAll;
}

/** The callback of a social sign-in is a GET that uses up its state and code. */
export function isSafe(operation: string): boolean {
  return operation.includes(" GET ") && operation !== METHODS.socialSignIn.finish;
}
