/** English: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { Shape } from "../shape.ts";

const plural = pluralIn("en");

export const resourceTexts = {
  resources: {
    title: "APIs",
    lead: "Applications request access to APIs by scopes. Users read the descriptions before they allow access.",
    none: "There are no APIs yet. Without a registered API, users see only the names of scopes.",
    create: "New API",
    createAction: "Register API",
    full: "There are already 1,000 APIs. Delete an unused API.",
    taken: "Another API has this identifier.",
    identifier: "Identifier",
    identifierHint:
      "The address of the API, as applications send it in the parameter resource. You cannot change it later.",
    name: "Name",
    scopes: "Scopes",
    scopesLead: "The consent page displays the description in the language of the user, else the English description.",
    scopeCount: (total: number) => plural(total, { one: "# scope", other: "# scopes" }),
    noScope: "The API has no scopes yet.",
    addScope: "Add scope",
    editScope: "Edit",
    editScopeNamed: (name: string) => `Edit ${name}`,
    scopeName: "Scope",
    scopeNameHint: "As applications send it, such as invoices:read.",
    description: (language: string) => `Description in ${language}`,
    /** Displayed at the field of the description in the language of this text. */
    descriptionHint: "Completes “Acme Wiki wants to: …”, such as “see your invoices”.",
    noDescription: "no description",
    scopeExists: "The API has a scope with this name.",
    scopesFull: "The API already has 100 scopes. Delete an unused scope.",
    scopeSaved: "The scope is saved. The consent page displays the new description.",
    scopeDeleted: "The scope is deleted.",
    deleteScope: "Delete",
    deleteScopeNamed: (name: string) => `Delete ${name}`,
    deleteScopeTitle: (name: string) => `Delete the scope ${name}?`,
    deleteScopeText: "The consent page displays the name of the scope from now on. Tokens and consents stay valid.",
    settings: "Settings",
    created: "The API is registered. Add the scopes.",
    saved: "The changes are saved and in use.",
    deleted: "The API is deleted.",
    changedMeanwhile: "Another user has changed the API. Check the API, then try again.",
    access: "Access",
    algorithm: "Signature of access tokens",
    algorithmHint: "RS256 unless the API verifies the other algorithm. New tokens have the new signature.",
    dpop: "Proof of possession (DPoP)",
    dpopOptions: { allowed: "Allowed", required: "Required" },
    dpopHint: "With “required”, applications get only tokens that are bound to their key.",
    disable: "Disable",
    disableDetails: "Applications get no new access to this API. Existing access remains valid.",
    disableTitle: (name: string) => `Disable ${name}?`,
    disableText: "Applications get no new access to this API until you enable the API. Existing access remains valid.",
    disabledNow: "The API is disabled.",
    enable: "Enable",
    enableDetails: "The API is disabled: applications get no new access.",
    enabledNow: "The API is enabled.",
    remove: "Delete",
    removeDetails: "Applications keep their access; users see the names of the scopes.",
    removeTitle: (name: string) => `Delete ${name}?`,
    removeText: "The descriptions of the scopes are deleted. Applications keep their access. You cannot undo this.",
    rules: {
      identifier: "Use an https address of at most 500 characters without a fragment.",
    },
    scopeRules: {
      name: "Use 1 to 100 printable characters without spaces, quotes, backslashes; no scope of this service.",
      description: "Use one line of at most 200 characters, without invisible characters.",
    },
  },
};

export type ResourceTexts = Shape<typeof resourceTexts>;
