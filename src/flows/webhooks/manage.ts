import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import {
  WEBHOOK_BACKLOG_KEPT,
  WEBHOOK_DROP_BATCH,
  WEBHOOK_DROP_BATCHES_MAX,
  WEBHOOK_EVENT_TYPES_MAX,
  WEBHOOK_PREVIOUS_SECRET_MS,
  WEBHOOK_ROTATION_REPEATED_MS,
  WEBHOOKS_MAX,
} from "../../limits/machine-limits.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { dropBacklog } from "../../models/webhook/delivery.ts";
import {
  CHECKPOINT_PUBLISHED,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  type NewWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
  type WebhookChange,
} from "../../models/webhook/webhook.ts";
import { makeWebhookSecret, sealWebhookSecret } from "../../models/webhook/webhook-signature.ts";
import { readTargetUrl } from "../../providers/guarded-post.ts";
import { AUDIT_ACTIONS } from "../../vocabulary/audit-action.ts";
import { type AuditEvent, userAuditEvent } from "../steps/audit/audit-event.ts";
import type {
  EventReader,
  ServiceAccountAdmin,
  ServiceAccountReader,
} from "../steps/authorization/authorize-service-accounts.ts";
import { lockCredential } from "../steps/credentials/lock-credential.ts";

export type WebhookFlowDeps = StoreDeps & Pick<Deps, "sealing" | "webhooks">;

const TOO_MANY = refusal("conflict", `There are ${WEBHOOKS_MAX} webhooks already.`);
const NO_SUCH_WEBHOOK = refusal("not_found", "There is no such webhook.");
const NOT_EVENT_TYPES = invalidInput(
  "event_types",
  "unknown_value",
  "audit actions such as member.removed, all below a name such as auth.*, or *",
);
const OF_THE_PLATFORM = invalidInput(
  "event_types",
  "not_allowed",
  `${CHECKPOINT_PUBLISHED} is for webhooks of the platform`,
);
// Each record is compared with every event type, in the statement that writes the record.
const TOO_MANY_EVENT_TYPES = invalidInput("event_types", "too_long", `at most ${WEBHOOK_EVENT_TYPES_MAX}`);

export interface WebhookInput {
  readonly caller: ServiceAccountAdmin;
  readonly webhookId: string;
  readonly client: RequestContext;
}

export interface CreateWebhookInput {
  readonly caller: ServiceAccountAdmin;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  readonly client: RequestContext;
}

export interface WithSecret {
  readonly webhook: Webhook;
  /** Only in this response. */
  readonly secret: string;
}

/** POST …/webhooks (docs/contract.md, section 26.2). */
export async function createWebhook(
  deps: WebhookFlowDeps,
  { caller, url: given, eventTypes, enabled, client }: CreateWebhookInput,
): Promise<Result<WithSecret, Refusal<"authentication_required" | "conflict" | "invalid_input">>> {
  const valid = validateChange(deps, caller, { url: given, eventTypes });
  if (!valid.ok) return valid;
  const { url } = valid.value;
  const [id, secret, createdAt] = [deps.random.uuid(), makeWebhookSecret(deps.random), new Date(deps.clock.now())];
  const sealedSecret = sealWebhookSecret(deps, id, secret);
  const { organizationId, responsibleId: createdBy } = caller;
  const webhook: NewWebhook = { id, organizationId, createdBy, url, eventTypes, enabled, sealedSecret, createdAt };
  const entry = webhookAuditEvent(deps, { caller, webhookId: id, client }, "webhook.created", createdAt, { enabled });
  return await deps.database.transaction("webhook.create", async (sql) => {
    const locked = await lockCredential(sql, caller.credential, createdAt);
    if (!locked.ok) return locked;
    await lockName(sql, `webhooks of ${organizationId}`);
    const [row] = await sql<Webhook[]>`
      with changed as (${insertWebhook(sql, webhook, WEBHOOKS_MAX)}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select * from changed`;
    return row ? ok({ webhook: row, secret }) : err(TOO_MANY);
  });
}

