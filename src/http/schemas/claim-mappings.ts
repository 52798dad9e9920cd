/** Claim mappings of applications and APIs on the wire (docs/contract.md, section 23.34). */
import { type Static, Type } from "@sinclair/typebox";
import { CLAIM_MAPPINGS_MAX, CLAIM_URL_MAX_CHARACTERS, EXPRESSION_MAX_CHARACTERS } from "../../limits/claim-limits.ts";
import {
  type ApplicationMapping,
  CLAIM_DESTINATIONS,
  type ClaimMapping,
  type JsonValue,
} from "../../vocabulary/claim-mapping.ts";
import { nullable, oneOf, text } from "./common.ts";

const claim = Type.String({
  documented: { minLength: 1, maxLength: CLAIM_URL_MAX_CHARACTERS },
  examples: ["groups"],
  description: "name of the claim, or an https URL; no claim of the service",
});
const attribute = text("groups", "a source, with the path of a member, such as `organization.public_metadata.plan`");
const constant = Type.Unknown({ examples: ["authenticated"], description: "JSON, not null, at most 1 KiB" });
const expression = Type.String({
  documented: { maxLength: EXPRESSION_MAX_CHARACTERS },
  examples: ['"grafana-admins" in groups ? "Admin" : "Viewer"'],
  description: "CEL over user, organization, member, session, connection, client, groups, roles and permissions",
});
const scope = nullable(text("groups", "the claim appears where the scope was granted"), {
  description: "null: with openid for an application, always for an API",
});
const destinations = Type.Array(oneOf(CLAIM_DESTINATIONS), {
  description: "default both",
  documented: { minItems: 1, maxItems: CLAIM_DESTINATIONS.length, uniqueItems: true },
});
const qualified = Type.Boolean({
  description:
    "`acme:admins` in place of `admins`, with the slug of the organization; groups, roles and member.role only",
  examples: [false],
});
const allowUserControl = Type.Boolean({
  description: "accepts a value that users change themselves, which decides about no access",
  examples: [false],
});

const source = {
  attribute: Type.Optional(attribute),
  constant: Type.Optional(constant),
  expression: Type.Optional(expression),
};
const added = {
  claim,
  ...source,
  scope: Type.Optional(scope),
  qualified: Type.Optional(qualified),
  allow_user_control: Type.Optional(allowUserControl),
};
const displayed = { claim, ...source, scope, qualified, allow_user_control: allowUserControl };
const list = {
  documented: { maxItems: CLAIM_MAPPINGS_MAX },
  description: "claims beside the claims of scopes; each mapping has one of attribute, constant and expression",
};

const NewClientMapping = Type.Object({ ...added, in: Type.Optional(destinations) });
const NewApiMapping = Type.Object(added);
export const ClientClaimMappings = Type.Array(Type.Object({ ...displayed, in: destinations }), list);
export const ApiClaimMappings = Type.Array(Type.Object(displayed), list);
export const NewClientClaimMappings = Type.Array(NewClientMapping, list);
export const NewApiClaimMappings = Type.Array(NewApiMapping, list);

/** A mapping of an application in its stored form; unknown members are left out. */
export function mappingOfClient(body: Static<typeof NewClientMapping>): ApplicationMapping {
  return { ...mappingOfApi(body), in: body.in ?? [...CLAIM_DESTINATIONS] };
}

/** A mapping of an API in its stored form. */
export function mappingOfApi(body: Static<typeof NewApiMapping>): ClaimMapping {
  const { claim: name, attribute: path, constant: value, expression: rule } = body;
  return {
    claim: name,
    ...(path === undefined ? {} : { attribute: path }),
    ...(value === undefined ? {} : { constant: value as JsonValue }),
    ...(rule === undefined ? {} : { expression: rule }),
    scope: body.scope ?? null,
    qualified: body.qualified ?? false,
    allow_user_control: body.allow_user_control ?? false,
  };
}
