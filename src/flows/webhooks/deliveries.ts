import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { WEBHOOK_DELIVERY_LIFETIME_MS } from "../../limits/machine-limits.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import {
  type Delivery,
  type DeliveryStatus,
  insertDelivery,
  listDeliveries,
  renewDelivery,
} from "../../models/webhook/delivery.ts";
import type { ServiceAccountReader } from "../steps/authorization/authorize-service-accounts.ts";
import { findManagedWebhook, type WebhookFlowDeps, type WebhookInput, webhookAuditEvent } from "./manage.ts";

const NO_SUCH_DELIVERY = refusal("not_found", "There is no such delivery.");
export const SWITCHED_OFF = refusal("conflict", "This webhook is switched off. Switch it on first.");

export interface DeliveriesInput extends Pick<WebhookInput, "webhookId"> {
  readonly caller: ServiceAccountReader;
  readonly status: DeliveryStatus | undefined;
  readonly page: Page;
}

/** GET …/webhooks/:id/deliveries (docs/contract.md, section 26.3): newest first. */
export async function listWebhookDeliveries(
  deps: Pick<Deps, "database" | "reads">,
  input: DeliveriesInput,
): Promise<Result<Listing<Delivery>, Refusal<"not_found">>> {
  const { caller, webhookId, status, page } = input;
  const webhook = await findManagedWebhook(deps, input);
  if (!webhook.ok) return webhook;
  const found = await deps.reads.run("webhook_delivery.list", caller.reader, (sql) =>
    listDeliveries(sql, webhookId, status, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/**
 * POST …/webhooks/:id/deliveries/:event_id/resend (docs/contract.md, section 26.3): due at once, under the same id, for
 * another three days.
 */
export async function resendDelivery(
  deps: WebhookFlowDeps,
  input: WebhookInput & { readonly eventId: string },
): Promise<Result<Delivery, Refusal<"conflict" | "not_found">>> {
  const webhook = await findManagedWebhook(deps, input);
  if (!webhook.ok) return webhook;
  if (!webhook.value.enabled) return err(SWITCHED_OFF);
  const at = new Date(deps.clock.now());
  const expiresAt = new Date(at.getTime() + WEBHOOK_DELIVERY_LIFETIME_MS);
  const entry = webhookAuditEvent(deps, input, "webhook.resent", at, { event_id: input.eventId });
  const { webhookId, eventId, client } = input;
  const renewal = { webhookId, eventId, at, expiresAt, traceparent: client.traceparent };
  const [row] = await deps.database.run(
    "webhook_delivery.renew",
    (sql) => sql<Delivery[]>`
      with ${renewDelivery(sql, renewal)},
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select * from changed`,
  );
  if (!row) return err(NO_SUCH_DELIVERY);
  deps.webhooks.wake();
  return ok(row);
}

/**
 * POST …/webhooks/:id/test (docs/contract.md, section 26.3): sends the audit record `webhook.tested` of this request,
 * independent of the event types.
 */
export async function testWebhook(
  deps: WebhookFlowDeps,
  input: WebhookInput,
): Promise<Result<Delivery, Refusal<"conflict" | "not_found">>> {
  const webhook = await findManagedWebhook(deps, input);
  if (!webhook.ok) return webhook;
  if (!webhook.value.enabled) return err(SWITCHED_OFF);
  const at = new Date(deps.clock.now());
  const expiresAt = new Date(at.getTime() + WEBHOOK_DELIVERY_LIFETIME_MS);
  const entry = webhookAuditEvent(deps, input, "webhook.tested", at);
  const { userId } = input.caller.actor;
  const delivery = await deps.database.transaction("webhook.test", async (sql) => {
    await recordAudit(sql, entry);
    return await insertDelivery(sql, { webhookId: input.webhookId, eventId: entry.eventId, at, expiresAt }, userId);
  });
  if (!delivery) throw new Error("the test event has no delivery");
  deps.webhooks.wake();
  return ok(delivery);
}
