/** The API keys of a directory, for its page (docs/contract.md, section 31.1). */
import type { Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { API_KEY_LIFETIME_DAYS_MAX, API_KEYS_LISTED_MAX } from "../../limits/machine-limits.ts";
import { type DirectoryKey, listDirectoryKeys } from "../../models/service-account/directory-keys.ts";
import { findNamedServiceAccount } from "../../models/service-account/service-account.ts";
import { type CreatedKey, createApiKey } from "../service-accounts/keys.ts";
import { insertAccount, lockAccounts } from "../service-accounts/manage.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import type { ServiceAccountAuthor } from "../steps/authorization/authorize-service-accounts.ts";

const ACCOUNT_NAME = "Directory";

/** The live keys of the organization with a scope of directories, the next to expire first. */
export async function listKeysOfDirectory(
  deps: Pick<StoreDeps, "clock" | "database">,
  { organizationId }: Pick<OrganizationCaller, "organizationId">,
): Promise<DirectoryKey[]> {
  const at = new Date(deps.clock.now());
  return await deps.database.run("api_key.list_of_directory", (sql) =>
    listDirectoryKeys(sql, organizationId, at, API_KEYS_LISTED_MAX),
  );
}

/** Creates a key in the service account of the existing keys, else in the account of directories. */
export async function createDirectoryKey(
  deps: StoreDeps,
  input: KeyInput,
): Promise<
  Result<CreatedKey, Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input" | "not_found">>
> {
  const account = await accountOfKeys(deps, input);
  if (!account.ok) return account;
  const { caller, client } = input;
  const bounds = {
    allowedIps: [],
    allowedReferrers: [],
    organizations: null,
    expiresInDays: API_KEY_LIFETIME_DAYS_MAX,
  };
  const key = { caller, accountId: account.value.id, name: null, scopes: ["scim.write"], client } as const;
  return await createApiKey(deps, { ...key, ...bounds });
}

/** The account by the name too: a parallel request may have created the account, and not yet the key. */
async function accountOfKeys(
  deps: StoreDeps,
  { caller, organizationId, client }: KeyInput,
): Promise<Result<{ readonly id: string }, Refusal<"conflict">>> {
  const [existing] = await listKeysOfDirectory(deps, { organizationId });
  if (existing) return ok({ id: existing.serviceAccountId });
  return await deps.database.transaction("directory.account_of_keys", async (sql) => {
    await lockAccounts(sql, organizationId);
    const named = await findNamedServiceAccount(sql, organizationId, ACCOUNT_NAME);
    return named ? ok(named) : await insertAccount(deps, sql, { caller, name: ACCOUNT_NAME, client });
  });
}

interface KeyInput {
  readonly caller: ServiceAccountAuthor;
  readonly organizationId: string;
  readonly client: RequestContext;
}
