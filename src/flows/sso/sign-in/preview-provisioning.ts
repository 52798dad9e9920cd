import type { SsoDeps } from "./connection.ts";
import {
  decideProvisioning,
  type Joining,
  type ProvisioningReason,
  roleOfMember,
  roleOfNewMember,
} from "./decide-provisioning.ts";
import { withoutOvertaking } from "./provision.ts";
import { readProvisioningContext, type StoredContext } from "./provisioning-context.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/** What a sign-in of the identity would do. */
export interface ProvisioningEffect {
  readonly outcome: "sign_in" | "link" | "create" | "refused";
  /** How the user would become a member; null: is a member, or is refused. */
  readonly joining: "jit" | "invitation" | null;
  readonly reason: ProvisioningReason | null;
  readonly role: string | null;
}

export interface ProvisioningPreview {
  readonly inDomain: boolean;
  readonly effect: ProvisioningEffect;
}

/** Decides about an identity as a sign-in would, and changes nothing. */
export async function previewProvisioning(deps: SsoDeps, input: ProvisioningInput): Promise<ProvisioningPreview> {
  return await withoutOvertaking(() =>
    deps.database.transaction("sso.preview", async (sql) => {
      const context = await readProvisioningContext(deps, sql, input);
      return { inDomain: context.inDomain, effect: effectOf(context, input) };
    }),
  );
}

function effectOf(context: StoredContext, { asserted }: ProvisioningInput): ProvisioningEffect {
  const decision = decideProvisioning(context);
  if (!decision.ok) return { outcome: "refused", joining: null, reason: decision.error, role: null };
  const { value } = decision;
  const links = value.kind === "sign_in" && value.links;
  const outcome = value.kind === "create" ? "create" : links ? "link" : "sign_in";
  const joining = value.joining?.by ?? null;
  return { outcome, joining, reason: null, role: roleOf(context, value.joining, asserted) };
}

function roleOf(
  { policy, isProvisioned, identity, userOfAddress, channelPower }: StoredContext,
  joining: Joining | undefined,
  asserted: ProvisioningInput["asserted"],
): string | null {
  if (joining?.by === "jit") return roleOfNewMember(policy, asserted, channelPower);
  const role = joining ? joining.invitation.role : (identity?.user ?? userOfAddress)?.role;
  return role ? roleOfMember(policy, asserted, { role, isProvisioned }, channelPower) : null;
}
