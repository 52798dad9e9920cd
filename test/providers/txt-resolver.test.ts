/** The resolver of TXT records, against servers that respond, time out, truncate and lie (G144). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "dns-packet";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { dnsServer } from "../../src/config/parsers.ts";
import { txtResolver } from "../../src/providers/dns/txt-resolver.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { type DnsServer, SERVFAIL, SILENT, startDnsServer, TRUNCATED } from "../support/dns-server.ts";
import { findProgram } from "../support/packages.ts";
import { until } from "../support/waiting.ts";

const random = systemRandom(systemClock);
const resolverOf = (...addresses: readonly string[]) => txtResolver({ random, servers: addresses.map(dnsServer) });

let one: DnsServer;
let other: DnsServer;
beforeAll(async () => {
  [one, other] = await Promise.all([startDnsServer(), startDnsServer()]);
});
afterAll(() => {
  one.stop();
  other.stop();
});

let count = 0;
/** A name that no other test uses. */
const newName = () => {
  count += 1;
  return `_service-domain.d${count}.test`;
};
const find = async (name: string) => (await resolverOf(one.address).findTxt(name))[0];
const cname = (name: string, data: string): Answer => ({ type: "CNAME", name, ttl: 60, data });
const txt = (name: string, data: string): Answer => ({ type: "TXT", name, ttl: 60, data });

describe("the resolver", () => {
  test("joins the character-strings of a record and returns each record", async () => {
    const name = newName();
    one.setTxt(name, ["service-", "domain", "-verification=a"], "v=spf1 -all");
    expect(await find(name)).toEqual(["service-domain-verification=a", "v=spf1 -all"]);
  });

  test("returns no value for a name without records, and a missing response as undefined", async () => {
    expect(await find(newName())).toEqual([]);
    const empty = newName();
    one.records.set(empty, []);
    expect(await find(empty)).toEqual([]);
    for (const fault of [SILENT, SERVFAIL]) {
      const name = newName();
      one.setTxt(name, "a");
      one.faults.set(name, fault);
      const startedAt = performance.now();
      expect(await find(name)).toBeUndefined();
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    }
    expect(await resolverOf("127.0.0.1:1").findTxt(newName())).toEqual([undefined]);
  });

  test("repeats a truncated response by TCP", async () => {
    const name = newName();
    one.setTxt(name, "long");
    one.faults.set(name, TRUNCATED);
    expect(await find(name)).toEqual(["long"]);
    expect(one.questions).toContain(`tcp ${name}`);
  });

  test("asks every server of the setting", async () => {
    const name = newName();
    one.setTxt(name, "a");
    expect(await resolverOf(one.address, other.address).findTxt(name)).toEqual([["a"], []]);
  });

  test("follows CNAMEs, also where the server leaves the records of the target out", async () => {
    const name = newName();
    one.records.set(name, [cname(name, "in.response.test"), txt("in.response.test", "near")]);
    expect(await find(name)).toEqual(["near"]);
    const far = newName();
    one.records.set(far, [cname(far, "far.test")]);
    one.setTxt("far.test", "far");
    expect(await find(far)).toEqual(["far"]);
    const dangling = newName();
    one.records.set(dangling, [cname(dangling, "absent.test")]);
    expect(await find(dangling)).toEqual([]);
  });

  test("gives a loop and a long chain of CNAMEs up", async () => {
    const loop = newName();
    one.records.set(loop, [cname(loop, loop)]);
    expect(await find(loop)).toBeUndefined();
    for (let link = 0; link < 20; link += 1) {
      one.records.set(`chain${link}.test`, [cname(`chain${link}.test`, `chain${link + 1}.test`)]);
    }
    one.setTxt("chain20.test", "end");
    expect(await find("chain0.test")).toBeUndefined();
    expect(one.questions.filter((question) => question.includes("chain")).length).toBeLessThan(12);
  });

  test("ignores records of other owners and classes, long records, and records beyond the bound", async () => {
    const name = newName();
    one.records.set(name, [
      txt("_service-domain.victim.test", "foreign"),
      { ...txt(name, "chaos"), class: "CH" } as Answer,
      txt(name, "own"),
    ]);
    expect(await find(name)).toEqual(["own"]);
    const long = newName();
    one.setTxt(
      long,
      Array.from({ length: 6 }, () => "x".repeat(250)),
      "short",
    );
    expect(await find(long)).toEqual(["short"]);
    const many = newName();
    one.setTxt(many, ...Array.from({ length: 100 }, (_, index) => `value ${index}`));
    expect((await find(many))?.length).toBe(64);
  });

  test("ignores messages with a wrong id or question, and moves to TCP after many", async () => {
    const name = newName();
    one.setTxt(name, "right");
    one.faults.set(name, (_question, honest, transport) => {
      const wrong = { ...honest, answers: [txt(name, "forged")] };
      const forged = [
        { ...wrong, id: ((honest.id ?? 0) + 1) % 0x10000 },
        { ...wrong, questions: [{ type: "TXT" as const, name: "other.test" }] },
        { ...wrong, type: "query" as const },
      ];
      return transport === "udp" ? [...forged, honest] : [honest];
    });
    expect(await find(name)).toEqual(["right"]);
    const flooded = newName();
    one.setTxt(flooded, "by TCP");
    one.faults.set(flooded, (_question, honest, transport) =>
      transport === "tcp"
        ? [honest]
        : Array.from({ length: 20 }, (_, index) => ({ ...honest, id: ((honest.id ?? 0) + 1 + index) % 0x10000 })),
    );
    expect(await find(flooded)).toEqual(["by TCP"]);
  });

  test("takes a referral for no response", async () => {
    const name = newName();
    one.faults.set(name, (_question, honest) => [
      {
        ...honest,
        flags: 0,
        answers: [],
        authorities: [{ type: "NS", name: "test", ttl: 60, data: "ns.test" }],
      },
    ]);
    expect(await find(name)).toBeUndefined();
  });
});

