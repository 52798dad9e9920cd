/** Credentials and connected applications of any user, for the console. `caller`: a Viewer or higher. */
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { type LinkedIdentity, listIdentities } from "../../models/identity/identity.ts";
import { type GrantItem, listGrants } from "../../models/oauth-grant/oauth-grant.ts";
import { listPasskeys, type Passkey } from "../../models/passkey/passkey.ts";
import { providerName } from "../../models/provider-config/provider.ts";
import { findMfaStatus, type MfaStatus } from "../../models/second-factor/second-factor.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

interface CredentialsOf {
  readonly caller: PlatformCaller;
  readonly userId: string;
}

export async function listPasskeysOf(
  deps: Pick<Deps, "reads">,
  { caller, userId, page }: CredentialsOf & { readonly page: Page },
): Promise<Listing<Passkey>> {
  const found = await deps.reads.run("passkey.list", caller.reader, (sql) =>
    listPasskeys(sql, userId, pageBounds(page)),
  );
  return { ...page, ...found };
}

export async function readMfaStatusOf(
  deps: Pick<Deps, "reads">,
  { caller, userId }: CredentialsOf,
): Promise<MfaStatus> {
  return await deps.reads.run("mfa.find_status", caller.reader, (sql) => findMfaStatus(sql, userId));
}

/** A linked account, with the name of the provider for people. */
export type NamedIdentity = LinkedIdentity & { readonly providerName: string };

/** Linked accounts of identity providers, oldest first. */
export async function listIdentitiesOf(
  deps: Pick<Deps, "reads">,
  { caller, userId }: CredentialsOf,
): Promise<readonly NamedIdentity[]> {
  const identities = await deps.reads.run("identity.list", caller.reader, (sql) => listIdentities(sql, userId));
  return identities.map((identity) => ({ ...identity, providerName: providerName(identity.configuredName) }));
}

/** Applications with access to the account. */
export async function listGrantsOf(
  deps: Pick<Deps, "reads">,
  { caller, userId, page }: CredentialsOf & { readonly page: Page },
): Promise<Listing<GrantItem>> {
  const found = await deps.reads.run("oauth_grant.list", caller.reader, (sql) =>
    listGrants(sql, userId, pageBounds(page)),
  );
  return { ...page, ...found };
}
