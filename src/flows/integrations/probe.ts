import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { PROVIDERS, type Provider } from "../../models/provider-config/provider.ts";
import {
  listProviderRows,
  openSecret,
  type ProviderRow,
  resolveProvider,
} from "../../models/provider-config/provider-config.ts";
import { signAppleSecret } from "../../providers/identity/apple-secret.ts";
import { probeHttpMail } from "../../providers/mail/http.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { IntegrationCaller } from "../steps/authorization/authorize-integration.ts";

export type ProbeDeps = StoreDeps & Pick<Deps, "configKeys">;

export interface ProbeInput extends IntegrationCaller {
  readonly client: RequestContext;
}

/** Holds no secret. */
export interface ProbeOutcome {
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * POST /v1/admin/integrations/:provider/test (docs/contract.md, section 15.4): tests the stored settings. A failed test
 * is an outcome, not a refusal.
 */
export async function probeIntegration(deps: ProbeDeps, input: ProbeInput): Promise<Result<ProbeOutcome, never>> {
  const { provider } = input;
  const rows = await deps.database.run("provider_config.list", listProviderRows);
  const row = rows.find((each) => each.provider === provider);
  const outcome = await probe(deps, provider, row);
  await recordProbe(deps, input, row?.keyId ?? null, outcome);
  return ok(outcome);
}

async function recordProbe(
  deps: ProbeDeps,
  { caller, provider, client }: ProbeInput,
  keyId: string | null,
  outcome: ProbeOutcome,
): Promise<void> {
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "provider.tested",
    at: new Date(deps.clock.now()),
    outcome: outcome.ok ? "success" : "failure",
    resource: { type: "provider", id: provider },
    metadata: { provider, key_id: keyId },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}

async function probe(deps: ProbeDeps, provider: Provider, row: ProviderRow | undefined): Promise<ProbeOutcome> {
  if (!row || row.sealedSecret === null) return failed("No secret is stored.");
  const secret = openSecret(deps.configKeys, row);
  if (secret === undefined)
    return failed("The stored secret cannot be opened: the key that sealed it is not configured.");
  const missing = PROVIDERS[provider].required.find((field) => row.publicConfig[field] === undefined);
  if (missing) return failed(`public_config has no ${missing}.`);
  if (provider === "email_transport") return await probeMail(deps, secret);
  if (provider === "oauth_idp_d") return await probeApple(deps, row, secret);
  const { stored } = resolveProvider(provider, row, deps.configKeys, {});
  return stored ? passed("A client id and a secret are stored.") : failed("The settings are incomplete.");
}

async function probeMail({ config }: ProbeDeps, apiKey: string): Promise<ProbeOutcome> {
  const result = await probeHttpMail({ apiUrl: config.mail.apiUrl, apiKey });
  return result.ok ? passed("The provider accepts the key.") : failed(result.error);
}

async function probeApple(
  { config, clock }: ProbeDeps,
  row: ProviderRow,
  privateKeyPem: string,
): Promise<ProbeOutcome> {
  const { client_id: clientId = "", team_id: teamId = "", key_id: keyId = "" } = row.publicConfig;
  try {
    await signAppleSecret({ clientId, teamId, keyId, privateKeyPem }, config.identityProviders.apple, clock);
    return passed("The key signs client secrets.");
  } catch {
    return failed("The key is not a P-256 private key in PKCS #8 form.");
  }
}

function passed(detail: string): ProbeOutcome {
  return { ok: true, detail };
}

function failed(detail: string): ProbeOutcome {
  return { ok: false, detail };
}
