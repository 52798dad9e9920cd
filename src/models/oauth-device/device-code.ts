/**
 * Device authorizations (RFC 8628; docs/contract.md, section 23.15). The approval of the user inserts an authorization
 * code under the hash of the device code; from then on the rules of authorization codes hold.
 */

import type { oauthDeviceCodes } from "../../../db/schema/oauth-devices.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import { type Cte, cte } from "../../database/statement.ts";

type DeviceCodeRow = RowOf<typeof oauthDeviceCodes>;

export interface NewDeviceCode
  extends Pick<
    DeviceCodeRow,
    "id" | "userCode" | "clientId" | "scopes" | "resources" | "secondFactor" | "ipAddress" | "createdAt" | "expiresAt"
  > {
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
                                      ip_address, interval_seconds, created_at, expires_at)
      select ${code.id}::uuid, ${code.deviceCodeHash}::bytea, ${code.userCode}, ${code.clientId}::uuid,
             ${[...code.scopes]}::text[], ${[...code.resources]}::text[], ${code.secondFactor}::boolean,
             ${code.ipAddress}::text, ${code.intervalSeconds}::int, ${code.createdAt}::timestamptz,
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

/** A device authorization as a page displays the request. */
export interface DeviceRequest
  extends Pick<
    DeviceCodeRow,
    "id" | "userCode" | "clientId" | "scopes" | "resources" | "secondFactor" | "ipAddress" | "createdAt" | "expiresAt"
  > {}

function requestColumns(sql: Sql): Fragment {
  return sql`
    id, user_code as "userCode", client_id as "clientId", scopes, resources, second_factor as "secondFactor",
    ip_address as "ipAddress", created_at as "createdAt", expires_at as "expiresAt"`;
}

/**
 * Claims the waiting authorization of a typed code for a user: only the first user who types the code decides about the
 * request. Undefined: no such code waits for this user.
 */
export async function claimDeviceRequest(
  sql: Sql,
  { userCode, userId, at }: { readonly userCode: string; readonly userId: string; readonly at: Date },
): Promise<DeviceRequest | undefined> {
  const [row] = await sql<DeviceRequest[]>`
    update oauth_device_codes set user_id = ${userId}
    where user_code = ${userCode} and status = 'pending' and expires_at > ${at}
      and (user_id is null or user_id = ${userId})
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

export type DevicePoll = "approved" | "denied" | "expired" | "pending" | "slow_down";

/**
 * Records a poll of a device and returns the state; undefined: the client has no such code. A poll before the end of
 * the interval makes the interval `longerBySeconds` longer for good (RFC 8628, section 3.5).
 */
export async function pollDeviceCode(
  sql: Sql,
  poll: {
    readonly deviceCodeHash: Buffer;
    readonly clientId: string;
    readonly at: Date;
    readonly longerBySeconds: number;
    readonly intervalMaxSeconds: number;
  },
): Promise<DevicePoll | undefined> {
  const { at, longerBySeconds, intervalMaxSeconds } = poll;
  const [row] = await sql<{ state: DevicePoll }[]>`
    with found as (
      select id, status, expires_at,
             polled_at > ${at}::timestamptz - make_interval(secs => interval_seconds) as early
      from oauth_device_codes
      where device_code_hash = ${poll.deviceCodeHash} and client_id = ${poll.clientId}
      for update
    ),
    polled as (
      update oauth_device_codes d
      set polled_at = ${at},
          interval_seconds = case when found.early
                                  then least(d.interval_seconds + ${longerBySeconds}, ${intervalMaxSeconds})
                                  else d.interval_seconds end
      from found where d.id = found.id and d.status = 'pending'
    )
    select case when expires_at <= ${at} then 'expired'
                when status = 'pending' and early then 'slow_down'
                else status end as state
    from found`;
  return row?.state;
}

/** Deletes a bounded batch of expired authorizations; returns how many. */
export const deleteExpiredDeviceCodes = deleteRowsBefore("oauth_device_codes", "expires_at");
