/** The attributes of a record that reach the account of a managed user (docs/contract.md, section 31.5). */
import { cleanName } from "../../base/display-name.ts";
import { ok } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { updateManagedUser } from "../../models/directory/managed-account.ts";
import { isRecord } from "../../models/directory/protocol/scim-json.ts";
import { type ScimResult, scimError } from "../../models/directory/protocol/scim-problem.ts";
import { addressOf, type UserDocument } from "../../models/directory/protocol/user-document.ts";
import { findPower } from "../../models/member/members.ts";
import { findOwnAddresses } from "../../models/organization-domain/organization-domain.ts";
import { normalizeAssertedEmail } from "../../models/user/email-address.ts";
import { findManagedUser, releaseIndependentUser } from "../../models/user/managed-user.ts";
import type { Owner } from "../../models/user/user.ts";
import { findOtherHolder } from "../../models/user-email/user-email.ts";
import { keyCovers } from "../steps/channels/key-power.ts";
import { replaceManagedAddress } from "../user-emails/replace-managed-address.ts";
import type { DirectoryWrite } from "./directory-write.ts";

const ADDRESS_TAKEN = scimError("uniqueness", "Another account of the service has this address.");
const ADDRESS_OUTSIDE = scimError(
  "uniqueness",
  "The address of a managed user must be in a verified domain of the organization.",
);

/**
 * Copies name, language and address of a record to the locked account of a managed user. A member above the power of a
 * directory keeps the address.
 */
export async function updateAccount(
  { deps, sql, caller, at, events }: DirectoryWrite,
  userId: string,
  document: UserDocument,
): Promise<ScimResult<void>> {
  const { organizationId, actor, client } = caller;
  await releaseIndependentUser(sql, userId, organizationId);
  const user = await findManagedUser(sql, userId, organizationId);
  if (!user) return ok(undefined);
  const profile = { displayName: displayNameOf(document), locale: localeOf(document) };
  await updateManagedUser(sql, userId, organizationId, profile, at);
  const email = normalizeAssertedEmail(addressOf(document));
  // An unusable address, such as a user name without a domain, leaves the account unchanged.
  if (email === undefined || email === user.email) return ok(undefined);
  if (!(await mayMoveAddress(sql, organizationId, caller.key.id, userId))) return ok(undefined);
  if (!(await findOwnAddresses(sql, organizationId))(email)) return ADDRESS_OUTSIDE;
  if (await findOtherHolder(sql, email, userId, at)) return ADDRESS_TAKEN;
  const change = { user, organizationId, email, actor, source: "directory", client, at } as const;
  events.push(...(await replaceManagedAddress(deps, sql, change)));
  return ok(undefined);
}

/** The mailbox of a new address resets the password and signs in: only a key with the power of the member moves it. */
async function mayMoveAddress(sql: Sql, organizationId: string, keyId: string, userId: string): Promise<boolean> {
  const target = await findPower(sql, organizationId, userId);
  return target === undefined || (await keyCovers(sql, organizationId, keyId, target));
}

export function displayNameOf({ displayName, name }: UserDocument): Owner["displayName"] {
  const { formatted, givenName, familyName } = isRecord(name) ? name : {};
  const joined = [givenName, familyName].filter((each) => typeof each === "string").join(" ");
  const given = [displayName, formatted, joined].find((each) => typeof each === "string" && each.trim() !== "");
  return (typeof given === "string" ? cleanName(given) : undefined) ?? null;
}

/** The primary subtag of a language tag, as accounts have it. */
export function localeOf({ preferredLanguage, locale }: UserDocument): string | null {
  const given = typeof preferredLanguage === "string" ? preferredLanguage : locale;
  const [tag = ""] = typeof given === "string" ? given.replace("_", "-").split(/[,;]/) : [];
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) && tag.length <= 35 ? tag : null;
}
