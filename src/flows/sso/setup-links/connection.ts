/** The one connection of a set-up link (docs/contract.md, section 29.52). */
import { inertName } from "../../../base/display-name.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, EmailDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { noticeTime } from "../../../models/email/email.ts";
import { unassignConnection } from "../../../models/organization-domain/organization-domain.ts";
import { saveSetupConnection } from "../../../models/setup-link/setup-link.ts";
import { deleteConnection, lockConnection, updateConnection } from "../../../models/sso-connection/sso-connection.ts";
import type { SetupCaller } from "../../steps/authorization/authorize-setup-link.ts";
import { mailOwners } from "../../steps/email/mail-owners.ts";
import { connectionAuditEvent } from "../connections/audit-connection.ts";
import { type CreateConnectionInput, createConnection, type SsoSettingsDeps } from "../connections/create.ts";
import { type ConnectionView, NO_SUCH_CONNECTION, readConnection } from "../connections/read.ts";
import { missingPrecondition } from "../connections/set-status.ts";
import { connectionPageUrl } from "../connections/urls.ts";
import type { SsoDeps } from "../sign-in/connection.ts";
import type { SsoStarted } from "../sign-in/start.ts";
import { createConnectionTest } from "../tests/create.ts";
import { startSsoTest } from "../tests/start.ts";

export interface SetupInput {
  readonly setup: SetupCaller;
  readonly client: RequestContext;
}

/** The connection that the link created; undefined before the creation, and after a deletion by an administrator. */
export async function readSetupConnection(
  deps: Pick<EmailDeps, "database">,
  { caller, link }: SetupCaller,
): Promise<ConnectionView | undefined> {
  if (link.connectionId === null) return undefined;
  const found = await readConnection(deps, { caller, connectionId: link.connectionId });
  return found.ok ? found.value : undefined;
}

/** Creates the connection of the link: a second creation is `conflict`. */
export async function createSetupConnection(
  deps: SsoSettingsDeps,
  { setup, ...input }: SetupInput & Pick<CreateConnectionInput, "preset" | "protocol" | "settings">,
): Promise<Awaited<ReturnType<typeof createConnection>>> {
  const { caller, link } = setup;
  return await createConnection(deps, { ...input, caller, assign: (sql, id) => saveSetupConnection(sql, link.id, id) });
}

type ReplaceProblem = Refusal<"conflict">;
const IS_IN_USE = refusal("conflict", "The connection has been activated: an administrator changes the provider.");

/**
 * Creates a connection for another identity provider in place of the draft of the link, which is deleted. A connection
 * that members have used is no draft and stays.
 */
export async function replaceSetupConnection(
  deps: SsoSettingsDeps & Pick<Deps, "domainDirectory">,
  input: SetupInput & Pick<CreateConnectionInput, "preset" | "protocol" | "settings">,
): Promise<Awaited<ReturnType<typeof createConnection>> | Result<never, ReplaceProblem>> {
  const discarded = await discardDraft(deps, input);
  return discarded.ok ? await createSetupConnection(deps, input) : discarded;
}

async function discardDraft(
  deps: SsoSettingsDeps & Pick<Deps, "domainDirectory">,
  { setup: { caller, link }, client }: SetupInput,
): Promise<Result<void, ReplaceProblem>> {
  const { connectionId } = link;
  if (connectionId === null) return ok(undefined);
  const { organizationId } = caller;
  const at = new Date(deps.clock.now());
  const entry = connectionAuditEvent(deps, { caller, connectionId, client }, "sso.connection.deleted", at);
  const discarded = await deps.database.transaction<Result<void, ReplaceProblem>>(
    "sso_connection.discard_draft",
    async (sql) => {
      const connection = await lockConnection(sql, organizationId, connectionId);
      if (!connection) return ok(undefined);
      if (connection.status !== "draft") return err(IS_IN_USE);
      await unassignConnection(sql, connectionId);
      await sql`with deleted as (${deleteConnection(sql, connectionId)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
      return ok(undefined);
    },
  );
  if (discarded.ok) await Promise.all([deps.ssoDirectory.changed(), deps.domainDirectory.changedRow(organizationId)]);
  return discarded;
}

/** Begins a test in the browser of the link: the request to the identity provider. */
export async function startSetupTest(
  deps: SsoDeps,
  { setup: { caller, link }, client }: SetupInput,
): Promise<Result<SsoStarted, Refusal<"conflict" | "internal_error" | "not_found" | "rate_limited">>> {
  const { connectionId } = link;
  if (connectionId === null) return err(NO_SUCH_CONNECTION);
  const tester = { userId: link.createdBy, sessionId: link.id, setupLinkId: link.id };
  const created = await createConnectionTest(deps, { caller, connectionId, tester });
  return created.ok
    ? await startSsoTest(deps, { connectionId, handle: created.value.handle, tester, client })
    : created;
}

type RequestProblem = Refusal<"conflict" | "not_found">;
const IS_ACTIVE = refusal("conflict", "The connection is active already.");

/**
 * Asks the owners for the activation. The person with the link decides whose assertions sign members in, so an owner
 * with a step-up confirms the choice: the owner activates the connection. A repeated request mails nobody.
 */
export async function requestActivation(
  deps: EmailDeps,
  { setup, client }: SetupInput,
): Promise<Result<void, RequestProblem>> {
  const { caller } = setup;
  const { connectionId } = setup.link;
  if (connectionId === null) return err(NO_SUCH_CONNECTION);
  const { organizationId } = caller;
  const at = new Date(deps.clock.now());
  const metadata = { fields: "activation_requested_at" };
  const entry = connectionAuditEvent(deps, { caller, connectionId, client }, "sso.connection.updated", at, metadata);
  const requested = await deps.database.transaction<Result<boolean, RequestProblem>>(
    "sso_connection.request_activation",
    async (sql) => {
      const connection = await lockConnection(sql, organizationId, connectionId);
      if (!connection) return err(NO_SUCH_CONNECTION);
      if (connection.status === "active") return err(IS_ACTIVE);
      const missing = await missingPrecondition(sql, connection);
      if (missing) return err(missing);
      if (connection.activationRequestedAt !== null) return ok(false);
      const state = { ...connection, activationRequestedAt: at };
      await sql`
        with updated as (${updateConnection(sql, connection.id, state, at)})
        ${insertAudit(sql, entry, sql`from updated`)}`;
      const link = connectionPageUrl(deps, connection.id);
      const values = { connection: inertName(connection.name), time: noticeTime(at), link };
      await mailOwners(deps, sql, organizationId, { kind: "sso_activation_requested", values }, { client, at });
      return ok(true);
    },
  );
  if (!requested.ok) return requested;
  if (requested.value) deps.outbox.wake();
  return ok(undefined);
}
