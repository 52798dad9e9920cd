import { ok } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { createConnectionTest, testerOf } from "../../flows/sso/tests/create.ts";
import { readConnectionTest } from "../../flows/sso/tests/read.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { ConnectionTestItem, ConnectionTestUrl } from "../schemas/sso-tests.ts";
import { connectionTestBody } from "../sso/sso-bodies.ts";

export type SsoTestDeps = StoreDeps & Pick<Deps, "sealing" | "state">;

const tag = "Single sign-on";
const TEST_PATH = "/orgs/:org_id/sso/connections/:id/test";

/** docs/contract.md, section 29.13. */
export function ssoTestRoutes(deps: SsoTestDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: TEST_PATH,
      operationId: "testSsoConnection",
      docs: { clientMethod: "sso.connections.test", section: "29.13" },
      tag,
      summary: "Begin a test of a connection",
      description: "The administrator opens `url` in the browser of this session, once, within ten minutes.",
      auth: "people",
      permission: "sso.manage",
      responses: { 200: { description: "The address of the test", schema: ConnectionTestUrl } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: (caller, { org_id: organizationId }) => authorizeSsoManager(deps, caller, organizationId),
      async handle({ authorized: caller, caller: { session }, params }) {
        const created = await createConnectionTest(deps, {
          caller,
          connectionId: params.id,
          tester: testerOf(session),
        });
        return created.ok ? ok(reply(200, { url: created.value.url })) : created;
      },
    }),
    endpoint({
      method: "GET",
      path: TEST_PATH,
      operationId: "getSsoConnectionTest",
      docs: { clientMethod: "sso.connections.testResult", section: "29.13" },
      tag,
      summary: "Get the result of the latest test of a connection",
      description: "404 without a result of the last 24 hours.",
      auth: "administrative",
      permission: "sso.read",
      responses: { 200: { description: "The result", schema: ConnectionTestItem } },
      problems: ["not_found", "forbidden", "payment_required"],
      authorize: (caller, { org_id: organizationId }) => authorizeSsoReader(deps, caller, organizationId),
      async handle({ authorized: caller, params }) {
        const found = await readConnectionTest(deps, { caller, connectionId: params.id });
        return found.ok ? ok(reply(200, connectionTestBody(found.value))) : found;
      },
    }),
  ];
}
