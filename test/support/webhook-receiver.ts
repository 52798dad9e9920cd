/** A receiver of webhooks: an HTTPS server with a certificate for a name, and the received requests. */
import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { testCertificate } from "./certificate.ts";
import { until } from "./waiting.ts";

export interface Received {
  readonly id: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
  readonly body: any;
}

export interface Receiver {
  /** Each webhook has a separate path below this URL. */
  readonly url: string;
  readonly port: number;
  /** Returns all requests to a path, oldest first. */
  at(path: string): readonly Received[];
  /** Waits until `count` requests came to a path. */
  received(path: string, count: number): Promise<readonly Received[]>;
  stop(): Promise<void>;
}

type Reply = (request: Received, attempt: number) => Response | Promise<Response>;

/**
 * `reply` computes the response to each request; default 204. `attempt` counts from 1 how often this id has come to
 * this path.
 */
export function startReceiver(reply: Reply = () => new Response(null, { status: 204 })): Receiver {
  const received: Received[] = [];
  const { key, cert } = testCertificate();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key, cert },
    async fetch(request) {
      const text = await request.text();
      const headers = Object.fromEntries(request.headers);
      const path = new URL(request.url).pathname;
      const each = { id: headers["webhook-id"] ?? "", path, headers, text, body: JSON.parse(text) };
      received.push(each);
      const attempt = received.filter((other) => other.id === each.id && other.path === path).length;
      return await reply(each, attempt);
    },
  });
  const at = (path: string) => received.filter((each) => each.path === path);
  return {
    url: `https://127.0.0.1:${server.port}`,
    port: server.port ?? 0,
    at,
    async received(path, count) {
      await until(`${count} deliveries arrive`, async () => at(path).length >= count);
      return at(path);
    },
    async stop() {
      await server.stop(true);
    },
  };
}

/** Throws unless the library of Standard Webhooks accepts the delivery with this secret. */
export function verifyDelivery(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, { ...headers });
}

/**
 * Returns true if a signature is valid under the key of the service (v1a). `publicKey` has the format of the discovery
 * document.
 */
export function verifiesAsymmetrically(publicKey: string, { text, headers }: Received): boolean {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`);
  const signatures = (headers["webhook-signature"] ?? "").split(" ").filter((each) => each.startsWith("v1a,"));
  return signatures.some((each) => verify(null, signed, key, Buffer.from(each.slice(4), "base64")));
}
