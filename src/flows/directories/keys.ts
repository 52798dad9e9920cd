/** The API keys of a directory, for its page (docs/contract.md, section 31.1). */
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { API_KEY_LIFETIME_DAYS_MAX, API_KEYS_LISTED_MAX } from "../../limits/machine-limits.ts";
import { type DirectoryKey, listDirectoryKeys } from "../../models/service-account/directory-keys.ts";
import { type CreatedKey, createApiKey } from "../service-accounts/keys.ts";
import { createServiceAccount } from "../service-accounts/manage.ts";
import type { MemberCaller } from "../steps/authorization/authorize-member.ts";
import type { ServiceAccountAuthor } from "../steps/authorization/authorize-service-accounts.ts";

const ACCOUNT_NAME = "Directory";

/** The live keys of the organization with a scope of directories, the next to expire first. */
export async function listKeysOfDirectory(
  deps: Pick<StoreDeps, "clock" | "database">,
  { organizationId }: Pick<MemberCaller, "organizationId">,
): Promise<DirectoryKey[]> {
  const at = new Date(deps.clock.now());
  return await deps.database.run("api_key.list_of_directory", (sql) =>
    listDirectoryKeys(sql, organizationId, at, API_KEYS_LISTED_MAX),
  );
}

/** Creates a key in the service account of the existing keys, else in a new service account. */
export async function createDirectoryKey(
  deps: StoreDeps,
  { caller, organizationId, client }: KeyInput,
): Promise<
  Result<CreatedKey, Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input" | "not_found">>
> {
  const [existing] = await listKeysOfDirectory(deps, { organizationId });
  const account = existing
    ? ok({ id: existing.serviceAccountId })
    : await createServiceAccount(deps, { caller, name: ACCOUNT_NAME, client });
  if (!account.ok) return account;
  const bounds = { allowedIps: [], allowedReferrers: [], expiresInDays: API_KEY_LIFETIME_DAYS_MAX };
  const input = { caller, accountId: account.value.id, name: null, scopes: ["scim.write"], client } as const;
  return await createApiKey(deps, { ...input, ...bounds });
}

interface KeyInput {
  readonly caller: ServiceAccountAuthor;
  readonly organizationId: string;
  readonly client: RequestContext;
}
