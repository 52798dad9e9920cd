import { retrySchedule } from "../../base/delivery-retries.ts";
import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listWebhookDeliveries, resendDelivery, testWebhook } from "../../flows/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  listManagedWebhooks,
  removeWebhook,
  rotateSecret,
  type WebhookFlowDeps,
} from "../../flows/webhooks/manage.ts";
import type { Delivery } from "../../models/webhook/delivery.ts";
import type { Webhook } from "../../models/webhook/webhook.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import {
  authorizeFor,
  authorizeReaderFor,
  type ServiceAccountScopeRoute,
  serviceAccountScopes,
} from "../organizations/service-account-scopes.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  DeliveriesQuery,
  DeliveryItem,
  WebhookItem,
  WebhooksQuery,
  WebhookWithSecret,
} from "../schemas/webhooks.ts";

export type WebhookDeps = WebhookFlowDeps & Pick<Deps, "reads">;

const tag = "Webhooks";
const RETRY_SCHEDULE_SECONDS = retrySchedule().map((pauseMs) => pauseMs / 1000);

/** docs/contract.md, chapter 26. */
export function webhookRoutes(deps: WebhookDeps): Endpoint[] {
  return serviceAccountScopes("webhooks").flatMap((home) => [
    ...collectionRoutes(deps, home),
    ...webhookItemRoutes(deps, home),
    ...secretRoutes(deps, home),
    ...deliveryRoutes(deps, home),
    ...sendRoutes(deps, home),
  ]);
}

/** The paths of one scope. The organization parameter is optional, so the type contains the parameter. */
function pathsOf({ base }: ServiceAccountScopeRoute) {
  return {
    webhooks: base as "/:org_id",
    webhook: `${base}/:id` as "/:org_id/:id",
    secret: `${base}/:id/secret` as "/:org_id/:id",
    test: `${base}/:id/test` as "/:org_id/:id",
    deliveries: `${base}/:id/deliveries` as "/:org_id/:id",
    resend: `${base}/:id/deliveries/:event_id/resend` as "/:org_id/:id/:event_id",
  };
}

function collectionRoutes(deps: WebhookDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const path = pathsOf(home).webhooks;
  return [
    endpoint({
      method: "POST",
      path,
      operationId: `create${home.word}Webhook`,
      docs: { clientMethod: `${home.methods}webhooks.create`, section: "26.2" },
      stepUp: "takes_data_out",
      tag,
      summary: `Create a webhook of ${home.of}`,
      auth: "administrative",
      permission: home.write,
      input: { body: CreateWebhookBody },
      responses: { 201: { description: "Created; only this response contains the secret", schema: WebhookWithSecret } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, body, client }) {
        const { url, event_types: eventTypes, enabled = true } = body;
        const created = await createWebhook(deps, { caller, url, eventTypes, enabled, client });
        if (!created.ok) return created;
        return ok(reply(201, { ...webhookBody(created.value.webhook), secret: created.value.secret }));
      },
    }),
    endpoint({
      method: "GET",
      path,
      operationId: `list${home.word}Webhooks`,
      docs: { clientMethod: `${home.methods}webhooks.list`, section: "26.2" },
      tag,
      summary: `List the webhooks of ${home.of}`,
      auth: "administrative",
      permission: home.read,
      input: { query: WebhooksQuery },
      responses: { 200: { description: "Newest first", schema: listOf(WebhookItem) } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeReaderFor(deps, home.write),
      async handle({ authorized: caller, query }) {
        const listing = await listManagedWebhooks(deps, { caller, page: clampPage(query.page, query.page_size) });
        return listing.ok ? ok(listReply(listing.value, webhookBody)) : listing;
      },
    }),
  ];
}

