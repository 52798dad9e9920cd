import { styleText } from "node:util";
import { defineCommand } from "citty";
import { inspectRoleOf, pendingMigrations } from "../../db/migrate.ts";
import { NO_MAIL, NO_REDIS } from "../config/checks.ts";
import { type Config, loadConfig } from "../config/config.ts";
import { examineGeolocation } from "../flows/operations/examine-geolocation.ts";
import { examineMail } from "../flows/operations/examine-mail.ts";
import { type Foundation, openFoundation } from "../foundation.ts";
import { providerLabel } from "../models/provider-config/provider.ts";
import { listProviderRows, resolveProviders } from "../models/provider-config/provider-config.ts";
import { isDegraded, listSocialProviders, type SocialProvider } from "../models/social-provider/social-provider.ts";
import { countPlatformOwners } from "../models/user/platform-role.ts";
import { reportEviction } from "../state/eviction.ts";
import { hasColours } from "./colours.ts";
import { examineClients } from "./examine-clients.ts";
import { examineConnection, roleFinding } from "./examine-connection.ts";
import { examineFolders } from "./examine-folders.ts";
import { examineSigner } from "./examine-signer.ts";
import { type Finding, finding } from "./finding.ts";
import { unreachable } from "./unreachable.ts";

/** Preflight (docs/contract.md, section 19.6): one line per check and remedy; exit code 1 on a hard failure. */
export const doctorCommand = defineCommand({
  meta: { name: "doctor", description: "Check configuration, database and keys before going live" },
  args: { json: { type: "boolean", description: "Print JSON" } },
  async run({ args }) {
    const findings = await examine();
    console.log(
      args.json ? JSON.stringify({ ok: !failed(findings), checks: findings }, null, 2) : findings.map(line).join("\n"),
    );
    process.exitCode = failed(findings) ? 1 : 0;
  },
});

function failed(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.level === "failure");
}

async function examine(): Promise<Finding[]> {
  const loaded = loadConfig(process.env);
  if (!loaded.ok) {
    return loaded.error.map((error) => finding("environment", "failure", error, "correct it and run doctor again"));
  }
  const config = loaded.value;
  return [
    finding(
      "environment",
      "ok",
      config.embedded ? "embedded mode: nothing is required" : "all required variables are set",
    ),
    ...(await examineDatabase(config)),
    await examineRedis(config.redisUrl),
    ...(await examineSettings(config)),
    ...examineFolders(config),
    ...(await examinePlaces(config)),
    ...config.warnings
      .filter((warning) => warning !== NO_REDIS && warning !== NO_MAIL)
      .map((warning) => finding("configuration", "warning", warning, "see docs/configuration.md")),
  ];
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    const foundation = await openFoundation(config, { logLevel: "error", attach: true });
    try {
      const reachable = finding("database", "ok", "reachable");
      const connection = await examineConnection({
        ...config.database,
        url: foundation.databaseUrl,
        processes: config.processes,
        clock: foundation.clock,
      });
      const role = config.embedded ? [] : [roleFinding(await inspectRoleOf(foundation.databaseUrl))];
      const unusable = connection.some(({ level }) => level === "failure");
      return [reachable, ...connection, ...role, ...(unusable ? [] : await examineContent(foundation))];
    } finally {
      await foundation.close();
    }
  } catch (error) {
    return [unreachable("database", "failure", error)];
  }
}

async function examineContent(foundation: Foundation): Promise<Finding[]> {
  const { database } = foundation;
  const pending = await database.run("migrations.pending", (sql) => pendingMigrations(sql));
  if (pending.length > 0)
    return [finding("migrations", "failure", `${pending.length} not applied`, "npm run service -- migrate")];
  const owners = await database.run("user.count_platform_owners", countPlatformOwners);
  return [
    finding("migrations", "ok", "applied"),
    examineOwners(owners),
    await examineProviders(foundation),
    ...(await examineSocialProviders(foundation)),
    await examineSigner(foundation),
    ...(await examineClients(foundation)),
  ];
}

function examineOwners(owners: number): Finding {
  if (owners > 0) return finding("platform owner", "ok", `${owners}`);
  const remedy = "npm run service -- admin grant <email> owner, or set SERVICE_INITIAL_OWNER_EMAIL";
  return finding("platform owner", "warning", "no user has the platform role owner", remedy);
}

async function examineProviders({ database, config, configKeys }: Foundation): Promise<Finding> {
  const rows = await database.run("provider_config.list", listProviderRows);
  const states = Object.values(resolveProviders(rows, configKeys, config.identityClients));
  const degraded = states.filter(({ view }) => view.degraded).map(({ view }) => providerLabel(view.provider));
  if (degraded.length > 0) {
    const remedy = "add the key that sealed them to SERVICE_CONFIG_KEYS_PREVIOUS, or enter the secrets again";
    return finding("providers", "warning", `enabled, but cannot be applied: ${degraded.join(", ")}`, remedy);
  }
  const inUse = states.filter((state) => state.inUse).map(({ view }) => providerLabel(view.provider));
  return finding("providers", "ok", inUse.length > 0 ? inUse.join(", ") : "none enabled");
}

