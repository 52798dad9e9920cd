/** The form of an application: converts between form fields and members of the API. */
import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { ClientChange, ClientSettings } from "../../../flows/oauth-provider/administer-clients.ts";
import { changeOf, settingsOf } from "../../../http/oauth-client-settings.ts";
import { bodyValidator } from "../../../http/read-input.ts";
import { ChangeOAuthClient, CreateOAuthClient } from "../../../http/schemas/oauth-clients.ts";
import type { GrantType, OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { FormState } from "../../components/form.tsx";
import type { Fields } from "../../page.ts";
import { refusedForm } from "../../problem-messages.ts";
import type { View } from "../../view.tsx";
import { versionOf } from "../displayed-version.ts";

export const GRANTS: readonly GrantType[] = ["authorization_code", "refresh_token", "client_credentials"];
/** Lists of addresses, with one address per line. */
const LISTS = ["redirect_uris", "post_logout_redirect_uris", "resources", "audiences"] as const;
/** Optional members. */
const OPTIONAL = ["logo_url", "backchannel_logout_uri"] as const;
const TEXTS = [
  "name",
  "application_type",
  "token_endpoint_auth_method",
  "sector",
  "scopes",
  "keys",
  "version",
] as const;
const CHECKS = ["first_party", ...GRANTS.map((grant) => `grant:${grant}` as const)] as const;

/** The field values of a stored client. */
export function valuesOfClient(client: OAuthClient): Record<string, string> {
  return {
    name: client.name,
    logo_url: client.logoUrl ?? "",
    backchannel_logout_uri: client.backchannelLogoutUri ?? "",
    redirect_uris: client.redirectUris.join("\n"),
    post_logout_redirect_uris: client.postLogoutRedirectUris.join("\n"),
    resources: client.resources.join("\n"),
    audiences: client.audiences.join("\n"),
    scopes: client.scopes.join(" "),
    keys: client.keys.length > 0 ? JSON.stringify({ keys: client.keys }, undefined, 2) : "",
    first_party: client.firstParty ? "yes" : "",
    ...Object.fromEntries(GRANTS.map((grant) => [`grant:${grant}`, client.grantTypes.includes(grant) ? "yes" : ""])),
    version: versionOf(client.updatedAt),
  };
}

/** The submitted field values. */
export function valuesOfForm(form: Fields): Record<string, string> {
  return Object.fromEntries([...TEXTS, ...LISTS, ...OPTIONAL, ...CHECKS].map((name) => [name, form.text(name)]));
}

const validateNew = bodyValidator(CreateOAuthClient);
const validateChange = bodyValidator(ChangeOAuthClient);

/** Problems name the invalid member. */
export function settingsIn(form: Fields): Result<ClientSettings, Refusal<"invalid_input">> {
  const members = changeableMembers(form);
  if (!members.ok) return members;
  const sector = form.text("sector").trim();
  const valid = validateNew({
    ...members.value,
    token_endpoint_auth_method: form.text("token_endpoint_auth_method"),
    application_type: form.text("application_type"),
    ...(sector === "" ? {} : { subject_type: "pairwise", sector }),
  });
  return valid.ok ? ok(settingsOf(valid.value)) : valid;
}

/** As `settingsIn`. */
export function changeIn(form: Fields): Result<ClientChange, Refusal<"invalid_input">> {
  const members = changeableMembers(form);
  const valid = members.ok ? validateChange(members.value) : members;
  return valid.ok ? ok(changeOf(valid.value)) : valid;
}

function changeableMembers(form: Fields): Result<Record<string, unknown>, Refusal<"invalid_input">> {
  const keys = readKeys(form.text("keys"));
  if (!keys) return err(invalidInput("keys", "format", "not a JSON Web Key Set"));
  return ok({
    name: form.text("name"),
    ...Object.fromEntries(LISTS.map((name) => [name, wordsIn(form.text(name))])),
    ...Object.fromEntries(OPTIONAL.map((name) => [name, form.text(name).trim() || null])),
    grant_types: GRANTS.filter((grant) => form.has(`grant:${grant}`)),
    scopes: wordsIn(form.text("scopes")),
    first_party: form.has("first_party"),
    keys,
  });
}

/** Neither an address nor a scope has white space. */
function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** A JSON Web Key Set (RFC 7517, section 5) or the list of its keys; the flow validates the members of the keys. */
function readKeys(text: string): unknown[] | undefined {
  if (text.trim() === "") return [];
  try {
    const read: unknown = JSON.parse(text);
    const keys = Array.isArray(read) ? read : (read as { keys?: unknown } | null)?.keys;
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

/** The form with the problem message beside the field that the refusal names. */
export function refusedClient(view: View, refused: Refusal, values: Record<string, string>): FormState {
  if (refused.code === "mfa_required") return { values };
  return refusedForm(view, refused, values, { conflict: view.t.clients.full }, view.t.clients.rules);
}