function webhookItemRoutes(deps: WebhookDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const path = pathsOf(home).webhook;
  return [
    endpoint({
      method: "PATCH",
      path,
      operationId: `change${home.word}Webhook`,
      version: { of: "webhook", by: "id" },
      docs: { clientMethod: `${home.methods}webhooks.update`, section: "26.2" },
      stepUp: "takes_data_out",
      stepUpFor: ({ url, event_types, enabled }) => url !== undefined || event_types !== undefined || enabled === true,
      tag,
      summary: `Change a webhook of ${home.of}, or switch it on or off`,
      auth: "administrative",
      permission: home.write,
      input: { body: ChangeWebhookBody },
      responses: { 200: { description: "The updated webhook", schema: WebhookItem } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, body, client }) {
        const change = { url: body.url, eventTypes: body.event_types, enabled: body.enabled };
        const webhook = await changeWebhook(deps, { caller, webhookId: params.id, change, client });
        return webhook.ok ? ok(reply(200, webhookBody(webhook.value))) : webhook;
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      operationId: `delete${home.word}Webhook`,
      version: { of: "webhook", by: "id" },
      docs: { clientMethod: `${home.methods}webhooks.delete`, section: "26.2" },
      tag,
      summary: `Delete a webhook of ${home.of}, and its deliveries`,
      auth: "administrative",
      permission: home.write,
      responses: { 204: { description: "Deleted" } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removeWebhook(deps, { caller, webhookId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function secretRoutes(deps: WebhookDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: pathsOf(home).secret,
      operationId: `rotate${home.word}WebhookSecret`,
      docs: { clientMethod: `${home.methods}webhooks.rotateSecret`, section: "26.2" },
      stepUp: "adds_credential",
      tag,
      summary: `Replace the secret of a webhook of ${home.of}`,
      description: "For a day, deliveries are signed with both secrets.",
      auth: "administrative",
      permission: home.write,
      responses: { 200: { description: "The new secret, only in this response", schema: WebhookWithSecret } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const rotated = await rotateSecret(deps, { caller, webhookId: params.id, client });
        if (!rotated.ok) return rotated;
        return ok(reply(200, { ...webhookBody(rotated.value.webhook), secret: rotated.value.secret }));
      },
    }),
  ];
}

function deliveryRoutes(deps: WebhookDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: pathsOf(home).deliveries,
      operationId: `list${home.word}WebhookDeliveries`,
      docs: { clientMethod: `${home.methods}webhooks.listDeliveries`, section: "26.3" },
      tag,
      summary: `List the deliveries of a webhook of ${home.of}`,
      auth: "administrative",
      permission: home.read,
      input: { query: DeliveriesQuery },
      responses: { 200: { description: "Newest first; those of the last ten days", schema: listOf(DeliveryItem) } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeReaderFor(deps, home.write),
      async handle({ authorized: caller, params, query }) {
        const listing = await listWebhookDeliveries(deps, {
          caller,
          webhookId: params.id,
          status: query.status,
          page: clampPage(query.page, query.page_size),
        });
        return listing.ok ? ok(listReply(listing.value, deliveryBody)) : listing;
      },
    }),
  ];
}

function sendRoutes(deps: WebhookDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const paths = pathsOf(home);
  return [
    endpoint({
      method: "POST",
      path: paths.test,
      operationId: `test${home.word}Webhook`,
      docs: { clientMethod: `${home.methods}webhooks.test`, section: "26.3" },
      tag,
      summary: `Send a test event to a webhook of ${home.of}`,
      description: "The event is the audit record `webhook.tested` of this request, whatever the event types are.",
      auth: "administrative",
      permission: home.write,
      responses: { 202: { description: "Queued", schema: DeliveryItem } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const delivery = await testWebhook(deps, { caller, webhookId: params.id, client });
        return delivery.ok ? ok(reply(202, deliveryBody(delivery.value))) : delivery;
      },
    }),
    endpoint({
      method: "POST",
      path: paths.resend,
      operationId: `resend${home.word}WebhookDelivery`,
      docs: { clientMethod: `${home.methods}webhooks.resend`, section: "26.3" },
      tag,
      summary: `Send a delivery of a webhook of ${home.of} again`,
      auth: "administrative",
      permission: home.write,
      responses: { 202: { description: "Queued, under the same id", schema: DeliveryItem } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const input = { caller, webhookId: params.id, eventId: params.event_id, client };
        const delivery = await resendDelivery(deps, input);
        return delivery.ok ? ok(reply(202, deliveryBody(delivery.value))) : delivery;
      },
    }),
  ];
}

function webhookBody(webhook: Webhook) {
  return {
    id: webhook.id,
    organization_id: webhook.organizationId,
    url: webhook.url,
    event_types: webhook.eventTypes,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    failures: webhook.failures,
    paused_until: webhook.pausedUntil?.toISOString() ?? null,
    retry_schedule_seconds: RETRY_SCHEDULE_SECONDS,
    previous_secret_expires_at: webhook.previousExpiresAt?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

function deliveryBody(delivery: Delivery) {
  return {
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.status === "pending" ? delivery.nextAttemptAt.toISOString() : null,
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    answer_status: delivery.answerStatus,
    answer_ms: delivery.answerMs,
    answer: delivery.answer,
    created_at: delivery.createdAt.toISOString(),
  };
}
