import { Type } from "@sinclair/typebox";
import {
  SSO_BREAK_GLASS_MAX,
  SSO_CLAIM_NAME_MAX_CHARACTERS,
  SSO_DRY_RUN_MEMBERS_MAX,
  SSO_PAUSE_REASON_MAX_CHARACTERS,
  SSO_ROLE_RULES_MAX,
  SSO_ROLE_VALUE_MAX_CHARACTERS,
} from "../../limits/sso-limits.ts";
import {
  GUEST_RULES,
  JIT_MODES,
  MAPPED_ROLES,
  ROLE_SYNCS,
  SSO_MODES,
} from "../../vocabulary/sso/sso-policy-settings.ts";
import { ConfirmChannels, nullable, oneOf, ReadVersion, Timestamp, text, Uuid } from "./common.ts";

const RoleRuleItem = Type.Object(
  {
    from: Type.String({
      documented: { minLength: 1, maxLength: SSO_CLAIM_NAME_MAX_CHARACTERS },
      description: "`groups`, or the name of an attribute of the connection",
      examples: ["groups"],
    }),
    value: Type.String({
      documented: { minLength: 1, maxLength: SSO_ROLE_VALUE_MAX_CHARACTERS },
      description: "compared exactly",
      examples: ["it-admins"],
    }),
    role: text("admin", "`admin`, `member`, or the key of a role of the organization; never `owner`"),
  },
  { $id: "SsoRoleRule" },
);

const mode = oneOf(SSO_MODES, { default: "off", description: "`optional` permits sign-in by single sign-on" });
const requiredAt = nullable(Timestamp, { description: "start of the enforcement; needs the mode `required`" });
const guests = oneOf(GUEST_RULES, { default: "own_methods", description: "rule for addresses outside of the domains" });
const breakGlass = Type.Array(Uuid, {
  documented: { maxItems: SSO_BREAK_GLASS_MAX },
  description: "owners who keep their own sign-in methods under enforcement",
  examples: [[]],
});
const jit = oneOf(JIT_MODES, { default: "on", description: "creation of users and memberships at sign-in" });
const defaultRole = oneOf(MAPPED_ROLES, { default: "member" });
const roleRules = Type.Array(RoleRuleItem, {
  documented: { maxItems: SSO_ROLE_RULES_MAX },
  description:
    "the highest matching built-in role applies, else `default_role`; every matching further role is granted",
});
const sync = oneOf(ROLE_SYNCS, { default: "always", description: "`first`: at the start of the membership only" });
const requireOwnFactor = Type.Boolean({
  default: false,
  description: "sessions of single sign-on need a factor of this service too",
});

const dryRun = Type.Boolean({ default: false, description: "true: the response is the coverage, nothing changes" });

export const PolicyQuery = Type.Object({ dry_run: Type.Optional(dryRun) });

export const PolicyBody = Type.Object(
  {
    mode: Type.Optional(mode),
    required_at: Type.Optional(
      nullable(Type.String({ documented: { format: "date-time" }, examples: ["2026-01-02T03:04:05.678Z"] }), {
        description: "RFC 3339; needs the mode `required`",
      }),
    ),
    guests: Type.Optional(guests),
    break_glass: Type.Optional(breakGlass),
    jit: Type.Optional(jit),
    default_role: Type.Optional(defaultRole),
    role_rules: Type.Optional(roleRules),
    sync: Type.Optional(sync),
    require_own_factor: Type.Optional(requireOwnFactor),
    dry_run: Type.Optional(dryRun),
    confirm: ConfirmChannels,
    updated_at: ReadVersion,
  },
  { $id: "ReplaceSsoPolicyRequest" },
);

export const PolicyItem = Type.Object(
  {
    mode,
    required_at: requiredAt,
    paused_until: nullable(Timestamp, { description: "end of a pause of the enforcement" }),
    guests,
    break_glass: breakGlass,
    jit,
    default_role: defaultRole,
    role_rules: roleRules,
    sync,
    require_own_factor: requireOwnFactor,
    updated_at: nullable(Timestamp, { description: "null: the defaults apply" }),
  },
  { $id: "SsoPolicy" },
);

export const CoverageItem = Type.Object(
  {
    covered: Type.Integer({
      documented: { minimum: 0 },
      description: "members whom the policy covers",
      examples: [40],
    }),
    without_identity: Type.Integer({
      documented: { minimum: 0 },
      description: "covered members who have not signed in by single sign-on",
      examples: [1],
    }),
    members: Type.Array(
      Type.Object({ user_id: Uuid, email: Type.String({ examples: ["grace@example.com"] }) }, { $id: "CoveredMember" }),
      {
        documented: { maxItems: SSO_DRY_RUN_MEMBERS_MAX },
        description: "the first covered members without an identity",
      },
    ),
  },
  { $id: "SsoCoverage" },
);

export const PolicyOrCoverage = Type.Union([PolicyItem, CoverageItem], { $id: "SsoPolicyOrCoverage" });

export const PausePolicyBody = Type.Object(
  {
    reason: Type.String({
      documented: { minLength: 1, maxLength: SSO_PAUSE_REASON_MAX_CHARACTERS },
      description: "for the owners of the organization and the audit trail",
      examples: ["The identity provider is unavailable."],
    }),
  },
  { $id: "PauseSsoPolicyRequest" },
);