/** GET …/webhooks (docs/contract.md, section 26.2). */
export async function listManagedWebhooks(
  deps: Pick<Deps, "reads">,
  { caller, page }: { readonly caller: ServiceAccountReader; readonly page: Page },
): Promise<Result<Listing<Webhook>, never>> {
  const found = await deps.reads.run("webhook.list", caller.reader, (sql) =>
    listWebhooks(sql, caller.organizationId, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** The webhook, if the caller may see the webhook. */
export async function findManagedWebhook(
  deps: Pick<Deps, "database">,
  { caller, webhookId }: { readonly caller: EventReader; readonly webhookId: string },
): Promise<Result<Webhook, Refusal<"not_found">>> {
  const webhook = await deps.database.run("webhook.find", (sql) => findWebhook(sql, webhookId, caller.organizationId));
  return webhook ? ok(webhook) : err(NO_SUCH_WEBHOOK);
}

/** PATCH …/webhooks/:id (docs/contract.md, section 26.2). */
export async function changeWebhook(
  deps: WebhookFlowDeps,
  input: WebhookInput & { readonly change: WebhookChange },
): Promise<Result<Webhook, Refusal<"authentication_required" | "invalid_input" | "not_found">>> {
  const valid = validateChange(deps, input.caller, input.change);
  if (!valid.ok) return valid;
  const change = valid.value;
  const found = await findManagedWebhook(deps, input);
  if (!found.ok) return found;
  if (change.enabled) await giveUpBacklog(deps, input.webhookId);
  const at = new Date(deps.clock.now());
  const fields = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const entry = webhookAuditEvent(deps, input, "webhook.updated", at, { fields: fields.join(" ") });
  const changed = await changeAsCaller(deps, input, "webhook.update", entry, (sql) =>
    updateWebhook(sql, input.webhookId, change, at),
  );
  if (changed.ok) deps.webhooks.wake();
  return changed;
}

/** Runs the CTE fragment `change` with its audit record while the caller's credential is live. */
async function changeAsCaller(
  { database }: Pick<Deps, "database">,
  { caller }: WebhookInput,
  name: string,
  entry: AuditEntry,
  change: (sql: Sql) => Fragment,
): Promise<Result<Webhook, Refusal<"authentication_required" | "not_found">>> {
  return await database.transaction(name, async (sql) => {
    const locked = await lockCredential(sql, caller.credential, entry.at);
    if (!locked.ok) return locked;
    const [row] = await sql<Webhook[]>`
      with changed as (${change(sql)}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select * from changed`;
    return row ? ok(row) : err(NO_SUCH_WEBHOOK);
  });
}

/**
 * Runs before a webhook disabled for its backlog is enabled, in separate statements: one statement for the complete
 * backlog could exceed its deadline each time. Deliveries given up by a failed request are not given up again. Exported
 * for the tests.
 */
export async function giveUpBacklog(
  { database }: Pick<Deps, "database">,
  webhookId: string,
  { keep, batch } = { keep: WEBHOOK_BACKLOG_KEPT, batch: WEBHOOK_DROP_BATCH },
): Promise<void> {
  for (let done = 0; done < WEBHOOK_DROP_BATCHES_MAX; done += 1) {
    const dropped = await database.run("webhook.drop_backlog", (sql) => dropBacklog(sql, webhookId, keep, batch));
    if (dropped < batch) return;
  }
}

/**
 * POST …/webhooks/:id/secret (docs/contract.md, section 26.2): deliveries are signed with the old secret too for a day,
 * so the receiver can change the secret without a gap, even after a double click.
 */
export async function rotateSecret(
  deps: WebhookFlowDeps,
  input: WebhookInput,
): Promise<Result<WithSecret, Refusal<"authentication_required" | "not_found">>> {
  const found = await findManagedWebhook(deps, input);
  if (!found.ok) return found;
  const at = new Date(deps.clock.now());
  const secret = makeWebhookSecret(deps.random);
  const sealed = sealWebhookSecret(deps, input.webhookId, secret);
  const previousExpiresAt = new Date(at.getTime() + WEBHOOK_PREVIOUS_SECRET_MS);
  const repeatedAfter = new Date(previousExpiresAt.getTime() - WEBHOOK_ROTATION_REPEATED_MS);
  const entry = webhookAuditEvent(deps, input, "webhook.secret_rotated", at);
  const changed = await changeAsCaller(deps, input, "webhook.rotate_secret", entry, (sql) =>
    rotateWebhookSecret(sql, input.webhookId, sealed, at, previousExpiresAt, repeatedAfter),
  );
  return changed.ok ? ok({ webhook: changed.value, secret }) : changed;
}

/** DELETE …/webhooks/:id (docs/contract.md, section 26.2), together with its deliveries. */
export async function removeWebhook(deps: StoreDeps, input: WebhookInput): Promise<Result<void, Refusal<"not_found">>> {
  const found = await findManagedWebhook(deps, input);
  if (!found.ok) return found;
  const entry = webhookAuditEvent(deps, input, "webhook.deleted", new Date(deps.clock.now()));
  await deps.database.run(
    "webhook.delete",
    (sql) => sql`
      with deleted as (${deleteWebhook(sql, input.webhookId)}) ${insertAudit(sql, entry, sql`from deleted`)}`,
  );
  return ok(undefined);
}

export function webhookAuditEvent(
  deps: Pick<Deps, "random">,
  { caller, webhookId, client }: WebhookInput,
  action: AuditEvent["action"],
  at: Date,
  metadata: AuditEntry["metadata"] = {},
): AuditEntry & { readonly eventId: string } {
  const resource = { type: "webhook", id: webhookId } as const;
  const entry = userAuditEvent(deps, caller.actor, client, { action, at, resource, metadata });
  return { ...entry, eventId: String(entry.eventId) };
}

/** The change with the URL in stored form. */
function validateChange<Change extends WebhookChange>(
  { config }: Pick<Deps, "config">,
  { organizationId }: ServiceAccountAdmin,
  change: Change,
): Result<Change, Refusal<"invalid_input">> {
  const { url, eventTypes } = change;
  const target = url === undefined ? undefined : readTargetUrl(config.webhooks, url);
  if (target?.ok === false) return err(invalidInput("url", target.error.rule, target.error.text));
  if (eventTypes && eventTypes.length > WEBHOOK_EVENT_TYPES_MAX) return err(TOO_MANY_EVENT_TYPES);
  if (organizationId !== null && eventTypes?.includes(CHECKPOINT_PUBLISHED)) return err(OF_THE_PLATFORM);
  if (eventTypes?.every(isEventType) === false) return err(NOT_EVENT_TYPES);
  return ok(target ? { ...change, url: target.value } : change);
}

/**
 * `*`, an action such as `member.removed`, or all actions below a name, such as `auth.*`: among the existing actions.
 */
function isEventType(text: string): boolean {
  if (text === "*" || text === CHECKPOINT_PUBLISHED) return true;
  const prefix = text.endsWith(".*") ? text.slice(0, -1) : undefined;
  return AUDIT_ACTIONS.some((action) => action === text || (prefix !== undefined && action.startsWith(prefix)));
}
