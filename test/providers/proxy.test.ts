/** Every outgoing connection by HTTPS uses the proxy of the environment (G443). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { readProxy } from "../../src/base/proxy-setting.ts";
import { loadConfig } from "../../src/config/config.ts";
import { testCertificate } from "../support/certificate.ts";

const SOURCES = join(import.meta.dir, "../../src");

const received: string[] = [];
let proxy: Server;
let proxyPort: number;
let target: ReturnType<typeof Bun.serve>;
let status = "200 OK";

beforeAll(async () => {
  const { key, cert } = testCertificate();
  target = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key, cert },
    fetch: async (r) => new Response(await r.text()),
  });
  // A proxy that tunnels (RFC 9110, section 9.3.6).
  proxy = createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", (head) => {
      received.push(String(head));
      if (status !== "200 OK") return client.end(`HTTP/1.1 ${status}\r\n\r\n`);
      const upstream = connect(target.port ?? 0, "127.0.0.1", () => {
        client.write(`HTTP/1.1 ${status}\r\nVia: 1.1 test\r\n\r\n`);
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
    });
  });
  proxyPort = await new Promise<number>((listening) => {
    proxy.listen(0, "127.0.0.1", () => listening((proxy.address() as { port: number }).port));
  });
});
afterAll(() => {
  proxy.close();
  return target.stop(true);
});

/** Sends in a process of its own, which trusts the test authority. */
const SEND = `
  const { readProxy } = await import(${JSON.stringify(join(SOURCES, "base/proxy-setting.ts"))});
  const { guardedPost } = await import(${JSON.stringify(join(SOURCES, "providers/guarded-post.ts"))});
  const { url, proxy, exceptions, resolved } = JSON.parse(process.argv.at(-1));
  const send = guardedPost({
    allows: (address) => address === "127.0.0.1",
    loopback: false,
    deadlineMs: 3000,
    maxBytes: 1000,
    resolve: async () => [resolved],
    proxy: readProxy(proxy, exceptions),
  });
  const sent = await send({ url, headers: {}, body: "hello" });
  console.log(JSON.stringify(sent.ok ? [sent.value.status, String(sent.value.body)] : sent.error.cause));
  process.exit(0);
`;

async function sendTo(url: string, { exceptions = "", resolved = "127.0.0.1", port = proxyPort } = {}) {
  const proxy = `http://app:p%40ss@127.0.0.1:${port}`;
  const settings = JSON.stringify({ url, proxy, exceptions, resolved });
  const env = { PATH: process.env.PATH ?? "", NODE_EXTRA_CA_CERTS: testCertificate().file };
  const child = Bun.spawn([process.execPath, "-e", SEND, settings], { env, stdout: "pipe" });
  return JSON.parse(await new Response(child.stdout).text());
}

describe("a request to an address named by a customer", () => {
  test("goes through the proxy to the checked address, with TLS to the name", async () => {
    received.length = 0;
    expect(await sendTo(`https://localhost:${target.port}/path`)).toEqual([200, "hello"]);
    const authority = `127.0.0.1:${target.port}`;
    const login = `Proxy-Authorization: Basic ${Buffer.from("app:p@ss").toString("base64")}`;
    expect(received).toEqual([`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n\r\n`]);
  });

  test("never reaches an internal address through the proxy (SSRF)", async () => {
    received.length = 0;
    const refused = await sendTo("https://internal.example.com/", { resolved: "10.0.0.1" });
    expect([refused, received]).toEqual(["the host has an address that is not public", []]);
  });

  test("goes directly to hosts of NO_PROXY", async () => {
    received.length = 0;
    const url = `https://localhost:${target.port}/`;
    expect(await sendTo(url, { exceptions: "example.com,localhost" })).toEqual([200, "hello"]);
    expect(received).toEqual([]);
  });

  test("names a refusal by the proxy, and an unreachable proxy", async () => {
    const url = `https://localhost:${target.port}/`;
    status = "407 Proxy Authentication Required";
    const refused = await sendTo(url);
    status = "200 OK";
    expect(refused).toBe("the proxy refused the connection (407)");
    expect(await sendTo(url, { port: 1 })).toBe("the connection failed (ECONNREFUSED)");
  });
});

test("`fetch` of the runtime, for servers named by the operator, uses the same proxy.", async () => {
  received.length = 0;
  const script = "await fetch(process.argv.at(-1)).catch(() => undefined); process.exit(0)";
  for (const exceptions of ["", "localhost"]) {
    const env = { PATH: process.env.PATH ?? "", HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: exceptions };
    const child = Bun.spawn([process.execPath, "-e", script, `https://localhost:${target.port}/`], { env });
    await child.exited;
  }
  expect(received).toHaveLength(1);
  expect(received[0]).toStartWith(`CONNECT localhost:${target.port} HTTP/1.1\r\n`);
});

describe("HTTPS_PROXY and NO_PROXY", () => {
  const proxyOf = (environment: Record<string, string>) => {
    const config = loadConfig(environment);
    return config.ok ? config.value.webhooks.proxy : config.error;
  };

  test("are read in both cases; the lower case wins", () => {
    expect(proxyOf({})).toBeUndefined();
    expect(proxyOf({ HTTPS_PROXY: "https://proxy.example.com" })).toMatchObject({ port: 443, tls: true });
    const both = { HTTPS_PROXY: "http://upper:1", https_proxy: "http://lower:3128" };
    expect(proxyOf(both)).toMatchObject({ host: "lower", port: 3128, tls: false });
  });

  test("A URL that cannot be read stops the start, without the value in the message.", () => {
    expect(proxyOf({ HTTPS_PROXY: "http://u:se#cret@proxy" })).toEqual([
      "HTTPS_PROXY: must be a URL whose password is percent-encoded: # is written %23",
    ]);
  });

  test.each([
    ["example.com", "api.example.com", true],
    [".example.com", "example.com", true],
    ["*.example.com", "a.example.com", true],
    ["example.com:443", "example.com", true],
    ["ample.com", "example.com", false],
    ["*", "anything.test", true],
    ["2001:db8::1, 192.0.2.1", "2001:db8::1", true],
    ["", "example.com", false],
  ])("NO_PROXY=%s for %s: direct is %p", (exceptions, host, isDirect) => {
    expect(readProxy("http://proxy:3128", exceptions).isDirect(host)).toBe(isDirect);
  });
});
