import type { ClientFacts } from "../../base/client-facts.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { PROVIDERS, type Provider } from "../../models/provider-config/provider.ts";
import {
  listProviderRows,
  openSecret,
  type ProviderRow,
  resolveProvider,
} from "../../models/provider-config/provider-config.ts";
import { mintAppleSecret } from "../../providers/identity/apple-secret.ts";
import { probeHttpMail } from "../../providers/mail/http.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import type { IntegrationCaller } from "../steps/authorize-integration.ts";

export type ProbeDeps = Pick<Deps, "config" | "database" | "clock" | "random" | "configKeys">;

export interface ProbeInput extends IntegrationCaller {
  readonly client: ClientFacts;
}

/** Never holds a secret: safe to show. */
export interface ProbeOutcome {
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * POST /v1/admin/integrations/:provider/test (contract, section 4.12): tries what is stored. What fails is an outcome, not a refusal.
 */
export async function probeIntegration(deps: ProbeDeps, input: ProbeInput): Promise<Result<ProbeOutcome>> {
  const { provider } = input;
  const rows = await deps.database.run("provider_config.list", listProviderRows);
  const row = rows.find((each) => each.provider === provider);
  const outcome = await probe(deps, provider, row);
  await record(deps, input, row?.keyId ?? null, outcome);
  return ok(outcome);
}

async function record(
  deps: ProbeDeps,
  { caller, provider, client }: ProbeInput,
  keyId: string | null,
  outcome: ProbeOutcome,
): Promise<void> {
  const entry = userAuditEvent(deps, caller.session, client, {
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
  if (secret === undefined) return failed("The stored secret does not open: the key that sealed it is not set here.");
  const missing = PROVIDERS[provider].needed.find((field) => row.publicConfig[field] === undefined);
  if (missing) return failed(`public_config has no ${missing}.`);
  if (provider === "email_transport") return await probeMail(deps, secret);
  if (provider === "oauth_idp_d") return await probeApple(deps, row, secret);
  const { stored } = resolveProvider(provider, row, deps.configKeys, {});
  return stored ? passed("A client id and a secret are stored.") : failed("Something is missing.");
}

async function probeMail({ config }: ProbeDeps, apiKey: string): Promise<ProbeOutcome> {
  const answer = await probeHttpMail({ apiUrl: config.mail.apiUrl, apiKey });
  return answer.ok ? passed("The provider knows the key.") : failed(answer.error);
}

async function probeApple(
  { config, clock }: ProbeDeps,
  row: ProviderRow,
  privateKeyPem: string,
): Promise<ProbeOutcome> {
  const { client_id: clientId = "", team_id: teamId = "", key_id: keyId = "" } = row.publicConfig;
  try {
    await mintAppleSecret({ clientId, teamId, keyId, privateKeyPem }, config.identityProviders.apple, clock);
    return passed("The key signs client secrets.");
  } catch {
    return failed("The key is no private key of the curve P-256 in PKCS #8 form.");
  }
}

function passed(detail: string): ProbeOutcome {
  return { ok: true, detail };
}

function failed(detail: string): ProbeOutcome {
  return { ok: false, detail };
}