test("Knot DNS, with a record of several strings, a CNAME and a response beyond a datagram", async () => {
  const program = findProgram("knot");
  const folder = mkdtempSync(join(tmpdir(), "knot-"));
  const listener = await startDnsServer();
  listener.stop();
  const port = listener.address.split(":")[1] ?? "";
  const filler = Array.from({ length: 12 }, (_, index) => `_service-domain TXT "${"f".repeat(200)}${index}"`);
  const zone = [
    "$ORIGIN acme.test.",
    "$TTL 60",
    "@ SOA ns.acme.test. admin.acme.test. 1 3600 900 86400 60",
    "@ NS ns",
    "ns A 127.0.0.1",
    ...filler,
    '_service-domain TXT "service-domain-" "verification=knot"',
    "alias CNAME _service-domain",
    "",
  ];
  writeFileSync(join(folder, "acme.zone"), zone.join("\n"));
  const settings = [
    "server:",
    `  rundir: ${folder}`,
    `  listen: 127.0.0.1@${port}`,
    "log:",
    "  - target: stderr",
    "    any: warning",
    "database:",
    `  storage: ${folder}`,
    "zone:",
    "  - domain: acme.test",
    `    file: ${join(folder, "acme.zone")}`,
    "    zonefile-load: whole",
    "    journal-content: none",
    "",
  ];
  writeFileSync(join(folder, "knot.conf"), settings.join("\n"));
  const knot = spawn(...dieWithParent(program, ["-c", join(folder, "knot.conf")]), { stdio: "ignore" });
  try {
    const resolver = resolverOf(`127.0.0.1:${port}`);
    let values: readonly string[] | undefined;
    await until("Knot responds", async () => {
      [values] = await resolver.findTxt("_service-domain.acme.test");
      return values !== undefined;
    });
    expect(values).toContain("service-domain-verification=knot");
    expect(values?.length).toBe(13);
    expect((await resolver.findTxt("alias.acme.test"))[0]).toContain("service-domain-verification=knot");
    expect(await resolver.findTxt("absent.acme.test")).toEqual([[]]);
    // A zone of another server: the response REFUSED is no statement about the name.
    expect(await resolver.findTxt("_service-domain.other.test")).toEqual([undefined]);
  } finally {
    knot.kill("SIGKILL");
  }
});
