import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { findProgram } from "../support/packages.ts";
import { until } from "../support/waiting.ts";
import { OPS } from "./kit.ts";

const FILE = join(OPS, "haproxy.cfg");
/** The value of `CONNECTIONS_PER_ADDRESS` in the file. */
const PER_ADDRESS = 200;

/** A stand-in for a replica that records requests, and misbehaves on demand. */
interface Backend {
  readonly server: Server;
  readonly port: number;
  readonly seen: { readonly method: string; readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  ready: boolean;
  /** True: the backend accepts the request, then closes the connection. */
  cuts: boolean;
}

async function startBackend(): Promise<Backend> {
  const server = createServer((incoming, response) => {
    if (incoming.url === "/readyz") return response.writeHead(backend.ready ? 200 : 503).end();
    backend.seen.push({ method: String(incoming.method), path: String(incoming.url), headers: incoming.headers });
    if (backend.cuts) return incoming.socket.destroy();
    return response.end("ok");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const backend: Backend = { server, port: (server.address() as AddressInfo).port, seen: [], ready: true, cuts: false };
  return backend;
}

/** Returns the `timeout server` of a section of the file. */
const timeoutOf = (section: string) =>
  new RegExp(`^(?:backend )?${section}$[^]*?timeout server (\\w+)`, "m").exec(readFileSync(FILE, "utf8"))?.[1];

let haproxy: string;
let proxy: ChildProcess;
let port: number;
let one: Backend;
let two: Backend;
let env: Record<string, string>;
let logged = "";

const HOST = "127.0.0.1";

/**
 * Opens connections from an address of this machine, and returns the number of connections that HAProxy closed at once.
 */
async function closedOf(count: number, localAddress: string): Promise<number> {
  let closed = 0;
  let answered = 0;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: HOST, localAddress }, () =>
      socket.write("GET /proxy-healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    );
    socket.on("error", () => undefined);
    socket.once("data", () => {
      answered += 1;
    });
    socket.once("close", () => {
      closed += 1;
    });
    return socket;
  });
  await until("each connection is answered or closed", async () => answered + closed >= count);
  const refused = count - answered;
  for (const socket of sockets) socket.destroy();
  return refused;
}

/** Sends the path unchanged; fetch would normalise the path. */
function ask(path: string, method = "GET", headers: Record<string, string> = {}): Promise<number> {
  return new Promise((answered, failed) => {
    const sent = request({ port, host: HOST, path, method, headers, agent: false }, (response) => {
      response.resume().once("end", () => answered(Number(response.statusCode)));
    });
    sent.once("error", failed).end();
  });
}

const bothServe = async () => {
  const before = [one.seen.length, two.seen.length];
  await Promise.all(Array.from({ length: 8 }, () => ask("/probe")));
  return one.seen.length > Number(before[0]) && two.seen.length > Number(before[1]);
};

beforeAll(async () => {
  haproxy = findProgram("haproxy");
  [one, two] = await Promise.all([startBackend(), startBackend()]);
  port = await freePort();
  env = { BIND: `127.0.0.1:${port}`, REPLICA_ONE: `127.0.0.1:${one.port}`, REPLICA_TWO: `127.0.0.1:${two.port}` };
  proxy = spawn(...dieWithParent(haproxy, ["-db", "-f", FILE]), {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  proxy.stdout?.setEncoding("utf8").on("data", (text: string) => {
    logged += text;
  });
  await until("the proxy serves", () =>
    ask("/").then(
      (status) => status === 200,
      () => false,
    ),
  );
});
afterAll(() => {
  proxy?.kill("SIGKILL");
  for (const backend of [one, two]) backend?.server.close();
});

describe("ops/haproxy.cfg", () => {
  test("is what HAProxy accepts, without a warning", () => {
    const said = execFileSync(haproxy, ["-c", "-V", "-f", FILE], {
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(said).toContain("Configuration file is valid");
    expect(said).not.toContain("WARNING");
  });

  test("spreads requests over both replicas, and sets the headers of client and scheme itself", async () => {
    await ask("/v1/auth/session", "GET", {
      "x-forwarded-for": "198.51.100.7",
      "x-forwarded-proto": "https",
      forwarded: "for=198.51.100.7",
    });
    const headers = [...one.seen, ...two.seen].find(({ path }) => path === "/v1/auth/session")?.headers;
    expect(headers?.["x-forwarded-for"]).toBe("127.0.0.1");
    expect(headers?.["x-forwarded-proto"]).toBe("http");
    expect(headers?.forwarded).toBeUndefined();
    expect(await bothServe()).toBe(true);
  });

  test("gives exports, proofs and the end of an application the time that they take, and nothing else", async () => {
    expect([timeoutOf("defaults"), timeoutOf("slow")]).toEqual(["30s", "5m"]);
    const exports = ["/v1/admin/audit-export", "/v1/admin/audit-export/proof", "/admin/audit/export"];
    const long = [...exports, "/v1/admin/oauth-clients/x", "/admin/oauth-clients/x"];
    const short = ["/v1/admin/audit-exports", "/v1/admin/oauth-clients", "/v1/users/me"];
    for (const path of [...long, ...short]) await ask(path);
    await until("they are logged", async () => logged.includes("GET /v1/users/me\n"));
    const backends = logged
      .split("\n")
      .map((line) => / public (\w+)\/.* GET (\/\S*(?:export|oauth-clients|users)\S*)$/.exec(line))
      .flatMap((found) => (found ? [[found[2], found[1]]] : []));
    expect(Object.fromEntries(backends)).toEqual({
      ...Object.fromEntries(long.map((path) => [path, "slow"])),
      ...Object.fromEntries(short.map((path) => [path, "replicas"])),
    });
  });

  test("logs the path of a request without the query, the place of codes and tokens (G10)", async () => {
    await ask("/v1/auth/oauth/oauth_idp_a/callback?code=a-code-of-a-provider&state=a-state");
    await until("it is logged", async () => logged.includes("GET /v1/auth/oauth/oauth_idp_a/callback"));
    expect(logged).not.toContain("a-code-of-a-provider");
    expect(logged).not.toContain("a-state");
  });

  test("lets nobody outside reach /metrics, however it is written", async () => {
    const before = one.seen.length + two.seen.length;
    for (const path of [
      "/metrics",
      "/metrics/",
      "/metrics?x",
      "//metrics",
      "/METRICS",
      "/%6detrics",
      "/%2Fmetrics",
      "/x/../metrics",
    ]) {
      expect([path, await ask(path)]).toEqual([path, 404]);
    }
    expect(one.seen.length + two.seen.length).toBe(before);
  });

  test("sends a request once when a replica took it and gave no answer: it may have been carried out", async () => {
    one.cuts = two.cuts = true;
    expect(await ask("/v1/auth/refresh", "POST")).toBe(502);
    expect([...one.seen, ...two.seen].filter(({ path }) => path === "/v1/auth/refresh")).toHaveLength(1);
    one.cuts = two.cuts = false;
  });

  test('sends no request to a replica between "not ready" and "ready"', async () => {
    one.ready = false;
    await until("the replica is left alone", async () => !(await bothServe()));
    one.ready = true;
    await until("the replica is back", bothServe);
  });

  test("closes the connections of one client address beyond 200, and of no further address", async () => {
    expect(await closedOf(PER_ADDRESS + 25, "127.0.0.9")).toBe(25);
    expect(await closedOf(PER_ADDRESS, "127.0.0.10")).toBe(0);
    await until("the address has connections again", async () => (await closedOf(1, "127.0.0.9")) === 0);
  });

  test("counts the connections of IPv6 by /64", () => {
    expect(readFileSync(FILE, "utf8")).toContain("track-sc0 src,ipmask(32,64)");
  });

  test("returns 501 to a method that the service does not know", async () => {
    for (const method of ["PROPFIND", "TRACE", "LINK"]) expect([method, await ask("/", method)]).toEqual([method, 501]);
  });

  test("fails no request after a replica closes its listener: a refused connection goes to the second", async () => {
    one.server.close();
    one.server.closeIdleConnections();
    const responses = await Promise.all(Array.from({ length: 40 }, () => ask("/v1/auth/login", "POST")));
    expect(responses.filter((status) => status !== 200)).toEqual([]);
    expect([...one.seen, ...two.seen].filter(({ path }) => path === "/v1/auth/login")).toHaveLength(40);
  });
});
