import { ok } from "../../base/result.ts";
import { listIntegrations, type PutIntegrationDeps, putIntegration } from "../../flows/integrations/administer.ts";
import { probeIntegration } from "../../flows/integrations/probe.ts";
import { authorizeIntegration } from "../../flows/steps/authorization/authorize-integration.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import type { ProviderView } from "../../models/provider-config/provider-config.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { IntegrationsBody, ProbeBody, ProviderItem, ProviderKey, PutIntegrationBody } from "../schemas/integrations.ts";

const tag = "Integrations";

/** docs/contract.md, chapter 15. No response contains a secret. */
export function integrationRoutes(deps: PutIntegrationDeps): Endpoint[] {
  return [...integrationListRoutes(deps), ...integrationChangeRoutes(deps)];
}

function integrationListRoutes(deps: PutIntegrationDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/integrations",
      operationId: "listIntegrations",
      docs: { clientMethod: "admin.integrations.list", section: "15.2" },
      tag,
      summary: "List the external services",
      auth: "administrative",
      permission: "providers.read",
      limits: { address: "integrations" },
      responses: { 200: { description: "Every provider, masked", schema: IntegrationsBody } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller }) {
        const found = await listIntegrations(deps, caller);
        if (!found.ok) return found;
        const { secretsEnabled, providers } = found.value;
        return ok(reply(200, { secrets_enabled: secretsEnabled, providers: providers.map(providerBody) }));
      },
    }),
  ];
}

function integrationChangeRoutes(deps: PutIntegrationDeps): Endpoint[] {
  return [
    endpoint({
      method: "PUT",
      path: "/admin/integrations/:provider",
      operationId: "putIntegration",
      docs: { clientMethod: "admin.integrations.put", section: "15.3", params: { provider: ProviderKey } },
      stepUp: "adds_credential",
      tag,
      summary: "Configure an external service",
      description: "In use at once on this replica, and within about 30 seconds on further replicas.",
      auth: "administrative",
      permission: "providers.write",
      limits: { address: "integrations" },
      input: { textParameters: true, body: PutIntegrationBody },
      responses: { 200: { description: "The updated provider, masked", schema: ProviderItem } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, params) => authorizeIntegration(deps, caller, params.provider),
      async handle({ authorized, body, client }) {
        const written = await putIntegration(deps, {
          ...authorized,
          enabled: body.enabled,
          publicConfig: body.public_config ?? {},
          secret: body.secret,
          clearSecret: body.clear_secret ?? false,
          client,
        });
        return written.ok ? ok(reply(200, providerBody(written.value))) : written;
      },
    }),
    endpoint({
      method: "POST",
      path: "/admin/integrations/:provider/test",
      operationId: "testIntegration",
      docs: {
        clientMethod: "admin.integrations.test",
        section: "15.4",
        access: "platform admin, step-up",
        params: { provider: ProviderKey },
      },
      tag,
      summary: "Test the stored settings of an external service",
      description: "A failed test is 200 with `ok` false. Needs a step-up within five minutes.",
      auth: "administrative",
      permission: "providers.write",
      limits: { address: "integrations" },
      input: { textParameters: true },
      responses: { 200: { description: "Result of the test", schema: ProbeBody } },
      problems: ["forbidden", "mfa_required", "invalid_input"],
      authorize: (caller, params) => authorizeIntegration(deps, caller, params.provider),
      async handle({ authorized, client }) {
        const outcome = await probeIntegration(deps, { ...authorized, client });
        return outcome.ok ? ok(reply(200, outcome.value)) : outcome;
      },
    }),
  ];
}

function providerBody(view: ProviderView) {
  return {
    provider: view.provider,
    enabled: view.enabled,
    public_config: view.publicConfig,
    secret_set: view.secretSet,
    key_id: view.keyId,
    updated_at: view.updatedAt?.toISOString() ?? null,
    degraded: view.degraded,
  };
}
