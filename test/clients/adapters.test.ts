/** The adapters of clients/js for frameworks: a permission of a role decides about a request (G223). */
import { expect, test } from "bun:test";
import { requireAuth as elysiaAuth } from "../../clients/js/src/elysia.ts";
import { requireAuth as expressAuth } from "../../clients/js/src/express.ts";
import { requireAuth as fastifyAuth } from "../../clients/js/src/fastify.ts";
import { requireAuth as honoAuth } from "../../clients/js/src/hono.ts";
import { requireAuth as nextAuth } from "../../clients/js/src/next.ts";
import { createVerifier, type Verifier } from "../../clients/js/src/verifier.ts";
import { deployment } from "../support/deployment.ts";
import { ISSUER } from "../support/replica.ts";
import { assignRoles, createdRole, memberInSession } from "../support/roles.ts";
import { founded } from "../support/team.ts";
import { eventually } from "../support/waiting.ts";

const VERIFIED_MS = 2_000;
const PERMISSION = { permission: "audit.read" } as const;

/** The status of a request at every adapter; 200: the handler of the application runs. */
async function statusesOf(verifier: Verifier, token: string): Promise<Readonly<Record<string, number>>> {
  const headers = { authorization: `Bearer ${token}` };
  const request = () => new Request("https://api.example.test/reports", { headers });
  const nodeRequest = () => ({ method: "GET", originalUrl: "/reports", url: "/", headers });
  const statuses = { elysia: 200, express: 0, fastify: 200, hono: 0, next: 0 };
  const elysia = await elysiaAuth(verifier, PERMISSION)({ request: request() });
  const hono = await honoAuth(verifier, PERMISSION)({ req: { raw: request() } }, async () => {
    statuses.hono = 200;
  });
  const next = await nextAuth(verifier, PERMISSION)(() => Response.json({}))(request());
  const refuse = (framework: "express" | "fastify", status: number) => {
    statuses[framework] = status;
  };
  const ofExpress = { status: (status: number) => ({ set: () => ({ json: () => refuse("express", status) }) }) };
  await expressAuth(verifier, PERMISSION)(nodeRequest(), ofExpress, () => refuse("express", 200));
  const ofFastify = { code: (status: number) => ({ headers: () => ({ send: () => refuse("fastify", status) }) }) };
  await fastifyAuth(verifier, PERMISSION)(nodeRequest(), ofFastify);
  return { ...statuses, elysia: elysia?.status ?? 200, hono: hono?.status ?? statuses.hono, next: next.status };
}

const everywhere = (status: number) => ({
  elysia: status,
  express: status,
  fastify: status,
  hono: status,
  next: status,
});

test("every adapter requires the permission, and follows a role within two seconds (G223)", async () => {
  const at = await deployment();
  const host = await founded(at);
  const member = await memberInSession(at, host);
  const { body } = await member.client.post("/v1/auth/refresh");
  const token = String(body.access_token);
  const verifier = createVerifier({ issuer: ISSUER, baseUrl: at.other.url, whenBlind: "deny" });
  try {
    expect(await statusesOf(verifier, token)).toEqual(everywhere(403));
    const role = await createdRole(host, ["audit.read"]);
    for (const [roleIds, status] of [[[role.id], 200] as const, [[], 403] as const]) {
      expect((await assignRoles(host, host.organizationId, member.userId, roleIds)).status).toBe(200);
      await eventually(`every adapter responds with ${status}`, VERIFIED_MS, async () =>
        Bun.deepEquals(await statusesOf(verifier, token), everywhere(status)),
      );
    }
  } finally {
    verifier.close();
  }
});
