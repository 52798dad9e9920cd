/** Two replicas at one public address. The response of a product and its completion reach different replicas. */
import { freePort } from "../../db/embedded.ts";
import { testCertificate } from "../support/certificate.ts";
import { MailProvider } from "../support/mail.ts";
import type { PageSite } from "../support/pages.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, startRedis, stopLater } from "../support/services.ts";
import { ssoSettings } from "../support/sso.ts";

export interface Pair extends PageSite {
  readonly other: Replica;
}

/** The paths whose requests reach the first replica; the requests of `finish` reach the second. */
const FIRST = /\/(?:acs|start)$/;
const SECOND = /\/(?:finish|callback)$/;

/** `more`: settings of both replicas. */
export async function startPair(more: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const [databaseUrl, redis] = await Promise.all([freshDatabase(), startRedis()]);
  const mail = new MailProvider();
  const settings = {
    ...ssoSettings(),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    SERVICE_PUBLIC_BASE_URL: origin,
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_BRAND_NAME: "Acme",
    ...more,
  };
  const [one, other] = await Promise.all([startReplica(settings), startReplica(settings)]);
  let turn = 0;
  balance(port, (path) => {
    turn += 1;
    if (FIRST.test(path)) return one.url;
    return SECOND.test(path) || turn % 2 === 0 ? other.url : one.url;
  });
  return { origin, one, other, sql: openSql(databaseUrl), databaseUrl, mail };
}

function balance(port: number, choose: (path: string) => string): void {
  const server = Bun.serve({
    port,
    hostname: "localhost",
    idleTimeout: 0,
    fetch: (request) => forward(request, choose(new URL(request.url).pathname)),
  });
  stopLater(() => void server.stop(true));
}

/** Serves a program on a loopback port by https, as a reverse proxy in front of an identity provider. */
export function serveByTls(port: number): string {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: testCertificate(),
    idleTimeout: 0,
    fetch: (request) => forward(request, `http://127.0.0.1:${port}`, { "x-forwarded-proto": "https" }),
  });
  stopLater(() => void server.stop(true));
  return `https://127.0.0.1:${server.port}`;
}

/** Browsers keep no cookie whose domain is an address with a leading dot: proxies rewrite domains. */
const COOKIE_DOMAIN = /; *domain=[^;]*/i;

async function forward(request: Request, to: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const unavailable = () => new Response(null, { status: 502 });
  const answer = await fetch(`${to}${pathname}${search}`, {
    method: request.method,
    headers,
    body: isRead ? null : await request.arrayBuffer(),
    redirect: "manual",
    decompress: false,
    keepalive: false,
  } as RequestInit).catch(unavailable);
  const received = new Headers(answer.headers);
  const cookies = received.getSetCookie();
  received.delete("set-cookie");
  for (const cookie of cookies) received.append("set-cookie", cookie.replace(COOKIE_DOMAIN, ""));
  return new Response(answer.body, { status: answer.status, headers: received });
}