/** Providers that cannot be applied, and providers whose every address of a domain counts as verified. */
async function examineSocialProviders({ database, configKeys }: Foundation): Promise<readonly Finding[]> {
  const rows = await database.run("social_provider.list", listSocialProviders);
  const enabled = rows.filter(({ config }) => config.enabled);
  const degraded = enabled.filter((row) => isDegraded(configKeys, row));
  const trusting = enabled.filter(({ config }) => config.email_trust === "always");
  const label = "social providers";
  if (degraded.length > 0) {
    const remedy = "add the key that sealed them to SERVICE_CONFIG_KEYS_PREVIOUS, or enter the secrets again";
    return [finding(label, "warning", `enabled, but cannot be applied: ${namesOf(degraded)}`, remedy)];
  }
  if (trusting.length > 0) {
    const remedy = "every administrator of such a provider can sign in as each user of the domains";
    return [finding(label, "warning", `email_trust is always: ${namesOf(trusting)}`, remedy)];
  }
  return [finding(label, "ok", enabled.length > 0 ? namesOf(enabled) : "none enabled")];
}

function namesOf(rows: readonly SocialProvider[]): string {
  return rows.map(({ provider, config }) => `${config.name} (${provider})`).join(", ");
}

async function examineSettings(config: Config): Promise<Finding[]> {
  const hasKey = config.embedded || config.configKeys.current !== undefined;
  const configKey = hasKey
    ? finding("SERVICE_CONFIG_KEY", "ok", config.configKeys.current ? "set" : "unset: a key in the data directory")
    : finding("SERVICE_CONFIG_KEY", "warning", "unset: provider secrets cannot be stored", "openssl rand -base64 32");
  return [configKey, await mailFinding(config), examineCheckpoints(config)];
}

/** An evicting Redis lets an attacker displace counters of guesses (docs/contract.md, section 8.7). */
async function examineRedis(url: string | undefined): Promise<Finding> {
  const check = "REDIS_URL";
  if (!url) return finding(check, "warning", "unset: one replica only", "set it before a second replica starts");
  const report = await reportEviction(url);
  switch (report.kind) {
    case "login":
      return finding(
        check,
        "failure",
        `the login is refused: ${report.detail}`,
        "check user and password of REDIS_URL; in a password, / ? # % @ are written %2F %3F %23 %25 %40",
      );
    case "away":
      return finding(check, "warning", report.detail, report.remedy);
    case "unusable":
      return finding(
        check,
        "failure",
        `writes are refused: ${report.detail}`,
        "see docs/runbook.md, IdentityStateNotShared",
      );
    case "hidden":
      return finding(
        check,
        "warning",
        "reachable; its maxmemory-policy cannot be read",
        "make sure that it is noeviction",
      );
    case "known":
      return report.evicting.length === 0
        ? finding(check, "ok", "reachable, and evicts nothing")
        : finding(check, "failure", `maxmemory-policy is ${report.evicting.join(", ")}`, "set it to noeviction");
  }
}

async function examinePlaces({ geolocationFile }: Config): Promise<Finding[]> {
  if (geolocationFile === undefined) return [];
  const check = "SERVICE_GEOIP_FILE";
  const flaw = await examineGeolocation(geolocationFile);
  if (flaw === undefined) return [finding(check, "ok", "readable")];
  return [finding(check, "warning", flaw, "name an MMDB file with the records of GeoIP2 City or Country")];
}

/** A wrong configuration is a failure; emails wait for a provider that does not respond. */
async function mailFinding({ mail, embedded }: Config): Promise<Finding> {
  const check = "email";
  const report = await examineMail(mail);
  if (report.kind === "usable") {
    const { way, warning } = report;
    return warning ? finding(check, "warning", way, warning) : finding(check, "ok", way);
  }
  if (report.kind === "refused") return finding(check, "failure", report.cause, report.remedy);
  if (report.kind === "away") return finding(check, "warning", report.cause, report.remedy);
  if (embedded) return finding("email", "ok", "printed, and written to the outbox folder");
  const detail = "no provider: emails are dropped after a day in the outbox, unless an administrator sets one";
  return finding("email", "warning", detail, "set SERVICE_EMAIL_API_KEY or SERVICE_SMTP_URL");
}

/**
 * Without a folder and without a witness, a starting replica cannot detect leaves lost in a restored backup (decision
 * 18).
 */
function examineCheckpoints({ auditLog, embedded }: Config): Finding {
  const check = "audit checkpoints";
  if (auditLog.witnesses.length > 0 || auditLog.checkpointDirectory) return finding(check, "ok", "kept elsewhere too");
  if (embedded) return finding(check, "ok", "in the embedded database alone");
  const detail = "in the database alone: a restored backup can go unnoticed";
  return finding(check, "warning", detail, "set SERVICE_AUDIT_CHECKPOINT_DIR or SERVICE_AUDIT_WITNESSES");
}

const MARKS = { ok: ["green", "ok     "], warning: ["yellow", "warning"], failure: ["red", "failure"] } as const;

function line({ check, level, detail, remedy }: Finding): string {
  const [colour, word] = MARKS[level];
  const mark = hasColours() ? styleText(colour, word) : word;
  return `${mark}  ${check}: ${detail}${remedy ? `\n         -> ${remedy}` : ""}`;
}
