import type { Client } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { codeOf, enrolled } from "./mfa.ts";

export const accountsOf = (organizationId: string) => `/v1/orgs/${organizationId}/service-accounts`;

/** Creates the owner of an organization with a second factor that has just been presented. */
export async function steppedUpOwner(at: Pick<Deployment, "one" | "sql">) {
  const person = await enrolled(at);
  const shown = await person.client.post("/v1/auth/mfa/verify", { code: codeOf(person.secret) });
  if (shown.status !== 200) throw new Error(`step-up returned ${shown.status}: ${shown.text}`);
  return person;
}

export interface MadeKey {
  /** The id of the service account. */
  readonly accountId: string;
  readonly id: string;
  readonly key: string;
}

/** Creates a service account below `path` and a key; the creating user has stepped up. */
export async function keyOf(client: Client, path: string, scopes: readonly string[], fields = {}): Promise<MadeKey> {
  const account = await client.post(path, { name: "Nightly export" });
  if (account.status !== 201) throw new Error(`the account returned ${account.status}: ${account.text}`);
  const created = await client.post(`${path}/${account.body.id}/keys`, { scopes, ...fields });
  if (created.status !== 201) throw new Error(`the key returned ${created.status}: ${created.text}`);
  return { accountId: account.body.id, id: created.body.id, key: created.body.key };
}
