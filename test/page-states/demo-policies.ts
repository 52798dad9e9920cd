/** Policies of the demo organization: settings in force, and settings that wait for their start. */
import type { Client } from "../support/client.ts";

const DAY_MS = 24 * 3600 * 1000;

export async function fillPolicies(owner: { readonly client: Client; readonly organizationId: string }): Promise<void> {
  const path = `/v1/orgs/${owner.organizationId}/policies`;
  const inForce = { session_max_hours: 720, third_party_clients: "any", password_min_length: 14, domain_join: "ask" };
  const next = { ...inForce, mfa: "required", mfa_grace_days: 14 };
  const policies_at = new Date(Date.now() + 12 * DAY_MS).toISOString();
  for (const policies of [inForce, { ...next, policies_at }]) {
    const { status, text } = await owner.client.put(path, policies);
    if (status !== 200) throw new Error(`the demo expected policies, got ${status}: ${text}`);
  }
}
