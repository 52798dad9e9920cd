import { err, ok, type Result } from "../../base/result.ts";

/** Reasons of a refused response of an identity provider, in the order of the checks. */
export const OPENID_REASONS = [
  "discovery",
  "provider_error",
  "issuer",
  "token_request",
  "id_token",
  "nonce",
  "userinfo",
] as const;
export type OpenidReason = (typeof OPENID_REASONS)[number];

/** `cause` is for the log and contains no token, and no text of the identity provider. */
export interface OpenidFailure {
  readonly reason: OpenidReason;
  readonly cause: string;
  /** Whether no response came: the identity provider or the network is down. */
  readonly unreachable: boolean;
}

/** A call without a response. */
export class Unreachable extends Error {}

class Failed extends Error {
  readonly failure: OpenidFailure;
  constructor(failure: OpenidFailure) {
    super(failure.cause);
    this.failure = failure;
  }
}

/** Returns the failure of the step in which `work` ended. */
export async function resultOfSteps<T>(work: () => Promise<T>): Promise<Result<T, OpenidFailure>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof Failed) return err(error.failure);
    throw error;
  }
}

/** Runs one step: an exception of the library is a failure of this step, or of the step that `reasonOf` names. */
export async function step<T>(
  reason: OpenidReason,
  work: () => T | Promise<T>,
  reasonOf: (error: unknown) => OpenidReason = () => reason,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw new Failed({ reason: reasonOf(error), cause: causeOf(error), unreachable: error instanceof Unreachable });
  }
}

/** Messages of the libraries name members without values. Parsers of the runtime quote the text that they refuse. */
function causeOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof SyntaxError) return "a value is malformed";
  return error instanceof Error ? error.message : "unknown";
}
