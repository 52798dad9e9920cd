/**
 * Parts of schemas. A schema with an `$id` becomes a named component of the OpenAPI document (`openapi-schema.ts`).
 * Keywords beyond JSON Schema:
 * - `documented`: bounds and formats that the document shows and a model validates, in the model's own units (code
 *   points, after normalization);
 * - `rule`: text of the validation message in place of a regular expression;
 * - `note`: description of one use of a named schema;
 * - `refusesNull`: null is invalid for this optional member and does not count as absent.
 */
import { FormatRegistry, type TSchema, Type } from "@sinclair/typebox";
import { isUuid } from "../../base/random.ts";
import { NAME_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { PAGE_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../limits/limits.ts";
import { CHANNELS } from "../../vocabulary/channels.ts";
import { BROWSER_NAMES, SYSTEM_NAMES } from "../../vocabulary/device.ts";
import { INPUT_RULES } from "../../vocabulary/input-rules.ts";
import { PROBLEM_CODES, PROBLEM_TYPES } from "../problem-status.ts";
import "../input/text-formats.ts";

FormatRegistry.Set("uuid", isUuid);

export function oneOf<const Text extends string>(texts: readonly Text[], options: object = {}) {
  return Type.Union(
    texts.map((text) => Type.Literal(text)),
    options,
  );
}

export function nullable<Schema extends TSchema>(schema: Schema, options: object = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** A string in a response, with its example. */
export function text(example: string, description?: string) {
  return Type.String({ examples: [example], ...(description ? { description } : {}) });
}

export function url(example: string, description: string) {
  return Type.String({ documented: { format: "uri" }, examples: [example], description });
}

export const Uuid = Type.String({ format: "uuid", examples: ["0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e"] });
/** docs/contract.md, section 2.4. */
export const Timestamp = Type.String({
  documented: { format: "date-time" },
  description: "RFC 3339, UTC, milliseconds",
  examples: ["2026-01-02T03:04:05.678Z"],
});
/** `format: email` (RFC 5321) refuses local parts that mobile carriers gave out (docs/contract.md, section 2.4). */
export const EMAIL_SHAPE = { pattern: "^[^@\\s]+@[^@\\s]+$" } as const;
export const EmailAddress = Type.String({ documented: EMAIL_SHAPE, examples: ["ada@example.com"] });
/** A displayed name: of a user, an organization, a browser, a passkey. `base/display-name.ts` validates the name. */
export function name(example: string, description: string) {
  return Type.String({
    format: "display-name",
    documented: { format: undefined, minLength: 1, maxLength: NAME_MAX_CHARACTERS },
    description: `${description}; 1 to ${NAME_MAX_CHARACTERS} printable characters`,
    examples: [example],
  });
}
export const DeviceItem = Type.Object(
  {
    browser: nullable(oneOf(BROWSER_NAMES, { description: "null: another browser" })),
    system: nullable(oneOf(SYSTEM_NAMES, { description: "null: another operating system" })),
  },
  { $id: "Device", description: "from the user agent, which the client chooses: never trusted" },
);
export const LocationItem = Type.Object(
  { country: nullable(text("AT")), city: nullable(text("Vienna")) },
  { $id: "Location", description: "estimated place of `last_ip_address`: ISO 3166-1 code and English name" },
);
export const NewSlug = Type.String({
  format: "organization-slug",
  documented: {
    format: undefined,
    minLength: 3,
    maxLength: 63,
    pattern: "^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$",
  },
  examples: ["acme"],
});
export const Slug = Type.String({
  documented: { minLength: 3, maxLength: 63, pattern: "^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$" },
  description: "URL-safe name of an organization",
  examples: ["acme"],
});
export const ExpiresIn = Type.Integer({ description: "seconds", documented: { minimum: 1 }, examples: [900] });

/** PostgreSQL refuses NUL in text, so a search term must not contain it. */
export const SearchText = Type.String({
  maxLength: 200,
  pattern: "^[^\\u0000]*$",
  rule: "must not contain NUL",
  examples: ["ada"],
});

export const PageQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({
      description: "page number, from 1; values outside the range are clamped",
      default: 1,
      documented: { minimum: 1, maximum: PAGE_MAX },
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({
      description: `items per page; clamped to 1..${PAGE_SIZE_MAX}`,
      default: PAGE_SIZE_DEFAULT,
      documented: { minimum: 1, maximum: PAGE_SIZE_MAX },
    }),
  ),
});

/** docs/contract.md, section 2.5. Items `User` make the component `UserList`. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer({ description: "items of all pages", documented: { minimum: 0 }, examples: [1] }),
      page: Type.Integer({ documented: { minimum: 1 }, examples: [1] }),
      page_size: Type.Integer({ documented: { minimum: 1, maximum: PAGE_SIZE_MAX }, examples: [PAGE_SIZE_DEFAULT] }),
    },
    item.$id === undefined ? {} : { $id: `${item.$id}List` },
  );
}

/** docs/contract.md, section 2.6. */
const InvalidFieldSchema = Type.Object(
  {
    field: text("email", "name of the member; members of nested objects are joined by dots; `body` for the body"),
    rule: oneOf(Object.keys(INPUT_RULES) as (keyof typeof INPUT_RULES)[], {
      description: "rule that the field breaks",
    }),
  },
  { $id: "InvalidField" },
);

/** docs/contract.md, section 2.4. */
export const ReadVersion = Type.Optional(
  nullable(Timestamp, { description: "`updated_at` of the read object: `conflict` after a change; not stored" }),
);

/** docs/contract.md, section 32.9. */
export const ConfirmChannels = Type.Optional(
  Type.Boolean({ description: "accepts the channels that a `conflict` named (section 32.9)", examples: [true] }),
);

/** docs/contract.md, section 2.6. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: oneOf(PROBLEM_CODES, { description: "stable, machine-readable" }),
      message: text("Sign in to continue.", "text for people; programs use the codes"),
      type: oneOf(PROBLEM_TYPES, { description: "category" }),
      fields: Type.Optional(
        Type.Array(InvalidFieldSchema, { description: "all invalid fields of the request; `invalid_input` only" }),
      ),
      organizations: Type.Optional(
        Type.Array(Type.Object({ id: Uuid, name: text("Example"), slug: text("example") }), {
          description: "the organizations that the caller cannot leave; `conflict` of a deletion only",
        }),
      ),
      channels: Type.Optional(
        Type.Array(
          Type.Object({
            kind: oneOf(CHANNELS),
            id: Uuid,
            name: text("Acme", "of the connection, key or domain; address of a set-up link"),
            person: nullable(Type.Object({ id: Uuid, name: text("Ada") }), {
              description: "the person responsible; null after the deletion of the account",
            }),
          }),
          { description: "the ways to the granted power whose people lack the power; `conflict` of a grant only" },
        ),
      ),
      continue_at: Type.Optional(
        text("/v1/auth/sso/0190f3c4-0000-7000-8000-000000000001/start", "a local path; `sso_required` only"),
      ),
    }),
  },
  { $id: "Error", description: "The body of every error response" },
);
