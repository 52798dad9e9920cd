/**
 * Connections to checked addresses of hosts named by customers. Connections are kept open only for further requests
 * with equal scope and origin: a receiver cannot place a response for a request of another tenant (response smuggling),
 * and no two tenants share a TLS session.
 */
import http from "node:http";
import https from "node:https";
import net from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { ProxySetting } from "../base/proxy-setting.ts";
import { connectFirst, orderAddresses } from "./happy-eyeballs.ts";
import { connectToProxy, openTunnel } from "./proxy.ts";

/** Scopes with open connections; beyond this bound, the least recently used scopes are closed. */
const KEPT_SCOPES_MAX = 512;
/** Idle connections of one scope. */
const KEPT_CONNECTIONS_MAX = 4;
/** Connections of a scope without requests are closed after this time. */
const CONNECTION_IDLE_MS = 15_000;

export interface GuardedConnectionsOptions {
  /** The checked addresses of the host; rejects when the policy forbids one of the addresses. */
  readonly findAddresses: (url: URL, signal: AbortSignal) => Promise<readonly string[]>;
  /** Covers resolution, connection and TLS handshake. */
  readonly deadlineMs: number;
  readonly proxy?: ProxySetting | undefined;
}

export interface GuardedConnections {
  /** Keeps connections open. `isReused`: the scope has had requests, so a connection may be old. */
  shared(scope: string, url: URL): { readonly agent: http.Agent; readonly isReused: boolean };
  /** A connection for a single request. */
  single(url: URL): http.Agent;
}

export function guardedConnections(options: GuardedConnectionsOptions): GuardedConnections {
  const kept = new LRUCache<string, http.Agent>({
    max: KEPT_SCOPES_MAX,
    ttl: CONNECTION_IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (agent) => agent.destroy(),
  });
  return {
    shared(scope, url) {
      const key = `${scope} ${url.origin}`;
      const found = kept.get(key);
      const agent = found ?? checkedAgent(options, url, { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS_MAX });
      if (!found) kept.set(key, agent);
      return { agent, isReused: found !== undefined };
    },
    single: (url) => checkedAgent(options, url, { keepAlive: false }),
  };
}

type ConnectionCallback = (error: Error | null, stream?: Duplex) => void;

/** An agent whose connections go to checked addresses only. */
function checkedAgent(options: GuardedConnectionsOptions, url: URL, settings: http.AgentOptions): http.Agent {
  const agent = url.protocol === "https:" ? new https.Agent(settings) : new http.Agent(settings);
  const createConnection = (_: unknown, callback: ConnectionCallback) => {
    connect(options, url).then((socket) => callback(null, socket), callback);
  };
  return Object.assign(agent, { createConnection });
}

async function connect(options: GuardedConnectionsOptions, url: URL): Promise<Duplex> {
  const signal = AbortSignal.timeout(options.deadlineMs);
  const isTls = url.protocol === "https:";
  const port = Number(url.port) || (isTls ? 443 : 80);
  const addresses = orderAddresses(await options.findAddresses(url, signal));
  // Only loopback addresses are called without TLS.
  const proxy = isTls && !options.proxy?.isDirect(bareHost(url)) ? options.proxy : undefined;
  const connectTo = (address: string, ended: AbortSignal) =>
    proxy ? connectByProxy(proxy, address, port, ended) : connectTcp(address, port, ended);
  const socket = await connectFirst(addresses, connectTo, signal);
  return isTls ? await startTls(socket, url, signal) : socket;
}

function connectTcp(host: string, port: number, signal: AbortSignal): Promise<net.Socket> {
  return opened(net.connect({ host, port, noDelay: true }), "connect", signal);
}

async function connectByProxy(proxy: ProxySetting, address: string, port: number, signal: AbortSignal) {
  const socket = await opened(connectToProxy(proxy), proxy.tls ? "secureConnect" : "connect", signal);
  const abort = () => socket.destroy();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await openTunnel(socket, proxy, address, port);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, (_, address) => address);
}

/** The certificate must match the name, for every connected address. */
function startTls(socket: net.Socket, url: URL, signal: AbortSignal): Promise<tls.TLSSocket> {
  const host = bareHost(url);
  const name = ipaddr.isValid(host) ? { host } : { host, servername: host };
  return opened(tls.connect({ socket, ...name, ALPNProtocols: ["http/1.1"] }), "secureConnect", signal);
}

/** Resolves once the socket is open; destroys the socket after a failure or cancellation. */
function opened<S extends net.Socket>(socket: S, event: "connect" | "secureConnect", signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      socket.destroy();
      reject(new Error("no connection within the deadline"));
    };
    const fail = (error: Error) => {
      signal.removeEventListener("abort", abort);
      socket.destroy();
      reject(error);
    };
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once(event, () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", fail);
      // Until the agent listens: an error of an open socket without a listener would end the process.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}
