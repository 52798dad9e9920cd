/** The settings of a client as options: the members of the API with hyphens. */
import { readFileSync } from "node:fs";
import type { ArgsDef } from "citty";
import { CLIENT_PRESET_NAMES } from "../flows/oauth/clients/client-presets.ts";

/** `list`: separated by commas or spaces. `optional`: a URI, or `none`. `switch`: true or false. `file`: a path. */
type OptionKind = "text" | "list" | "optional" | "switch" | "file";
type Options = Readonly<Record<string, readonly [kind: OptionKind, description: string]>>;

const CHANGEABLE: Options = {
  name: ["text", "Name displayed to users"],
  "application-type": ["text", "web, native"],
  "token-endpoint-auth-method": ["text", "none, client_secret_basic, client_secret_post, private_key_jwt"],
  "redirect-uris": ["list", "URIs, separated by commas"],
  "post-logout-redirect-uris": ["list", "URIs, separated by commas, or none"],
  "backchannel-logout-uri": ["optional", "URI, or none"],
  "grant-types": ["list", "authorization_code, refresh_token, client_credentials"],
  scopes: ["list", "Scopes, separated by commas"],
  resources: ["list", "URIs of resource servers for the tokens of the application, or none"],
  audiences: ["list", "URIs of resource servers that the application operates, or none"],
  "first-party": ["switch", "true: users are not asked for consent"],
  "require-pkce": ["switch", "false only for an application that authenticates"],
  "id-token-claims": ["text", "scope, none"],
  "subject-type": ["text", "public, pairwise"],
  sector: ["optional", "Host of pairwise subjects, or none"],
  "logo-url": ["optional", "URI, or none"],
  "policy-uri": ["optional", "URI, or none"],
  "tos-uri": ["optional", "URI, or none"],
  "client-uri": ["optional", "URI, or none"],
  "require-acr": ["optional", "aal1, aal2, phr, or none"],
  keys: ["file", "File with a JSON Web Key Set, for private_key_jwt"],
};

const NEW: Options = {
  preset: ["text", `Defaults by kind of application: ${CLIENT_PRESET_NAMES.join(", ")}`],
  ...CHANGEABLE,
  "client-id": ["text", "UUID of the new application (default: random)"],
};

const CHANGED: Options = {
  ...CHANGEABLE,
  disabled: ["switch", "true ends every token of the application"],
};

export const NEW_CLIENT_ARGS = argsOf(NEW);
export const CHANGED_CLIENT_ARGS = argsOf(CHANGED);

function argsOf(options: Options): ArgsDef {
  const entries = Object.entries(options);
  return Object.fromEntries(entries.map(([name, [, description]]) => [name, { type: "string", description } as const]));
}

type Given = Readonly<Record<string, unknown>>;

/** The members of a new client in the given options. */
export function newClientMembers(given: Given): Record<string, unknown> {
  return membersOf(NEW, given);
}

/** The members of a change in the given options. */
export function changedClientMembers(given: Given): Record<string, unknown> {
  return membersOf(CHANGED, given);
}

function membersOf(options: Options, given: Given): Record<string, unknown> {
  const entries = Object.entries(options).flatMap(([name, [kind]]) => {
    const text = given[name];
    return typeof text === "string" ? [[name.replaceAll("-", "_"), memberValue(kind, text)]] : [];
  });
  return Object.fromEntries(entries);
}

/** A value of the wrong form stays text, and fails the validation. */
function memberValue(kind: OptionKind, text: string): unknown {
  switch (kind) {
    case "text":
      return text;
    case "list":
      return text === "none" ? [] : text.split(/[\s,]+/).filter(Boolean);
    case "optional":
      return text === "none" ? null : text;
    case "switch":
      return text === "true" || (text === "false" ? false : text);
    case "file":
      return keysIn(text);
  }
}

/** RFC 7517, section 5: a key set, or the list of keys. */
function keysIn(path: string): unknown {
  const read: unknown = JSON.parse(readFileSync(path, "utf8"));
  return typeof read === "object" && read !== null && "keys" in read ? read.keys : read;
}
