import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { listWebhookEvents } from "../../flows/webhooks/events.ts";
import type { WebhookFlowDeps } from "../../flows/webhooks/manage.ts";
import { type Repeated, recoverWebhook, resendFailed } from "../../flows/webhooks/recover.ts";
import { WEBHOOK_EVENTS_PAGE_DEFAULT } from "../../limits/machine-limits.ts";
import type { WebhookEvent } from "../../models/webhook/replay.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import {
  authorizeEventReaderFor,
  authorizeFor,
  type ServiceAccountScopeRoute,
  serviceAccountScopes,
} from "../organizations/service-account-scopes.ts";
import { reply } from "../reply.ts";
import {
  RecoverWebhookBody,
  RepeatedDeliveries,
  ResendFailedBody,
  WebhookEvents,
  WebhookEventsQuery,
} from "../schemas/webhooks.ts";

const tag = "Webhooks";

/** The endpoints for a receiver to recover missed events after an outage (docs/contract.md, section 26.7). */
export function webhookRecoveryRoutes(deps: WebhookFlowDeps): Endpoint[] {
  return serviceAccountScopes("webhooks").flatMap((home) => [...eventRoutes(deps, home), ...repeatRoutes(deps, home)]);
}

function eventRoutes(deps: StoreDeps, { base, word, methods, of, read, write }: ServiceAccountScopeRoute): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: `${base}/:id/events` as "/:org_id/:id",
      operationId: `list${word}WebhookEvents`,
      docs: { clientMethod: `${methods}webhooks.listEvents`, section: "26.7" },
      tag,
      summary: `List the events of a webhook of ${of}`,
      description:
        "The events of the webhook in the last 30 days, oldest first, also from times while the webhook was off.",
      auth: "administrative",
      permission: read,
      keyPermission: "audit.read",
      input: { query: WebhookEventsQuery },
      responses: { 200: { description: "One page", schema: WebhookEvents } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeEventReaderFor(deps, write),
      async handle({ authorized: caller, params, query }) {
        const { after, limit = WEBHOOK_EVENTS_PAGE_DEFAULT } = query;
        const page = await listWebhookEvents(deps, { caller, webhookId: params.id, after, limit });
        if (!page.ok) return page;
        const { events, cursor, hasMore } = page.value;
        return ok(reply(200, { items: events.map(eventBody), cursor, has_more: hasMore }));
      },
    }),
  ];
}

function repeatRoutes(deps: WebhookFlowDeps, { base, word, methods, of, write }: ServiceAccountScopeRoute): Endpoint[] {
  const shared = {
    method: "POST",
    tag,
    auth: "administrative",
    permission: write,
    responses: { 202: { description: "Queued, under the same ids", schema: RepeatedDeliveries } },
    problems: ["not_found", "forbidden", "conflict", "mfa_required"],
    authorize: authorizeFor(deps, write),
  } as const;
  return [
    endpoint({
      ...shared,
      path: `${base}/:id/recover` as "/:org_id/:id",
      operationId: `recover${word}Webhook`,
      docs: { clientMethod: `${methods}webhooks.recover`, section: "26.7" },
      summary: `Send the events of a time range to a webhook of ${of} again`,
      description: "All events of the range: delivered, failed, and from times while the webhook was off.",
      input: { body: RecoverWebhookBody },
      async handle({ authorized: caller, params, body, client }) {
        const { since, until } = body;
        const repeated = await recoverWebhook(deps, { caller, webhookId: params.id, since, until, client });
        return repeated.ok ? ok(reply(202, repeatedBody(repeated.value))) : repeated;
      },
    }),
    endpoint({
      ...shared,
      path: `${base}/:id/deliveries/resend` as "/:org_id/:id",
      operationId: `resendFailed${word}WebhookDeliveries`,
      docs: { clientMethod: `${methods}webhooks.resendFailed`, section: "26.7" },
      summary: `Send the failed deliveries of a webhook of ${of} again`,
      input: { body: ResendFailedBody },
      async handle({ authorized: caller, params, body, client }) {
        const { since, until } = body;
        const repeated = await resendFailed(deps, { caller, webhookId: params.id, since, until, client });
        return repeated.ok ? ok(reply(202, repeatedBody(repeated.value))) : repeated;
      },
    }),
  ];
}

function eventBody({ eventId, eventType, createdAt, payload }: WebhookEvent) {
  return { event_id: eventId, event_type: eventType, created_at: createdAt.toISOString(), payload };
}

function repeatedBody({ events, continueFrom }: Repeated) {
  return { events, continue_from: continueFrom?.toISOString() ?? null };
}
