/** Permitted targets of webhooks: a webhook reaches no address that only this machine can reach (G58). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type GuardedPostOptions, guardedPost, resolveByDns, targetUrlFlaw } from "../../src/providers/guarded-post.ts";
import { connectFirst, orderAddresses } from "../../src/providers/happy-eyeballs.ts";

/** Requests that reached this machine. */
const reached: string[] = [];
let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      reached.push(`${request.headers.get("host")}${pathname} ${await request.text()}`);
      if (pathname === "/redirect") return Response.redirect(`http://127.0.0.1:${server.port}/target`);
      if (pathname === "/large") return new Response("x".repeat(200_000));
      if (pathname === "/endless") return new Response(new ReadableStream({ pull: () => Bun.sleep(60_000) }));
      if (pathname === "/slow") await Bun.sleep(60_000);
      return new Response("fine");
    },
  });
});
afterAll(() => server.stop(true));

const STRICT: GuardedPostOptions = { allows: () => false, loopback: false, deadlineMs: 5_000, maxBytes: 64 * 1024 };
const LOCAL: GuardedPostOptions = { ...STRICT, loopback: true };
const post = (options: GuardedPostOptions, url: string) => guardedPost(options)({ url, headers: {}, body: "{}" });
const resolvingTo = (...addresses: string[]) => ({ ...STRICT, resolve: async () => addresses });

