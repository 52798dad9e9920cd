/** ops/nginx.conf in a real nginx before two stand-ins for replicas. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { findProgram } from "../support/packages.ts";
import { until } from "../support/waiting.ts";
import { OPS } from "./kit.ts";

const HOST = "127.0.0.1";

interface Backend {
  readonly server: Server;
  readonly port: number;
  readonly seen: { readonly method: string; readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  /** True: the backend accepts the request, then closes the connection. */
  cuts: boolean;
}

async function startBackend(): Promise<Backend> {
  const server = createServer((incoming, response) => {
    backend.seen.push({ method: String(incoming.method), path: String(incoming.url), headers: incoming.headers });
    if (backend.cuts) return incoming.socket.destroy();
    return incoming.resume().once("end", () => response.end("ok"));
  });
  await new Promise<void>((listening) => server.listen(0, HOST, listening));
  const backend: Backend = { server, port: (server.address() as AddressInfo).port, seen: [], cuts: false };
  return backend;
}

const folder = mkdtempSync(join(tmpdir(), "identity-nginx-"));
const LOG = join(folder, "identity-service.log");
let proxy: ChildProcess;
let nginx: string;
let port: number;
let one: Backend;
let two: Backend;

/** Sends the path unchanged; fetch would normalise the path. */
function ask(path: string, options: RequestOptions = {}, body?: Buffer): Promise<number> {
  return new Promise((answered, failed) => {
    const sent = request(
      { port, host: HOST, path, agent: false, rejectUnauthorized: false, ...options },
      (response) => {
        response.resume().once("end", () => answered(Number(response.statusCode)));
      },
    );
    sent.once("error", failed).end(body);
  });
}

/** The file with the certificate, ports and folder of the test, within the least configuration of nginx. */
async function writeConfiguration(): Promise<string> {
  const certificate = ["-keyout", join(folder, "tls.key"), "-out", join(folder, "tls.crt"), "-subj", "/CN=localhost"];
  const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...options, ...certificate], { stdio: "ignore" });
  const plain = await freePort();
  const replaced: readonly (readonly [string, string])[] = [
    ["127.0.0.1:3000", `${HOST}:${one.port}`],
    ["127.0.0.1:3001", `${HOST}:${two.port}`],
    ["listen 80;", `listen ${HOST}:${plain};`],
    ["listen 443 ssl", `listen ${HOST}:${port} ssl`],
    ["    listen [::]:80;\n", ""],
    ["    listen [::]:443 ssl http2;\n", ""],
    ["/etc/nginx/tls/auth.example.com", join(folder, "tls")],
    ["/var/log/nginx/identity-service.log", LOG],
  ];
  const text = replaced.reduce(
    (file, [from, to]) => {
      expect([from, file.includes(from)]).toEqual([from, true]);
      return file.replaceAll(from, () => to);
    },
    readFileSync(join(OPS, "nginx.conf"), "utf8"),
  );
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = join(folder, "main.conf");
  writeFileSync(join(folder, "service.conf"), text);
  writeFileSync(
    main,
    `daemon off; master_process off; pid ${join(folder, "pid")}; error_log ${join(folder, "errors")}; events {}
     http { ${paths.join(" ")} include ${join(folder, "service.conf")}; }`,
  );
  return main;
}

beforeAll(async () => {
  nginx = findProgram("nginx");
  [one, two] = await Promise.all([startBackend(), startBackend()]);
  port = await freePort();
  const main = await writeConfiguration();
  proxy = spawn(...dieWithParent(nginx, ["-e", "stderr", "-c", main]), { stdio: "ignore" });
  await until("nginx serves", () =>
    ask("/").then(
      (status) => status === 200,
      () => false,
    ),
  );
});
afterAll(() => {
  proxy?.kill("SIGKILL");
  for (const backend of [one, two]) backend?.server.close();
  rmSync(folder, { recursive: true, force: true });
});

const seenAt = (path: string) => [...one.seen, ...two.seen].filter((each) => each.path === path);

describe("ops/nginx.conf (G481)", () => {
  test("nginx accepts the file without a warning.", () => {
    const said = execFileSync("sh", ["-c", `"${nginx}" -t -e stderr -c "${join(folder, "main.conf")}" 2>&1`], {
      encoding: "utf8",
    });
    expect(said).toContain("test is successful");
    // nginx 1.25.1 and later accept the word `http2` of `listen` with a warning.
    expect(said.split("\n").filter((line) => line.includes("[warn]") && !line.includes("http2"))).toEqual([]);
  });

  test("A request has the address and scheme of the connection, whatever the client sends.", async () => {
    const headers = {
      "x-forwarded-for": "198.51.100.7",
      "x-forwarded-proto": "http",
      forwarded: "for=198.51.100.7",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    };
    await ask("/v1/auth/session", { headers });
    const [seen] = seenAt("/v1/auth/session");
    expect(seen?.headers).toMatchObject({ "x-forwarded-for": HOST, "x-forwarded-proto": "https" });
    for (const name of ["forwarded", "traceparent", "tracestate"]) expect(seen?.headers).not.toHaveProperty(name);
  });

  test("/metrics is not reachable in any spelling.", async () => {
    const spellings = ["/metrics", "/metrics/", "/metrics?x", "//metrics", "/METRICS", "/%6detrics", "/%2Fmetrics"];
    for (const path of [...spellings, "/x/../metrics"]) expect([path, await ask(path)]).toEqual([path, 404]);
    expect([...one.seen, ...two.seen].filter(({ path }) => /metrics/i.test(path))).toEqual([]);
  });

  test("The log has the path of a request without the query, the place of codes and tokens (G10).", async () => {
    await ask("/v1/auth/oauth/oauth_idp_a/callback?code=a-code-of-a-provider&state=a-state");
    const logged = () => readFileSync(LOG, "utf8");
    await until("the request is logged", async () => logged().includes("/v1/auth/oauth/oauth_idp_a/callback"));
    expect(logged()).not.toContain("a-code-of-a-provider");
  });

  test("Pictures of 5 MiB and headers of 15 KiB pass, and an unknown method is 501.", async () => {
    expect(await ask("/v1/users/me/avatar", { method: "PUT" }, Buffer.alloc(5 * 1024 * 1024))).toBe(200);
    expect(await ask("/v1/users/me", { headers: { dpop: "x".repeat(15_000) } })).toBe(200);
    for (const method of ["PROPFIND", "LINK"]) expect([method, await ask("/", { method })]).toEqual([method, 501]);
  });

  test("nginx sends a POST once when a replica took the request and gave no response.", async () => {
    one.cuts = two.cuts = true;
    expect(await ask("/v1/auth/refresh", { method: "POST" })).toBe(502);
    expect(seenAt("/v1/auth/refresh")).toHaveLength(1);
    one.cuts = two.cuts = false;
    await until("both replicas are used again", async () => (await ask("/")) === 200);
  });

  test("No request fails after a replica closes its listener: a refused connection goes to the second.", async () => {
    one.server.close();
    one.server.closeAllConnections();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => ask("/v1/auth/login", { method: "POST" }, Buffer.from("{}"))),
    );
    expect(responses.filter((status) => status !== 200)).toEqual([]);
    expect(seenAt("/v1/auth/login")).toHaveLength(40);
  });
});
