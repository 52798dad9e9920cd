import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { lockName } from "../../../database/statement.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { SSO_CONNECTIONS_MAX } from "../../../limits/sso-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { storeMetadataReport } from "../../../models/sso-connection/metadata-report.ts";
import { insertServiceKey, type ServiceKey } from "../../../models/sso-connection/service-key.ts";
import {
  countConnections,
  findConnection,
  insertConnection,
  type SsoConnection,
} from "../../../models/sso-connection/sso-connection.ts";
import { holds, type MemberPower } from "../../../vocabulary/member-power.ts";
import type { Preset } from "../../../vocabulary/sso/preset.ts";
import {
  initialConfig,
  needsServiceKey,
  type ProtocolConfig,
  type SsoProtocol,
} from "../../../vocabulary/sso/protocol-config.ts";
import { lacksPermission, type ResponsibleCaller } from "../../steps/authorization/authorize-member.ts";
import { lockCredential } from "../../steps/credentials/lock-credential.ts";
import { connectionAuditEvent } from "./audit-connection.ts";
import { applySettings, type ConnectionSettings, type EditableState } from "./connection-change.ts";
import type { MetadataDeps } from "./load-metadata.ts";
import { makeServiceKey } from "./make-service-key.ts";
import { type ConnectionView, withServiceKeys } from "./read.ts";
import { withMetadata } from "./submitted-metadata.ts";

export type SsoConnectionDeps = StoreDeps & Pick<Deps, "configKeys" | "ssoDirectory">;
export type SsoSettingsDeps = SsoConnectionDeps & MetadataDeps;

export interface CreateConnectionInput {
  readonly caller: ResponsibleCaller;
  readonly client: RequestContext;
  readonly protocol: SsoProtocol;
  readonly preset: Preset;
  readonly settings: ConnectionSettings & { readonly name: string };
  /** Assigns the created connection to the caller, in the transaction of the creation; false: nothing is created. */
  readonly assign?: (sql: Sql, connectionId: string) => Promise<boolean>;
}

type CreateProblem = Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input" | "rate_limited">;

const ASSIGNED = refusal("conflict", "The set-up link has a connection already.");
const TOO_MANY = refusal("conflict", `The organization has ${SSO_CONNECTIONS_MAX} connections already.`);

/**
 * POST /v1/orgs/:org_id/sso/connections (docs/contract.md, section 29.6). Without issuer and client id the draft gives
 * the addresses that the identity provider needs before the identity provider can issue a client id.
 */
export async function createConnection(
  deps: SsoSettingsDeps,
  input: CreateConnectionInput,
): Promise<Result<ConnectionView, CreateProblem>> {
  const id = deps.random.uuid();
  const before = initialState(input);
  const settings = await withMetadata(deps, input.caller.organizationId, before, input.settings);
  if (!settings.ok) return settings;
  const applied = applySettings(deps, id, before, settings.value);
  if (!applied.ok) return applied;
  if (!mayGrantAccess(input.caller, applied.value)) return err(lacksPermission("applications.manage"));
  const created = await persistConnection(deps, { ...input, settings: settings.value }, id, applied.value);
  if (!created.ok) return created;
  await deps.ssoDirectory.changed();
  return ok(await withServiceKeys(deps, created.value));
}

/** An identity provider grants applications access (`id_jag`) for a caller who may decide about applications alone. */
export function mayGrantAccess(power: MemberPower, { config }: ProtocolConfig): boolean {
  return !("id_jag" in config) || config.id_jag === "off" || holds(power, "applications.manage");
}

function initialState({ protocol, preset, settings: { name } }: CreateConnectionInput): EditableState {
  return { name, preset, sealedSecret: null, keyId: null, ...initialConfig(protocol, preset) };
}

async function persistConnection(
  deps: SsoConnectionDeps,
  { caller, client, settings, assign = async () => true }: CreateConnectionInput,
  id: string,
  state: EditableState,
): Promise<Result<SsoConnection, CreateProblem>> {
  const at = new Date(deps.clock.now());
  const { organizationId } = caller;
  const row = { ...state, id, organizationId, createdBy: caller.responsibleId, at } as const;
  const metadata = { protocol: row.protocol, preset: row.preset };
  const entry = connectionAuditEvent(
    deps,
    { caller, connectionId: id, client },
    "sso.connection.created",
    at,
    metadata,
  );
  const key = await firstServiceKey(deps, id, state);
  const create = async (sql: Sql): Promise<Result<SsoConnection, CreateProblem>> => {
    const locked = await lockCredential(sql, caller.credential, at);
    if (!locked.ok) return locked;
    await lockName(sql, `connections of ${organizationId}`);
    if ((await countConnections(sql, organizationId)) >= SSO_CONNECTIONS_MAX) return err(TOO_MANY);
    await sql`
      with created as (${insertConnection(sql, row)})
      ${insertAudit(sql, entry, sql`from created`)}`;
    if (key) await insertServiceKey(sql, key);
    if (settings.metadataReport) await storeMetadataReport(sql, id, settings.metadataReport);
    if (!(await assign(sql, id))) throw new LinkAssigned();
    const created = await findConnection(sql, organizationId, id);
    if (!created) throw new Error("the created connection is absent");
    return ok(created);
  };
  try {
    return await deps.database.transaction("sso_connection.create", create);
  } catch (error) {
    if (error instanceof LinkAssigned) return err(ASSIGNED);
    throw error;
  }
}

/** Ends the transaction: no connection is created. */
class LinkAssigned extends Error {}

/** The key of a connection that signs or decrypts. */
export async function firstServiceKey(
  deps: SsoConnectionDeps,
  connectionId: string,
  connection: ProtocolConfig,
): Promise<ServiceKey | undefined> {
  const sealing = deps.configKeys.current;
  if (!needsServiceKey(connection) || !sealing) return undefined;
  return await makeServiceKey(deps, sealing, connectionId, "current");
}
