import { afterAll, describe, expect, test } from "bun:test";
import { guardedFetch, isPublicAddress } from "../../src/providers/guarded-fetch.ts";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/redirect") return Response.redirect("http://169.254.169.254/latest/meta-data", 302);
    if (pathname === "/large") return new Response("x".repeat(2_000));
    if (pathname === "/slow") await Bun.sleep(5_000);
    return new Response(`${request.method} ${await request.text()}`);
  },
});
afterAll(() => server.stop(true));

const bounds = { maxBytes: 1_000, deadlineMs: 500 };
const ask = (url: string, allowPrivate: boolean) =>
  guardedFetch({ method: "POST", url, headers: {}, body: "hello", bounds, allowPrivate });

describe("guardedFetch", () => {
  test.each([
    ["8.8.8.8", true],
    ["2606:4700:4700::1111", true],
    ["127.0.0.1", false],
    ["10.1.2.3", false],
    ["172.16.0.1", false],
    ["192.168.1.1", false],
    ["169.254.169.254", false],
    ["100.64.0.1", false],
    ["0.0.0.0", false],
    ["224.0.0.1", false],
    ["::1", false],
    ["::", false],
    ["fe80::1", false],
    ["fc00::1", false],
    ["::ffff:10.0.0.1", false],
    ["64:ff9b::a00:1", false],
    ["2002:a00:1::", false],
    ["not an address", false],
  ])("%p is public: %p", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });

  test("connects to no address of this network, however it is written", async () => {
    const { port } = server;
    const hosts = ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "169.254.169.254"];
    for (const host of hosts) {
      await expect(ask(`https://${host}:${port}/`, false)).rejects.toThrow("not public");
    }
  });

  test("uses https, and http only for loopback while that is permitted", async () => {
    await expect(ask("http://example.com/", false)).rejects.toThrow("only https");
    await expect(ask("file:///etc/passwd", true)).rejects.toThrow("only https");
    const answer = await ask(`${server.url}`, true);
    expect(answer).toEqual({ status: 200, text: "POST hello" });
  });

  test("follows no redirect, and reads within its bounds", async () => {
    expect((await ask(`${server.url}redirect`, true)).status).toBe(302);
    await expect(ask(`${server.url}large`, true)).rejects.toThrow("too large");
    await expect(ask(`${server.url}slow`, true)).rejects.toThrow();
  });
});
