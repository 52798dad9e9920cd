/** Requests to addresses that somebody else chose: no way into the network of this service (SSRF). */
import { lookup as resolve } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { ReadBounds } from "../base/read-within.ts";

export interface GuardedRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bounds: ReadBounds;
  /** Also loopback and private addresses: of a service that is itself reached by a loopback address. */
  readonly allowPrivate: boolean;
}

export interface GuardedResponse {
  readonly status: number;
  readonly text: string;
}

/** Whether an address is one of the public internet, written in any way. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // IPv4 in IPv6 (::ffff:10.0.0.1) counts as what it stands for; other ranges that embed one are not `unicast`.
  return ipaddr.process(address).range() === "unicast";
}

/**
 * Sends one request and reads the answer within the bounds. The host is resolved once, every address of it must be
 * public, and the connection goes to one of those addresses, so that no second answer of a name server counts (DNS
 * rebinding). Redirects are not followed. Rejects when the host is not public, and beyond either bound.
 */
export async function guardedFetch(guarded: GuardedRequest): Promise<GuardedResponse> {
  const url = new URL(guarded.url);
  if (url.protocol !== "https:" && !(guarded.allowPrivate && url.protocol === "http:")) {
    throw new Error("only https is permitted");
  }
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ""), guarded.allowPrivate);
  return await send(guarded, url, addresses);
}

type Address = { readonly address: string; readonly family: number };

async function addressesOf(host: string, allowPrivate: boolean): Promise<readonly Address[]> {
  const addresses = await resolve(host, { all: true });
  const permitted = allowPrivate || addresses.every(({ address }) => isPublicAddress(address));
  if (addresses.length === 0 || !permitted) throw new Error("the host has an address that is not public");
  return addresses;
}

function send(guarded: GuardedRequest, url: URL, addresses: readonly Address[]): Promise<GuardedResponse> {
  const { method, headers, body, bounds } = guarded;
  const lookup = ((_host, options, done) => {
    const [first] = addresses;
    if (typeof options === "object" && options.all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family ?? 4);
  }) as LookupFunction;
  const options = { method, headers, lookup, signal: AbortSignal.timeout(bounds.deadlineMs) };
  return new Promise((fulfil, reject) => {
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = open(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= bounds.maxBytes) return void chunks.push(chunk);
        reject(new Error("the answer is too large"));
        response.destroy();
      });
      response.on("error", reject);
      response.on("end", () => fulfil({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    request.on("error", reject);
    request.end(body);
  });
}
