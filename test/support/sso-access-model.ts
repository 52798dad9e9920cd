/**
 * The rule of access to an organization that requires single sign-on, written from the specification (docs/contract.md,
 * sections 29.46 to 29.49) and not from the code. Times are relative to the present, in milliseconds.
 */

export interface ModelPolicy {
  readonly mode: "off" | "optional" | "required";
  /** When the requirement begins. */
  readonly requiredInMs?: number;
  readonly guests: "own_methods" | "required";
  /** When the pause ends. */
  readonly pausedForMs?: number;
}

export const HOUR_MS = 3_600_000;

/** Every value of a policy that concerns access, by name. */
export const POLICIES = {
  off: { mode: "off", guests: "own_methods" },
  optional: { mode: "optional", guests: "required" },
  planned: { mode: "required", guests: "required", requiredInMs: HOUR_MS },
  required: { mode: "required", guests: "own_methods" },
  everyone: { mode: "required", guests: "required" },
  paused: { mode: "required", guests: "required", pausedForMs: HOUR_MS },
} as const satisfies Record<string, ModelPolicy>;

export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[];

export interface ModelPerson {
  /** Whether an address is in a verified domain of the organization. */
  readonly isInDomain: boolean;
  /** Whether the user is an owner with emergency access. */
  readonly isEmergency: boolean;
}

/** How a caller proved the identity. */
export interface ModelProof {
  /** The organization of the identity provider: the named organization, or another. */
  readonly boundTo?: "this" | "another";
  readonly aal: "aal1" | "aal2";
  readonly ageMs: number;
}

/** `unknown`: the organization does not exist for the caller. */
export type Verdict = "admitted" | "sso_required" | "unknown";

export function isInForce({ mode, requiredInMs = 0, pausedForMs = 0 }: ModelPolicy): boolean {
  return mode === "required" && requiredInMs <= 0 && pausedForMs <= 0;
}

export function isCovered({ isInDomain }: Pick<ModelPerson, "isInDomain">, policy: ModelPolicy): boolean {
  return isInDomain || policy.guests === "required";
}

/** Whether an organization with a policy admits a proof of a person. */
export function verdictOf(policy: ModelPolicy, person: ModelPerson, proof: ModelProof): Verdict {
  if (proof.boundTo !== undefined) return proof.boundTo === "this" ? "admitted" : "unknown";
  if (!isInForce(policy)) return "admitted";
  if (person.isEmergency) return proof.aal === "aal2" && proof.ageMs < HOUR_MS ? "admitted" : "sso_required";
  return isCovered(person, policy) ? "sso_required" : "admitted";
}
