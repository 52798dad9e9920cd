import { randomBytes, randomUUID } from "node:crypto";
import { authorizeDirectory, type DirectoryCaller } from "../../src/flows/directories/directory-caller.ts";
import { findLiveKey } from "../../src/models/service-account/api-key.ts";
import { clientAt, HOUR_MS, registerAccount } from "./accounts.ts";
import type { Flows } from "./flows.ts";

/** An organization with a verified domain, a directory and a key; `callerOf` is the key in a request. */
export async function flowDirectory(flows: Flows) {
  const { organizationId } = await registerAccount(flows);
  const [id, account, key, now] = [randomUUID(), randomUUID(), randomUUID(), new Date(flows.clock.now())];
  const domain = `together-${id.slice(0, 8)}.test`;
  await flows.sql`
    insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
    values (${randomUUID()}, ${organizationId}, ${domain}, 'token', 'verified', ${now}, ${now})`;
  await flows.sql`
    insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                             created_at, updated_at)
    values (${id}, ${organizationId}, 'active', 'member', 'invite', 'groups', 1, ${now}, ${now})`;
  await flows.sql`
    insert into service_accounts (id, organization_id, name, created_at)
    values (${account}, ${organizationId}, 'Entra ID', ${now})`;
  await flows.sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers, expires_at,
                          created_at)
    values (${key}, ${account}, 'abcdefgh', ${randomBytes(32)}, '{scim.write}', '{}', '{}',
            ${new Date(now.getTime() + HOUR_MS)}, ${now})`;
  await flows.deps.domainDirectory.changedRow(organizationId);
  const callerOf = async (traceparent?: string): Promise<DirectoryCaller> => {
    const view = await findLiveKey(flows.sql, key, now);
    if (!view) throw new Error("no key");
    const client = { ...clientAt(), requestId: randomUUID(), traceparent };
    const caller = await authorizeDirectory(flows.deps, view, client);
    if (!caller.ok) throw new Error(caller.error.detail);
    return caller.value;
  };
  return { id, organizationId, domain, key, callerOf, address: (name: string) => `${name}@${domain}` };
}
export type FlowDirectory = Awaited<ReturnType<typeof flowDirectory>>;
