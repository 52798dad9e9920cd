import { Type } from "@sinclair/typebox";
import { PROVISIONING_REASONS } from "../../flows/sso/sign-in/decide-provisioning.ts";
import { CHECK_OUTCOMES, TEST_CHECKS } from "../../flows/sso/tests/test-result.ts";
import { nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

export const ConnectionTestUrl = Type.Object(
  {
    url: text(
      "https://id.example.com/v1/auth/sso/019a2f6e-5a1b-7c3d-8e4f-1a2b3c4d5e6f/start?intent=test&handle=Zk9u",
      "address for the browser of this session, once, within ten minutes",
    ),
  },
  { $id: "SsoConnectionTestUrl" },
);

const Check = Type.Object(
  {
    name: oneOf(TEST_CHECKS),
    outcome: oneOf(CHECK_OUTCOMES),
    detail: nullable(text("The ID token was issued too long ago.", "in English")),
  },
  { $id: "SsoTestCheck" },
);

const Mapping = Type.Object(
  {
    subject: text("00u1a2b3c4"),
    email: nullable(text("ada@acme.com")),
    display_name: nullable(text("Ada Lovelace")),
    groups: Type.Array(Type.String(), { description: "at most 50 of the groups", examples: [["Engineering"]] }),
    attributes: Type.Record(Type.String(), Type.String(), { examples: [{ department: "Research" }] }),
    aal: oneOf(["aal1", "aal2"]),
  },
  { $id: "SsoTestMapping" },
);

const Effect = Type.Object(
  {
    outcome: oneOf(["sign_in", "link", "create", "refused"]),
    joining: nullable(oneOf(["jit", "invitation"]), { description: "how the user would become a member" }),
    reason: nullable(oneOf(PROVISIONING_REASONS), { description: "of `refused`" }),
    role: nullable(text("member", "role in the organization after the sign-in")),
  },
  { $id: "SsoTestEffect" },
);

/** The result of the real flow without its effects. */
export const ConnectionTestItem = Type.Object(
  {
    id: Uuid,
    at: Timestamp,
    user_id: Uuid,
    succeeded: Type.Boolean({ description: "no check failed", examples: [true] }),
    current: Type.Boolean({ description: "the connection still has the settings of the test", examples: [true] }),
    checks: Type.Array(Check),
    claims: Type.Array(
      Type.Object(
        { name: text("email"), value: text("ada@acme.com", "at most 200 characters") },
        { $id: "SsoTestClaim" },
      ),
      { description: "the received claims" },
    ),
    mapping: nullable(Mapping, { description: "null after a failure before the mapping" }),
    effect: nullable(Effect, { description: "outcome of a sign-in" }),
  },
  { $id: "SsoConnectionTest" },
);