describe("an address that is not of the Internet is refused", () => {
  const PRIVATE = [
    ...["127.0.0.1", "127.1.2.3", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"],
    ...["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "192.0.2.1", "198.18.0.1", "224.0.0.1"],
    ...["240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1"],
    ...["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::7f00:1", "::127.0.0.1", "64:ff9b::7f00:1"],
    // IPv4 inside IPv6: ISATAP (RFC 5214), NAT64 (RFC 6052, RFC 8215), 6to4, Teredo, mapped and compatible.
    ...["2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:a00:1", "2606:4700::5efe:808:808", "fe80::5efe:a00:1"],
    ...["2606:4700::100:5efe:a00:1", "::5efe:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::10.0.0.1", "::10.0.0.1"],
    ...["2002:a00:1::1", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "::ffff:0:10.0.0.1"],
    ...["64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001::1", "2001:db8::1", "100::1"],
  ];

  test.each(PRIVATE)("%s, as the address of a name", async (address) => {
    const result = await post(resolvingTo(address), "https://app.example.com/");
    expect(result).toEqual({ ok: false, error: { cause: "the host has an address that is not public" } });
  });

  test.each(PRIVATE)("%s, in the URL", (address) => {
    const host = address.includes(":") ? `[${address}]` : address;
    expect(targetUrlFlaw(STRICT, `https://${host}/`)?.text).toBe("not a public address");
  });

  test("a single such address among public addresses is enough", async () => {
    const result = await post(resolvingTo("93.184.216.34", "127.0.0.1"), "https://app.example.com/");
    expect(result.ok).toBe(false);
  });

  test.each([
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.1/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:ffff:127.0.0.1]/",
    "https://１２７.0.0.1/",
  ])("%s, another form of loopback", (url) => {
    expect(targetUrlFlaw(STRICT, url)?.text).toBe("not a public address");
  });

  test.each(["93.184.216.34", "8.8.8.8", "2606:4700::1111", "2606:4700::5eff:a00:1"])(
    "%s is one of the Internet",
    (address) => {
      const host = address.includes(":") ? `[${address}]` : address;
      expect(targetUrlFlaw(STRICT, `https://${host}/`)).toBeUndefined();
    },
  );
});

describe("a URL is refused that is", () => {
  test.each(["http://app.example.com/", "http://93.184.216.34/", "ftp://app.example.com/", "file:///etc/passwd"])(
    "not https: %s",
    (url) => expect(targetUrlFlaw(LOCAL, url)?.text).toBe("not an https URL"),
  );
  test.each([
    "https://user@app.example.com/",
    "https://app.example.com/#x",
    "app.example.com",
    "",
    "https://app.example.com/\0",
    "https://app.exa\tmple.com/",
    "https://127.0.0.1./",
    "https://app.example.com./",
    "https://x;frame-ancestors/",
    "https:\\\\app.example.com/",
  ])("odd: %p", (url) => expect(targetUrlFlaw(LOCAL, url)?.text).toBeString());

  test("http, except on permitted loopback, and then by the addresses in place of the name", async () => {
    expect(targetUrlFlaw(LOCAL, "http://localhost:3000/")).toBeUndefined();
    expect(targetUrlFlaw(STRICT, "http://localhost:3000/")?.text).toBe("not an https URL");
    const elsewhere = { ...LOCAL, resolve: async () => ["93.184.216.34"] };
    expect(await post(elsewhere, "http://localhost/")).toEqual({
      ok: false,
      error: { cause: "the address is not an https URL" },
    });
  });
});

describe("a request", () => {
  const local = (path: string) => `http://localhost:${server.port}${path}`;

  test("goes to the checked address: a name with a new address a moment later changes no request", async () => {
    let asked = 0;
    const rebinding: GuardedPostOptions = {
      ...LOCAL,
      async resolve() {
        asked += 1;
        return asked === 1 ? ["127.0.0.1"] : ["10.0.0.1"];
      },
    };
    const result = await post(rebinding, local("/rebinding"));
    expect([result.ok, asked]).toEqual([true, 1]);
    expect(reached).toContain(`localhost:${server.port}/rebinding {}`);
    // The reverse case: the checked address is public, so the request reaches no server of this machine after the name
    // changed.
    let turned = 0;
    const turning = {
      ...STRICT,
      deadlineMs: 300,
      resolve: async () => (turned++ === 0 ? ["192.0.2.1"] : ["127.0.0.1"]),
    };
    expect((await post(turning, `https://localhost:${server.port}/turned`)).ok).toBe(false);
    expect(reached.some((each) => each.includes("/turned"))).toBe(false);
  });

  test("follows no redirect", async () => {
    const result = await post(LOCAL, local("/redirect"));
    expect(result.ok && result.value.status).toBe(302);
    expect(reached.some((each) => each.includes("/target"))).toBe(false);
  });

  test("reads no more than its bound of an answer, and ends at the deadline", async () => {
    const large = await post(LOCAL, local("/large"));
    expect(large.ok && large.value.body.length).toBe(64 * 1024);
    for (const path of ["/slow", "/endless"]) {
      const result = await post({ ...LOCAL, deadlineMs: 100 }, local(path));
      expect(result).toEqual({ ok: false, error: { cause: "no answer within 100 ms" } });
    }
    const hanging = { ...STRICT, deadlineMs: 100, resolve: () => new Promise<string[]>(() => undefined) };
    expect((await post(hanging, "https://app.example.com/")).ok).toBe(false);
  });

  test("goes to permitted addresses alone", async () => {
    const allowed = { ...STRICT, allows: (address: string) => address === "10.0.0.1" };
    expect(targetUrlFlaw(allowed, "https://10.0.0.1/")).toBeUndefined();
    expect(targetUrlFlaw(allowed, "https://10.0.0.2/")?.text).toBe("not a public address");
  });
});

describe("connections", () => {
  /**
   * A receiver that counts connections. `closes`: the receiver closes the connection after each response without an
   * announcement.
   */
  async function withReceiver(closes: boolean, work: (port: number, connections: () => number) => Promise<void>) {
    let connections = 0;
    const sockets = new Set<Socket>();
    const receiver = createServer((socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("data", () => {
        socket.write("HTTP/1.1 204 No Content\r\nRetry-After: 7\r\n\r\n");
        if (closes) socket.resetAndDestroy();
      });
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    try {
      await work((receiver.address() as AddressInfo).port, () => connections);
    } finally {
      for (const socket of sockets) socket.destroy();
      receiver.close();
    }
  }
  const request = (port: number, connectionScope?: string) => ({
    url: `http://localhost:${port}/`,
    headers: {},
    body: "{}",
    ...(connectionScope === undefined ? {} : { connectionScope }),
  });

  test("are kept open and reused within a scope, never between two, with a check of each new one (G97)", async () => {
    await withReceiver(false, async (port, connections) => {
      let checks = 0;
      const resolve = async () => {
        checks += 1;
        return ["127.0.0.1"];
      };
      const send = guardedPost({ ...LOCAL, resolve });
      for (const scope of ["a", "a", "a", "b", "b"]) expect((await send(request(port, scope))).ok).toBe(true);
      expect([connections(), checks]).toEqual([2, 2]);
      await send(request(port));
      await send(request(port));
      expect([connections(), checks]).toEqual([4, 4]);
    });
  });

  test("that the receiver has closed meanwhile are replaced", async () => {
    await withReceiver(true, async (port) => {
      const send = guardedPost({ ...LOCAL, resolve: async () => ["127.0.0.1"] });
      for (let count = 0; count < 5; count += 1) {
        const result = await send(request(port, "a"));
        expect(result.ok && result.value.status).toBe(204);
      }
    });
  });

  test("go to another address of the host when the first one does not accept any (G97)", async () => {
    await withReceiver(false, async (port) => {
      const result = await guardedPost({ ...LOCAL, resolve: async () => ["::1", "127.0.0.1"] })(request(port));
      expect(result.ok && result.value).toMatchObject({ status: 204, retryAfter: "7" });
    });
  });

  test("alternate between the families, IPv6 first (RFC 8305, section 4)", () => {
    const addresses = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "192.0.2.3"];
    expect(orderAddresses(addresses)).toEqual(["2001:db8::1", "192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  });

  test("begin with the next address beside a silent address, and abort the slower attempt", async () => {
    const aborted: string[] = [];
    const attempt = (address: string, signal: AbortSignal) => {
      if (address === "open") return Promise.resolve(address);
      signal.addEventListener("abort", () => aborted.push(address));
      return new Promise<string>(() => undefined);
    };
    const never = new AbortController().signal;
    expect(await connectFirst(["silent", "open", "unused"], attempt, never, 1)).toBe("open");
    expect(aborted).toEqual(["silent"]);
  });

  test("fail at once when all addresses fail, and when the deadline has come", async () => {
    const refuse = (address: string) => Promise.reject(new Error(address));
    const never = new AbortController();
    await expect(connectFirst(["one", "two"], refuse, never.signal, 60_000)).rejects.toThrow("two");
    const silent = connectFirst(["one"], () => new Promise<string>(() => undefined), never.signal);
    never.abort();
    await expect(silent).rejects.toThrow("aborted");
  });
});

describe("a name", () => {
  /** A name server; `response` is the address in the reply, undefined for no reply. */
  async function withNameServer<T>(response: string | undefined, work: (server: string) => Promise<T>): Promise<T> {
    const socket = createSocket("udp4");
    socket.on("message", (query, from) => {
      if (response === undefined) return;
      // The query with the flags of a response (RFC 1035, section 4.1), and a record of type A.
      const end = query.indexOf(0, 12) + 5;
      const isIpv4 = query.readUInt16BE(end - 4) === 1;
      const head = Buffer.concat([
        query.subarray(0, 2),
        Buffer.from([0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]),
      ]);
      const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...response.split(".").map(Number)]);
      const parts = [head, query.subarray(12, end), ...(isIpv4 ? [record] : [])];
      socket.send(Buffer.concat(parts), from.port, from.address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    try {
      return await work(`127.0.0.1:${socket.address().port}`);
    } finally {
      socket.close();
    }
  }

  test("has the addresses of the name servers", async () => {
    const found = await withNameServer("192.0.2.7", (server) =>
      resolveByDns([server])("app.example.com", new AbortController().signal),
    );
    expect(found).toEqual(["192.0.2.7"]);
  });

  test("whose name server is silent delays nothing else, and is given up at the deadline (G57)", async () => {
    await withNameServer(undefined, async (server) => {
      const ended = new AbortController();
      const names = Array.from({ length: 32 }, (_, index) => `x${index}.example.com`);
      const waiting = Promise.allSettled(names.map((name) => resolveByDns([server])(name, ended.signal)));
      const work = crypto.subtle.digest("SHA-256", new Uint8Array(1)).then(() => "done");
      expect(await Promise.race([work, waiting.then(() => "the names were first")])).toBe("done");
      ended.abort();
      expect((await waiting).map(({ status }) => status)).toEqual(names.map(() => "rejected"));
    });
  });

  test("localhost is this machine, without a name server", async () => {
    expect(await resolveByDns(["127.0.0.1:9"])("localhost", new AbortController().signal)).toEqual([
      "127.0.0.1",
      "::1",
    ]);
  });
});
