/** The order of checks of every page, and large bodies that many sockets send to pages (G85). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/config.ts";
import type { Deps } from "../../src/deps.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { openSite } from "../../src/pages/pages.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { type Flood, type FloodResult, flood } from "../support/flood.ts";
import { processBytes } from "../support/memory.ts";
import { FormClient, type PageSite, startSite } from "../support/pages.ts";
import { sendRaw } from "../support/raw.ts";
import { attempts, mainThreadMs } from "../support/waiting.ts";

const MIB = 1024 * 1024;
const SOCKETS = 500;
const BODY_BYTES = 5 * MIB;
const ANSWERED_WITHIN_MS = 3_000;
const ON_DENO = process.env.TEST_RUNTIME === "deno";
/** Processes on Deno are larger, and free memory later (docs/operating.md). */
const RESIDENT_MAX_BYTES = (ON_DENO ? 600 : 300) * MIB;
/** A request takes twice the time of the main thread on Deno, so a burst of requests delays further requests longer. */
const HEALTHZ_MAX_MS = ON_DENO ? 150 : 50;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";
/** 401: the page of a refusal itself, beyond the pages that a replica keeps in a minute. */
const NOT_READ = ["0", "303", "307", "401", "429"];

let site: PageSite;
/** The forms that pages declare. */
let forms: Endpoint[];
beforeAll(async () => {
  const config = loadConfig({});
  if (!config.ok) throw new Error(config.error.join("\n"));
  const declared = await openSite({ config: config.value } as Deps);
  forms = declared?.endpoints.filter(({ method }) => method === "POST") ?? [];
  site = await startSite();
});
afterAll(async () => {
  await site.one.stop();
});

const pathOf = ({ path, prefixed }: Endpoint) =>
  `${prefixed ? "/v1" : ""}${path.replace(/:\w+/g, "019a0000-0000-7000-8000-000000000000")}`;

interface HeadParts {
  readonly site: string;
  readonly type?: string;
  readonly cookie?: string;
}

const headOf = (path: string, { site: from, type = FORM, cookie }: HeadParts) =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: x",
    "Accept: text/html",
    `Sec-Fetch-Site: ${from}`,
    `Content-Type: ${type}`,
    ...(cookie ? [`Cookie: ${cookie}`] : []),
  ].join("\r\n");

async function signedIn() {
  const client = new FormClient(site.origin);
  await client.post("/register", { email: newEmail(), organization_name: "Engines", password: PASSWORD });
  const csrf = await client.csrf("/account");
  return { cookie: client.client.jar.getCookieStringSync("https://auth.example.test/account"), csrf };
}

const multipartStart = (csrf: string) =>
  `--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n` +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';

/** Returns the status of a request whose body is announced and never sent. */
async function statusWithoutBody(path: string, parts: HeadParts, length = BODY_BYTES): Promise<number> {
  const text = `${headOf(path, parts)}\r\nContent-Length: ${length}\r\n\r\n`;
  return (await sendRaw(site.origin, text, { waitMs: ANSWERED_WITHIN_MS, untilStatus: true })).status;
}

describe("every page checks origin, caller and limits before it reads a form", () => {
  test("there are pages with forms, and each has a limit by address", () => {
    expect(forms.length).toBeGreaterThan(25);
    expect(forms.filter(({ limit }) => limit === undefined).map(({ path }) => path)).toEqual([]);
  });

  test("A form of another site and one of an anonymous visitor are answered without their bodies.", async () => {
    for (const form of forms) {
      for (const from of ["cross-site", "same-origin"]) {
        const request = new Request("http://localhost/", { method: "POST", headers: { "sec-fetch-site": from } });
        const isAccepted = form.page?.checkOrigin(request).ok;
        // The page of a refusal follows by a redirect.
        const expected = isAccepted ? (form.page?.replyEarly(request, undefined)?.status ?? 303) : 303;
        expect([form.path, from, await statusWithoutBody(pathOf(form), { site: from })]).toEqual([
          form.path,
          from,
          expected,
        ]);
      }
    }
  });

  test("A signed-in user's form of more than 64 KiB and picture of more than 5 MiB are refused unread.", async () => {
    const { cookie } = await signedIn();
    for (const form of forms) {
      const isPicture = form.path === "/account/picture";
      const parts = { site: "same-origin", cookie, type: isPicture ? MULTIPART : FORM };
      const status = await statusWithoutBody(pathOf(form), parts, isPicture ? 2 * BODY_BYTES : 70 * 1024);
      expect([form.path, status]).toEqual([form.path, form.path === "/auth/continue" ? 307 : 303]);
    }
  });

  test("A picture is not read after a hidden field that is not of the session.", async () => {
    const { cookie, csrf } = await signedIn();
    const head = headOf("/account/picture", { site: "same-origin", cookie, type: MULTIPART });
    const ask = async (field: string) => {
      const text = `${head}\r\nContent-Length: ${BODY_BYTES}\r\n\r\n${multipartStart(field)}`;
      return (await sendRaw(site.origin, text, { waitMs: 500, untilStatus: true })).status;
    };
    expect(await ask("another")).toBe(303);
    expect(await ask(csrf)).toBe(0);
  });
});

