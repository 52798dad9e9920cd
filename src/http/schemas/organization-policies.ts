import { type TSchema, Type } from "@sinclair/typebox";
import { PASSWORD_MIN_CODE_POINTS } from "../../limits/account-limits.ts";
import {
  POLICY_AHEAD_DAYS_MAX,
  POLICY_APPROVED_CLIENTS_MAX,
  POLICY_DRY_RUN_MEMBERS_MAX,
  POLICY_GRACE_DAYS_MAX,
  POLICY_IDLE_MINUTES_MAX,
  POLICY_IDLE_MINUTES_MIN,
  POLICY_INVITE_DOMAINS_MAX,
  POLICY_NETWORK_MAX_CHARACTERS,
  POLICY_NETWORKS_MAX,
  POLICY_PASSWORD_LENGTH_MAX,
  POLICY_SESSION_HOURS_MAX,
} from "../../limits/policy-limits.ts";
import { DOMAIN_INPUT_MAX_CHARACTERS } from "../../limits/sso-limits.ts";
import {
  AFFECTING_RULES,
  CLIENT_POLICIES,
  DOMAIN_JOIN_POLICIES,
  MFA_POLICIES,
} from "../../vocabulary/policy-settings.ts";
import { nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

function whole(minimum: number, maximum: number, description: string, example: number) {
  return Type.Integer({ documented: { minimum, maximum }, description, examples: [example] });
}

const SETTINGS = {
  mfa: oneOf(MFA_POLICIES, { default: "optional", description: "`phishing_resistant`: a passkey" }),
  mfa_grace_days: whole(0, POLICY_GRACE_DAYS_MAX, "for members without the factor", 7),
  methods: nullable(Type.Array(text("passkey"), { examples: [["passkey"]] }), {
    description:
      "own sign-in methods of members: `password`, `passkey`, `email_otp`, keys of identity providers; null: all",
  }),
  session_max_hours: nullable(whole(1, POLICY_SESSION_HOURS_MAX, "from the sign-in", 12)),
  session_idle_minutes: nullable(whole(POLICY_IDLE_MINUTES_MIN, POLICY_IDLE_MINUTES_MAX, "from the last refresh", 60)),
  allowed_ips: Type.Array(Type.String({ maxLength: POLICY_NETWORK_MAX_CHARACTERS }), {
    documented: { maxItems: POLICY_NETWORKS_MAX },
    description: "addresses or CIDR ranges of requests; empty: every address",
    examples: [["192.0.2.0/24"]],
  }),
  invite_domains: Type.Array(Type.String({ maxLength: DOMAIN_INPUT_MAX_CHARACTERS }), {
    documented: { maxItems: POLICY_INVITE_DOMAINS_MAX },
    description: "domains of invited and provisioned addresses; empty: every domain",
    examples: [["example.com"]],
  }),
  third_party_clients: oneOf(CLIENT_POLICIES, { default: "any", description: "applications of other parties" }),
  approved_clients: Type.Array(Uuid, {
    documented: { maxItems: POLICY_APPROVED_CLIENTS_MAX },
    description: "ids of the applications that `approved` admits",
    examples: [[]],
  }),
  device_flow: Type.Boolean({ default: true, description: "whether members approve devices" }),
  trusted_browsers: Type.Boolean({ default: true, description: "whether a trusted browser replaces the challenge" }),
  password_min_length: nullable(
    whole(PASSWORD_MIN_CODE_POINTS, POLICY_PASSWORD_LENGTH_MAX, "of the next password", 16),
  ),
  password_check: Type.Boolean({ default: false, description: "refuses common passwords" }),
  domain_join: oneOf(DOMAIN_JOIN_POLICIES, { default: "off", description: "joining by a verified domain" }),
  sign_in_notices: Type.Boolean({ default: true, description: "notices of new browsers in bound sessions" }),
};

/** As the properties of a request: an absent member has the default. */
function optional<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Partial(Type.Object(properties)).properties;
}

export const ReplacePoliciesBody = Type.Object(
  {
    ...optional(SETTINGS),
    policies_at: Type.Optional(
      nullable(Type.String({ documented: { format: "date-time" }, examples: ["2026-01-02T03:04:05.678Z"] }), {
        description: `start of the policies, at most ${POLICY_AHEAD_DAYS_MAX} days ahead; null: now`,
      }),
    ),
    confirm: Type.Optional(
      Type.Boolean({
        description:
          "accepts a lock-out of the caller if a user has emergency access, and named channels (section 32.9)",
        examples: [false],
      }),
    ),
    revision: Type.Optional(Type.Integer({ description: "the revision that the caller has read", examples: [3] })),
  },
  { $id: "ReplacePoliciesRequest" },
);

const PolicySettingsItem = Type.Object(SETTINGS, { $id: "OrganizationPolicySettings" });

export const PoliciesItem = Type.Object(
  {
    ...SETTINGS,
    policies_at: nullable(Timestamp, { description: "start of the policies; null: no policy" }),
    in_force: PolicySettingsItem,
    revision: Type.Integer({ examples: [3] }),
    updated_at: nullable(Timestamp, { description: "null: the defaults apply" }),
  },
  { $id: "OrganizationPolicies" },
);

function count(description: string, example: number) {
  return Type.Integer({ documented: { minimum: 0 }, description, examples: [example] });
}

const AffectedItem = Type.Object(
  {
    affected: count("members whom a rule affects", 3),
    counts: Type.Object({
      allowed_ips: count("members with a session from an address outside of the ranges", 0),
      device_flow: count("members who use an application for devices, and can approve no further device", 0),
      invite_domains: count("members with an address of another domain, who stay members", 1),
      methods: count("members without a permitted method", 0),
      mfa: count("members without the factor", 2),
      passwords: count("members whose next password follows a stricter rule", 0),
      session: count("members with a session that ends", 1),
      third_party_clients: count("members with an application whose access ends", 0),
      trusted_browsers: count("members with a trusted browser, who present the factor at every sign-in", 0),
    }),
    sessions_ended: count("live sessions that end", 4),
    members: Type.Array(
      Type.Object(
        {
          user_id: Uuid,
          email: Type.String({ examples: ["grace@example.com"] }),
          rules: Type.Array(oneOf(AFFECTING_RULES), { examples: [["mfa"]] }),
        },
        { $id: "AffectedMember" },
      ),
      { documented: { maxItems: POLICY_DRY_RUN_MEMBERS_MAX }, description: "the first affected members by address" },
    ),
  },
  { $id: "AffectedByPolicies" },
);

export const PoliciesOrAffected = Type.Union([PoliciesItem, AffectedItem], { $id: "PoliciesOrAffected" });
