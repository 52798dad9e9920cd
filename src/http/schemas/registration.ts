import { Type } from "@sinclair/typebox";
import { REGISTRATION_DOMAINS_MAX } from "../../limits/registration-limits.ts";
import { DOMAIN_INPUT_MAX_CHARACTERS } from "../../limits/sso-limits.ts";
import { REGISTRATION_METHODS, REGISTRATION_MODES } from "../../vocabulary/registration.ts";
import { nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

const Mode = oneOf(REGISTRATION_MODES, {
  $id: "RegistrationMode",
  description:
    "`organization`: with an organization; `personal`: a user without a team; `invitation`: no user registers",
});
const Methods = Type.Array(oneOf(REGISTRATION_METHODS), {
  description: "ways to register",
  examples: [["email_code", "password", "social"]],
});
const Link = Type.Boolean({ description: "whether the email of a code has a link too", examples: [true] });

function domains(description: string) {
  return Type.Array(Type.String({ maxLength: DOMAIN_INPUT_MAX_CHARACTERS }), {
    documented: { maxItems: REGISTRATION_DOMAINS_MAX },
    description,
    examples: [["example.com", "*.example.org"]],
  });
}
const AllowedDomains = domains("of new addresses, exact or `*.example.com`; empty: every domain");
const BlockedDomains = domains("of addresses that cannot register");

export const RegistrationItem = Type.Object(
  {
    mode: Mode,
    methods: Methods,
    allowed_domains: AllowedDomains,
    blocked_domains: BlockedDomains,
    link: Link,
    revision: Type.Integer({ description: "0: no settings are stored", examples: [3] }),
    updated_at: nullable(Timestamp, { description: "null: no settings are stored" }),
    stored: Type.Boolean({ description: "false: the environment decides", examples: [true] }),
  },
  { $id: "RegistrationSettings" },
);

export const ReplaceRegistrationBody = Type.Object(
  {
    mode: Mode,
    methods: Type.Optional(Methods),
    allowed_domains: Type.Optional(AllowedDomains),
    blocked_domains: Type.Optional(BlockedDomains),
    link: Type.Optional(Link),
    revision: Type.Optional(Type.Integer({ description: "the revision that the caller has read", examples: [3] })),
  },
  { $id: "ReplaceRegistrationRequest" },
);

export const RegistrationQuery = Type.Object({
  client_id: Type.Optional({ ...Uuid, description: "application of the registration" }),
});

export const PublicRegistration = Type.Object(
  {
    mode: Mode,
    methods: { ...Methods, description: "ways to register that are open now" },
    link: Link,
    providers: Type.Array(Type.Object({ provider: text("oauth_idp_a"), name: text("Google") })),
  },
  { $id: "PublicRegistration" },
);