interface Load {
  readonly peakBytes: number;
  /** The 95th percentile of the response times of GET /healthz. */
  readonly healthzMs: number;
  readonly statuses: FloodResult;
}

/**
 * Measures the cost of a flood: the memory of the replica's process, and the CPU time of the main thread before the
 * response to GET /healthz. On an idle machine the response takes this time.
 */
async function loadOf(settings: Pick<Flood, "heads" | "bodyStart" | "chunked">): Promise<Load> {
  let peakBytes = 0;
  const healthz: number[] = [];
  let running = true;
  const sending = flood({ url: site.origin, sockets: SOCKETS, bodyBytes: BODY_BYTES, ...settings }).finally(() => {
    running = false;
  });
  while (running) {
    const before = mainThreadMs(site.one.pid);
    await (await fetch(`${site.origin}/healthz`)).text();
    healthz.push(mainThreadMs(site.one.pid) - before);
    peakBytes = Math.max(peakBytes, processBytes(site.one.pid));
  }
  const sorted = healthz.sort((one, other) => one - other);
  return { peakBytes, healthzMs: sorted[Math.floor(sorted.length * 0.95)] ?? 0, statuses: await sending };
}

async function withstands(settings: Pick<Flood, "heads" | "bodyStart" | "chunked">): Promise<FloodResult> {
  return await attempts(async () => {
    const { peakBytes, healthzMs, statuses } = await loadOf(settings);
    expect(peakBytes / MIB).toBeLessThan(RESIDENT_MAX_BYTES / MIB);
    expect(healthzMs).toBeLessThan(HEALTHZ_MAX_MS);
    return statuses;
  });
}

describe(`${SOCKETS} sockets with 5 MiB each`, () => {
  test.each([
    ["with their length", false],
    ["in chunks", true],
  ])("to all pages, without a session, %s", async (_, chunked) => {
    const paths = forms.map((form) => headOf(pathOf(form), { site: "same-origin" }));
    const statuses = await withstands({ heads: paths, bodyStart: "csrf=x&email=", chunked });
    expect(Object.keys(statuses).filter((status) => !NOT_READ.includes(status))).toEqual([]);
  });

  test("as pictures of one user, who can upload one afterwards", async () => {
    const { cookie, csrf } = await signedIn();
    const heads = [headOf("/account/picture", { site: "same-origin", type: MULTIPART, cookie })];
    const statuses = await withstands({ heads, bodyStart: multipartStart(csrf) });
    // A reset can discard a response before the client reads the response: such a socket has status 0.
    const refused = (statuses["303"] ?? 0) + (statuses["0"] ?? 0);
    expect(refused).toBeGreaterThan(SOCKETS / 2);
    expect(statuses["303"]).toBeGreaterThan(SOCKETS / 5);
    const again = await sendRaw(
      site.origin,
      `${heads[0]}\r\nContent-Length: ${multipartStart(csrf).length + 7}\r\n\r\n${multipartStart(csrf)}\r\n--b--`,
      { waitMs: ANSWERED_WITHIN_MS, untilStatus: true },
    );
    // The page of the form, not of a guard, proves that the body was read and contained no picture.
    expect([again.status, again.headers.get("location")]).toEqual([303, expect.stringMatching(/shown=[\w-]+$/)]);
  });
});
