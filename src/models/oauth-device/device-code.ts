/**
 * Device authorizations (RFC 8628; docs/contract.md, section 23.15). The approval of the user inserts an authorization
 * code under the hash of the device code; from then on the rules of authorization codes hold.
 */

import type { oauthDeviceCodes } from "../../../db/schema/oauth-devices.ts";
import { uuidOfHex } from "../../base/random.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { type Cte, cte } from "../../database/statement.ts";

type DeviceCodeRow = RowOf<typeof oauthDeviceCodes>;

/** A device authorization as a page displays the request. */
export interface DeviceRequest
  extends Pick<
    DeviceCodeRow,
    | "id"
    | "userCode"
    | "clientId"
    | "scopes"
    | "resources"
    | "secondFactor"
    | "acr"
    | "ipAddress"
    | "createdAt"
    | "expiresAt"
  > {}

export interface NewDeviceCode extends DeviceRequest {
  readonly deviceCodeHash: Buffer;
  /** The network of the address, as limits count: an IPv6 client controls a whole /64 (G14). */
  readonly network: string;
  readonly intervalSeconds: number;
}

/** Bounds of waiting devices. */
export interface DeviceCodeBounds {
  readonly perClient: number;
  /** With one client and one network. */
  readonly perNetwork: number;
}

/**
 * `inserted`; `full`: a bound is reached; `taken`: the user code belongs to another live device. `audit`: inserts the
 * record of the request, for a row of the CTE.
 */
export async function insertDeviceCode(
  sql: Sql,
  code: NewDeviceCode,
  { perClient, perNetwork }: DeviceCodeBounds,
  audit: (inserted: Cte) => Fragment,
): Promise<"inserted" | "full" | "taken"> {
  const live = sql`client_id = ${code.clientId} and status = 'pending' and expires_at > ${code.createdAt}`;
  const sameNetwork =
    code.ipAddress === null
      ? sql`ip_address is null`
      : sql`split_part(ip_address, '%', 1)::inet <<= ${code.network}::inet`;
  const [row] = await sql<{ full: boolean; inserted: boolean }[]>`
    with waiting as (
      select count(*) >= ${perClient} or count(*) filter (where ${sameNetwork}) >= ${perNetwork} as full
      from (select ip_address from oauth_device_codes where ${live} limit ${perClient}) l
    ),
    inserted as (
      insert into oauth_device_codes (id, device_code_hash, user_code, client_id, scopes, resources, second_factor,
                                      acr, ip_address, interval_seconds, created_at, expires_at)
      select ${code.id}::uuid, ${code.deviceCodeHash}::bytea, ${code.userCode}, ${code.clientId}::uuid,
             ${[...code.scopes]}::text[], ${[...code.resources]}::text[], ${code.secondFactor}::boolean,
             ${code.acr}::text, ${code.ipAddress}::text, ${code.intervalSeconds}::int, ${code.createdAt}::timestamptz,
             ${code.expiresAt}::timestamptz
      from waiting where not waiting.full
      on conflict do nothing
      returning id
    ),
    audit as (${audit(cte(sql, "inserted"))})
    select waiting.full, exists (select 1 from inserted) as inserted from waiting`;
  if (row?.inserted) return "inserted";
  return row?.full ? "full" : "taken";
}

function requestColumns(sql: Sql): Fragment {
  return sql`
    id, user_code as "userCode", client_id as "clientId", scopes, resources, second_factor as "secondFactor",
    acr, ip_address as "ipAddress", created_at as "createdAt", expires_at as "expiresAt"`;
}

/**
 * Claims the waiting authorization of a typed code for a user: only the last user who typed the code decides about the
 * request. An earlier user, for example of another account of the same person, does not block the code. Undefined: no
 * such code waits.
 */
export async function claimDeviceRequest(
  sql: Sql,
  { userCode, userId, at }: { readonly userCode: string; readonly userId: string; readonly at: Date },
): Promise<DeviceRequest | undefined> {
  const [row] = await sql<DeviceRequest[]>`
    update oauth_device_codes set user_id = ${userId}
    where user_code = ${userCode} and status = 'pending' and expires_at > ${at}
    returning ${requestColumns(sql)}`;
  return row;
}

/** The waiting authorization that the user has claimed. */
export async function findDeviceRequest(
  sql: Sql,
  { id, userId, at }: { readonly id: string; readonly userId: string; readonly at: Date },
): Promise<DeviceRequest | undefined> {
  const [row] = await sql<DeviceRequest[]>`
    select ${requestColumns(sql)} from oauth_device_codes
    where id = ${id} and user_id = ${userId} and status = 'pending' and expires_at > ${at}`;
  return row;
}

export interface DeviceDecision {
  readonly id: string;
  readonly userId: string;
  readonly status: "approved" | "denied";
  readonly at: Date;
}

/** CTE fragment: decides a claimed authorization once, for a row of `from` if given; returns the hash of its code. */
export function decideDeviceRequest(sql: Sql, { id, userId, status, at }: DeviceDecision, from = sql``): Fragment {
  return sql`
    update oauth_device_codes d set status = ${status} ${from}
    where d.id = ${id} and d.user_id = ${userId} and d.status = 'pending' and d.expires_at > ${at}
    returning d.device_code_hash`;
}

/** A device authorization as a replica holds the state. Milliseconds. */
export interface DeviceView extends Pick<DeviceCodeRow, "clientId" | "intervalSeconds" | "status"> {
  readonly codeExpiresAt: number;
  /** When the row is deleted. */
  readonly expiresAt: number;
}

/** The polls of a waiting device at this replica. */
export interface DevicePolls {
  /** Milliseconds. */
  readonly polledAt: number;
  readonly intervalSeconds: number;
}

/** The state of the authorization of a device code, in any status. */
export async function findDevice(sql: Sql, deviceCodeHash: Buffer, keptMs: number): Promise<DeviceView | undefined> {
  const [row] = await sql<(Omit<DeviceView, "codeExpiresAt" | "expiresAt"> & { readonly endsAt: Date })[]>`
    select client_id as "clientId", status, interval_seconds as "intervalSeconds", expires_at as "endsAt"
    from oauth_device_codes where device_code_hash = ${deviceCodeHash}`;
  if (!row) return undefined;
  const { endsAt, ...view } = row;
  const codeExpiresAt = endsAt.getTime();
  return { ...view, codeExpiresAt, expiresAt: codeExpiresAt + keptMs };
}

/** Makes the interval of a waiting device longer, for good and for every replica. */
export async function lengthenInterval(sql: Sql, deviceCodeHash: Buffer, intervalSeconds: number): Promise<void> {
  await sql`
    update oauth_device_codes set interval_seconds = ${intervalSeconds}
    where device_code_hash = ${deviceCodeHash} and status = 'pending' and interval_seconds < ${intervalSeconds}`;
}

const EVENT_ID_BYTES = 16;

/** The id of an authorization in the log of session events: the log has UUIDs. */
export function deviceEventId(deviceCodeHash: Buffer): string {
  return uuidOfHex(deviceCodeHash.toString("hex", 0, EVENT_ID_BYTES));
}

/** CTE fragment: `deviceEventId` of each decided authorization. */
export function decidedEventIds(sql: Sql, decided: Cte): Fragment {
  return sql`
    select encode(substring(device_code_hash for ${EVENT_ID_BYTES}::int), 'hex')::uuid as id from ${decided}`;
}

/** Deletes a bounded batch of expired authorizations; returns how many. */
export const deleteExpiredDeviceCodes = deleteRowsBefore("oauth_device_codes", "expires_at");
