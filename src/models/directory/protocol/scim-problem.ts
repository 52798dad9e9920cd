/** Problems of SCIM requests (RFC 7644, section 3.12; RFC 9865, section 2.1 for cursors). */
import type { Result } from "../../../base/result.ts";

export type ScimType =
  | "expiredCursor"
  | "invalidCursor"
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "uniqueness";

export type ScimStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 501 | 503;

export interface ScimProblem {
  readonly status: ScimStatus;
  readonly scimType?: ScimType;
  /** A sentence without values of a record. */
  readonly detail: string;
  /** The change would leave the organization without an owner or without emergency access: owners receive a mail. */
  readonly protectsUser?: true;
  /** The path names no endpoint: the base URL of the client is wrong. */
  readonly unknownPath?: true;
  /** Whole seconds until a retry can succeed; with 429 and 503. */
  readonly retryAfterSeconds?: number;
}

export type ScimResult<T> = Result<T, ScimProblem>;
export interface ScimRefusal {
  readonly ok: false;
  readonly error: ScimProblem;
}

export function scimProblem(status: ScimStatus, detail: string): ScimRefusal {
  return { ok: false, error: { status, detail } };
}

/** A problem with status 400, except `uniqueness` with status 409. */
export function scimError(scimType: ScimType, detail: string): ScimRefusal {
  return { ok: false, error: { status: scimType === "uniqueness" ? 409 : 400, scimType, detail } };
}

/** The problem of a change to the last owner or to a user of emergency access. */
export function protectedUser(detail: string): ScimRefusal {
  return { ok: false, error: { status: 400, scimType: "mutability", detail, protectsUser: true } };
}

/** A problem that a later retry avoids. */
export function scimRetry(status: 429 | 503, detail: string, retryAfterSeconds: number): ScimRefusal {
  return { ok: false, error: { status, detail, retryAfterSeconds } };
}
