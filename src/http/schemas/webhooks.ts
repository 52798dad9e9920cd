import { Type } from "@sinclair/typebox";
import {
  WEBHOOK_EVENT_TYPES_MAX,
  WEBHOOK_EVENTS_PAGE_DEFAULT,
  WEBHOOK_EVENTS_PAGE_MAX,
  WEBHOOK_REPEATED_MAX,
  WEBHOOK_URL_MAX_CHARACTERS,
} from "../../limits/machine-limits.ts";
import { DELIVERY_STATUSES } from "../../models/webhook/delivery.ts";
import { nullable, oneOf, PageQuery, Timestamp, text, Uuid } from "./common.ts";

const WebhookUrl = Type.String({
  maxLength: WEBHOOK_URL_MAX_CHARACTERS,
  documented: { format: "uri" },
  description: "https; its host must have public addresses only",
  examples: ["https://app.example.com/webhooks/identity"],
});
const EventTypes = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES_MAX,
  description: "audit actions, all below a name (`auth.*`), or `*`",
  examples: [["member.*", "auth.login"]],
});
const Enabled = Type.Boolean({ examples: [true] });

export const WebhooksQuery = Type.Object({ ...PageQuery.properties });
export const CreateWebhookBody = Type.Object(
  { url: WebhookUrl, event_types: EventTypes, enabled: Type.Optional({ ...Enabled, description: "default: true" }) },
  { $id: "CreateWebhookRequest" },
);
export const ChangeWebhookBody = Type.Object(
  { url: Type.Optional(WebhookUrl), event_types: Type.Optional(EventTypes), enabled: Type.Optional(Enabled) },
  { $id: "ChangeWebhookRequest" },
);

const webhook = {
  id: Uuid,
  organization_id: nullable(Uuid, { description: "null: webhook of the platform, for events of every organization" }),
  url: text("https://app.example.com/webhooks/identity"),
  event_types: Type.Array(Type.String(), { examples: [["member.*", "auth.login"]] }),
  enabled: Enabled,
  disabled_reason: nullable(oneOf(["gone", "backlog", "control_proven"]), {
    description: "reason for which the service disabled the webhook",
  }),
  failures: Type.Integer({ description: "failed batches in a row", examples: [0] }),
  paused_until: nullable(Timestamp, { description: "end of the pause of deliveries" }),
  retry_schedule_seconds: Type.Array(Type.Integer(), {
    description:
      "pauses between the attempts of a delivery; `Retry-After` of a 429 or 503 extends a pause, to at most an hour",
    examples: [[5, 10, 20, 40]],
  }),
  previous_secret_expires_at: nullable(Timestamp, {
    description: "until then deliveries are signed with the previous secret too",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
};
export const WebhookItem = Type.Object(webhook, { $id: "Webhook" });
export const WebhookWithSecret = Type.Object(
  { ...webhook, secret: text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=", "only in this response") },
  { $id: "WebhookWithSecret" },
);

const Since = Type.String({ description: "RFC 3339; at most 30 days ago", examples: ["2026-01-02T03:04:05.678Z"] });
const Until = Type.String({ description: "RFC 3339; default: now", examples: ["2026-01-02T09:00:00.000Z"] });
export const RecoverWebhookBody = Type.Object(
  { since: Since, until: Type.Optional(Until) },
  { $id: "RecoverWebhookRequest" },
);
export const ResendFailedBody = Type.Object(
  { since: Type.Optional(Since), until: Type.Optional(Until) },
  { $id: "ResendFailedDeliveriesRequest" },
);
export const RepeatedDeliveries = Type.Object(
  {
    events: Type.Integer({ description: "deliveries that are due again", examples: [42] }),
    continue_from: nullable(Timestamp, {
      description: `\`since\` of the next request after ${WEBHOOK_REPEATED_MAX} events; null: complete`,
    }),
  },
  { $id: "RepeatedDeliveries" },
);
export const WebhookEventsQuery = Type.Object({
  after: Type.Optional(
    text("4711", "`cursor` of the response before, or `latest`; default: from the oldest event that is kept"),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: WEBHOOK_EVENTS_PAGE_MAX,
      description: `default ${WEBHOOK_EVENTS_PAGE_DEFAULT}`,
      examples: [WEBHOOK_EVENTS_PAGE_DEFAULT],
    }),
  ),
});
const WebhookEventItem = Type.Object(
  {
    event_id: { ...Uuid, description: "the header webhook-id" },
    event_type: text("member.removed"),
    created_at: Timestamp,
    payload: text(
      '{"type":"member.removed","timestamp":"2026-01-02T03:04:05.678Z","data":{}}',
      "the body, byte for byte",
    ),
  },
  { $id: "WebhookEvent" },
);
export const WebhookEvents = Type.Object(
  {
    items: Type.Array(WebhookEventItem),
    cursor: text("4711", "for `after` of the next request"),
    has_more: Type.Boolean({ description: "whether the next page can be read at once", examples: [false] }),
  },
  { $id: "WebhookEvents" },
);

const DeliveryStatus = oneOf(DELIVERY_STATUSES, { $id: "DeliveryStatus" });
export const DeliveriesQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional({ ...DeliveryStatus, note: "only deliveries in this state" }),
});
export const DeliveryItem = Type.Object(
  {
    event_id: { ...Uuid, description: "the header webhook-id" },
    event_type: text("member.removed"),
    status: DeliveryStatus,
    attempts: Type.Integer({ examples: [1] }),
    next_attempt_at: nullable(Timestamp, { description: "null unless pending" }),
    attempted_at: nullable(Timestamp),
    answer_status: nullable(Type.Integer({ examples: [204] }), {
      description: "of the last attempt; null: no response",
    }),
    answer_ms: nullable(Type.Integer({ examples: [48] })),
    answer: nullable(text("ok"), { description: "the first KiB of the response, or the reason of a missing response" }),
    created_at: Timestamp,
  },
  { $id: "WebhookDelivery" },
);
