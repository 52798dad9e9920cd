import type { SamlReason, SamlRefusal } from "../../src/pool/saml-protocol.ts";

/** Ends the checks of a message. The first problem decides. */
export class SamlProblem extends Error {
  readonly refusal: SamlRefusal;

  constructor(reason: SamlReason, statusCode?: string) {
    super(reason);
    this.refusal = { ok: false, kind: "response", reason, ...(statusCode === undefined ? {} : { statusCode }) };
  }
}

/** Throws the problem with a reason unless the condition holds. */
export function require(condition: boolean, reason: SamlReason): asserts condition {
  if (!condition) throw new SamlProblem(reason);
}
