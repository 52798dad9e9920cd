import { Type } from "@sinclair/typebox";
import { CLAIM_OUTCOMES } from "../../vocabulary/claim-mapping.ts";
import { AuditItem } from "./admin.ts";
import { nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

const CountedLimit = Type.Object(
  {
    name: text("sign_in"),
    limit: Type.Integer({ examples: [60] }),
    window_seconds: Type.Integer({ examples: [60] }),
    remaining: Type.Integer({ description: "left after this request", examples: [0] }),
    reset_seconds: Type.Integer({ description: "until the window ended", examples: [12] }),
  },
  { $id: "CountedLimit" },
);

const RequestDecision = Type.Object(
  {
    at: Timestamp,
    method: text("POST"),
    route: text("/v1/auth/login", "template of the path"),
    operation: nullable(text("login")),
    status: Type.Integer({ examples: [429] }),
    code: nullable(text("rate_limited", "code of the refusal")),
    rule: nullable(text("limit sign_in", "the rule that decided")),
    bound: nullable(text("limit_sign_in", "name of the limit or bound that refused the request")),
    limits: Type.Array(CountedLimit),
    counters: Type.Record(Type.String(), Type.Number(), {
      description: "counters of the decision",
      examples: [{ waiting_jobs: 128 }],
    }),
    retry_after_seconds: nullable(Type.Integer({ examples: [12] })),
    user_id: nullable(Uuid),
    organization_id: nullable(Uuid),
    network: nullable(text("203.0.113.7", "client network, as counted by limits")),
    duration_ms: Type.Number({ examples: [3.1] }),
    trace_id: nullable(text("4bf92f3577b34da6a3ce929d0e0e4736")),
    claims: Type.Array(Type.Object({ claim: text("groups"), outcome: oneOf(CLAIM_OUTCOMES) }), {
      description: "outcomes of claim mappings, without values",
    }),
  },
  { $id: "RequestDecision" },
);

/** docs/contract.md, section 14.11. */
export const ExplanationBody = Type.Object(
  {
    request_id: Uuid,
    requests: Type.Array(RequestDecision),
    events: Type.Array(AuditItem),
    sentences: Type.Array(text("The rule that decided: limit sign_in.")),
  },
  { $id: "RequestExplanation" },
);
