import type { Acr } from "./resource-token.ts";

/** What an API demands of a token for one operation. */
export interface ResourceRequirements {
  /** All scopes of the operation: a refusal names all in one challenge. */
  readonly scopes?: readonly string[];
  /** The least assurance of the sign-in; `phr` only where the API is registered with `min_acr: phr`. */
  readonly acr?: Acr;
  /** The longest time since the sign-in (s). */
  readonly maxAge?: number;
}
