/** Constructs the actors of a replica, starts them in order and stops them in reverse. */
import { join } from "node:path";
import { type AuditLogSequencer, auditLogSequencer } from "./actors/audit-log-sequencer.ts";
import { auditLogWatch } from "./actors/audit-log-watch.ts";
import { type Brands, brands } from "./actors/brands.ts";
import { type ClientLogouts, clientLogouts } from "./actors/client-logouts.ts";
import { dataRequests } from "./actors/data-requests.ts";
import { decisionLog } from "./actors/decision-log.ts";
import { directoryRequests } from "./actors/directory-requests.ts";
import { directoryWatch } from "./actors/directory-watch.ts";
import { domainDirectory } from "./actors/domain-directory.ts";
import { featureFlags } from "./actors/feature-flags.ts";
import { geolocation } from "./actors/geolocation.ts";
import { type KeyRing, keyRing } from "./actors/key-ring.ts";
import { keyUsage } from "./actors/key-usage.ts";
import { type Outbox, outbox } from "./actors/outbox.ts";
import { passwordCosts } from "./actors/password-costs.ts";
import { type PolicyEnforcement, policyEnforcement } from "./actors/policy-enforcement.ts";
import { type ProviderConfig, providerConfig } from "./actors/replicated-provider-config.ts";
import { registration } from "./actors/replicated-registration.ts";
import { type Revocations, revocations } from "./actors/revocations.ts";
import { type SsoDirectory, ssoDirectory } from "./actors/sso-directory.ts";
import { sweeper } from "./actors/sweeper.ts";
import { type WebhookSender, webhookSender } from "./actors/webhook-sender.ts";
import { webhookWatch } from "./actors/webhook-watch.ts";
import { lazily } from "./base/lazily.ts";
import { brandPaletteOf, tenantPalettes } from "./config/brand-palettes.ts";
import type { Config } from "./config/config.ts";
import { EMAIL_LOGO_DARK_PATH, EMAIL_LOGO_PATH, readEmailLogo } from "./config/email-logo.ts";
import type { Deps } from "./deps.ts";
import { resolveEmailBrand } from "./flows/brand/email-brand.ts";
import { makeDueExports } from "./flows/data-exports/make.ts";
import { eraseDue } from "./flows/deletions/erase.ts";
import { eraseDepartedUsers } from "./flows/directories/erase-departed-users.ts";
import { warnExpiringKeys } from "./flows/directories/warn-expiring-keys.ts";
import { endSessionsWithoutAccess } from "./flows/organization-policies/end-sessions-without-access.ts";
import { grantInitialOwner } from "./flows/steps/roles/grant-initial-owner.ts";
import { signEvent } from "./flows/steps/tokens/sign-event-token.ts";
import { notifyWebhookOwners } from "./flows/webhooks/notify-owners.ts";
import type { Foundation } from "./foundation.ts";
import { WEBHOOK_RESPONSE_MAX_BYTES, WEBHOOK_SEND_DEADLINE_MS } from "./limits/machine-limits.ts";
import { OAUTH_LOGOUT_DEADLINE_MS, OAUTH_LOGOUT_RESPONSE_MAX_BYTES } from "./limits/oauth-limits.ts";
import { tokenMaxAgeMs } from "./models/signing-key/ring.ts";
import type { HashPool, SignPool } from "./pool/pool.ts";
import type { SamlPool } from "./pool/saml-pool.ts";
import { openProvider } from "./provider-actors.ts";
import { checkpointFolder } from "./providers/checkpoints/checkpoint-folder.ts";
import { witness } from "./providers/checkpoints/witness.ts";
import { guardedPost } from "./providers/guarded-post.ts";
import type { EmailBrand, EmailLogo } from "./providers/mail/email-brand.ts";
import { httpMail } from "./providers/mail/http.ts";
import type { MailProvider } from "./providers/mail/mail.ts";
import { folderMail } from "./providers/mail/mail-folder.ts";
import { smtpMail } from "./providers/mail/smtp.ts";
import { loadTemplates } from "./providers/mail/templates.ts";
import { openCertificateWatch, openDomainChecks, openPowerChecks } from "./sso-actors.ts";
import type { Logger } from "./telemetry/log.ts";

export type Actors = ReturnType<typeof openActors>;

export function openActors(
  foundation: Foundation,
  state: Deps["state"],
  { hashing, signing, samlPool }: { hashing: HashPool; signing: SignPool; samlPool: SamlPool },
  pictures: Deps["pictures"],
) {
  const { config, database, clock, random, log, sealing, telemetry } = foundation;
  const providers = providerConfig({ ...foundation, state, fallbacks: config.identityClients });
  const knownBrands = brands({ database, log });
  const mails = openOutbox(foundation, providers, knownBrands);
  const ended = revocations({ database, state, clock, log, telemetry });
  const connections = ssoDirectory({ database, state, log });
  const domains = domainDirectory({ database, state, log });
  const ring = keyRing({ database, random, clock, log, sealing, tokenMaxAgeMs: tokenMaxAgeMs(config.tokens) });
  return {
    keyRing: ring,
    brands: knownBrands,
    ...openProvider({ ...foundation, state }),
    domainDirectory: domains,
    ssoDirectory: connections,
    domainChecks: openDomainChecks({
      ...foundation,
      domainDirectory: domains,
      ssoDirectory: connections,
      outbox: mails,
    }),
    certificateWatch: openCertificateWatch({ ...foundation, samlPool, ssoDirectory: connections, outbox: mails }),
    policyEnforcement: openEnforcement(foundation, connections, ended),
    powerChecks: openPowerChecks({ ...foundation, revocations: ended }),
    directoryRequests: directoryRequests({ database, clock }),
    directoryWatch: directoryWatch({
      ...foundation,
      warnOwners: () => warnExpiringKeys(foundation),
      wakeOutbox: mails.wake,
      eraseDeparted: (isStopped) => eraseDepartedUsers(foundation, isStopped),
    }),
    clientLogouts: openClientLogouts(foundation, ring),
    revocations: ended,
    featureFlags: featureFlags({ database, state, log }),
    registration: registration({ database, state, log, defaultMode: config.registrationMode }),
    providerConfig: providers,
    passwordCosts: passwordCosts({ database, clock, log, hashing, configured: config.hashing.cost }),
    sweeper: sweeper({
      ...foundation,
      auditRetentionMs: config.auditRetentionMs,
      decisionRetentionMs: config.decisionLog.retentionMs,
    }),
    outbox: mails,
    dataRequests: dataRequests({
      log,
      eraseDue: (isStopped) => eraseDue({ ...foundation, removePicture: pictures.remove }, isStopped),
      makeExports: (isStopped) => makeDueExports({ ...foundation, wakeOutbox: mails.wake }, isStopped),
    }),
    decisions: decisionLog({ database, log, telemetry, enabled: config.decisionLog.enabled }),
    auditLog: openSequencer(foundation),
    auditLogWatch: auditLogWatch({ database, clock, log }),
    keyUsage: keyUsage({ database, clock, log }),
    geolocation: geolocation({ path: config.geolocationFile, log }),
    webhooks: openWebhookSender(foundation, { keyRing: ring, signing }),
    webhookWatch: webhookWatch({
      database,
      clock,
      log,
      notifyOwners: () => notifyWebhookOwners(foundation),
      wakeOutbox: mails.wake,
    }),
  };
}

function openEnforcement(
  foundation: Foundation,
  directory: SsoDirectory,
  { announce }: Pick<Revocations, "announce">,
): PolicyEnforcement {
  const { clock, log } = foundation;
  const deps = { ...foundation, revocations: { announce } };
  const endWithoutAccess = (organizationId: string, isStopped: () => boolean) =>
    endSessionsWithoutAccess(deps, organizationId, isStopped);
  return policyEnforcement({ clock, log, ssoDirectory: directory, endWithoutAccess });
}

/** Rejects when PostgreSQL is away, and may then be called again. */
export async function startActors(foundation: Foundation, actors: Actors): Promise<void> {
  const { database, log } = foundation;
  await actors.geolocation.start();
  await actors.keyRing.start();
  await actors.revocations.start();
  await actors.featureFlags.start();
  await actors.registration.start();
  await actors.providerConfig.start();
  await actors.socialProviders.start();
  await actors.passwordCosts.start();
  await actors.blockedHosts.start();
  await actors.oauthClients.start();
  await actors.oauthResources.start();
  await actors.domainDirectory.start();
  await actors.ssoDirectory.start();
  const granted = await database.run("user.set_platform_role", (sql) => grantInitialOwner(foundation, sql));
  if (granted) log.info("the initial owner was granted the platform role owner");
  actors.sweeper.start();
  actors.outbox.start();
  actors.dataRequests.start();
  actors.decisions.start();
  actors.auditLog.start();
  actors.auditLogWatch.start();
  actors.clientLogouts.start();
  actors.keyUsage.start();
  actors.webhooks.start();
  actors.webhookWatch.start();
  actors.domainChecks.start();
  actors.directoryWatch.start();
  actors.policyEnforcement.start();
  actors.powerChecks.start();
  actors.certificateWatch.start();
}

export async function stopActors(actors: Actors): Promise<void> {
  const { revocations, keyRing, ...others } = actors;
  await Promise.all(Object.values(others).map((actor) => actor.stop()));
  await Promise.all([revocations.stop(), keyRing.stop()]);
}

function openWebhookSender(foundation: Foundation, keys: Pick<Deps, "keyRing" | "signing">): WebhookSender {
  const post = guardedPost({
    ...foundation.config.webhooks,
    deadlineMs: WEBHOOK_SEND_DEADLINE_MS,
    maxBytes: WEBHOOK_RESPONSE_MAX_BYTES,
  });
  return webhookSender({
    ...foundation,
    signer: foundation.webhookSigner,
    signEvent: (event) => signEvent({ ...keys, config: foundation.config }, event),
    post,
  });
}

function openSequencer({ config, database, clock, random, log, sealing }: Foundation): AuditLogSequencer {
  const { witnesses, witnessQuorum: quorum, checkpointDirectory } = config.auditLog;
  const { publicBaseUrl, routePrefix } = config.urls;
  return auditLogSequencer({
    database,
    clock,
    random,
    log,
    sealing,
    namePrefix: `${new URL(publicBaseUrl).host}${routePrefix}/audit-log`,
    witnesses: witnesses.map(({ verifierKey, url }) => witness(verifierKey, url)),
    quorum,
    folder: checkpointDirectory === undefined ? undefined : checkpointFolder(checkpointDirectory, random.uuid()),
  });
}

/** A service reached by a loopback address may have clients at loopback addresses. */
function openClientLogouts(foundation: Foundation, ring: KeyRing): ClientLogouts {
  const { urls, webhooks } = foundation.config;
  const post = guardedPost({
    allows: webhooks.allows,
    loopback: isLoopback(urls.publicBaseUrl),
    deadlineMs: OAUTH_LOGOUT_DEADLINE_MS,
    maxBytes: OAUTH_LOGOUT_RESPONSE_MAX_BYTES,
  });
  return clientLogouts({ ...foundation, keyRing: ring, issuer: urls.publicBaseUrl, post });
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
}

/** The logo has a permanent address: emails in mailboxes outlive a change of the brand. */
async function deploymentEmailBrand({ brand, urls, pages, policies }: Config, log: Logger): Promise<EmailBrand> {
  const { publicBaseUrl } = urls;
  return {
    name: brand.name,
    supportUrl: brand.supportUrl,
    termsUrl: policies.terms,
    privacyUrl: policies.privacy,
    publicBaseUrl,
    host: new URL(publicBaseUrl).hostname,
    palette: brandPaletteOf(brand),
    radius: brand.radius,
    logo: pages.enabled ? await deploymentLogo(publicBaseUrl, brand, log) : undefined,
  };
}

/** A logo that cannot be converted stops no email: the name of the brand stands alone. */
async function deploymentLogo(
  publicBaseUrl: string,
  { logo, logoDark }: Config["brand"],
  log: Logger,
): Promise<EmailLogo | undefined> {
  if (logo === undefined) return undefined;
  const darkUrl = logoDark === undefined ? undefined : `${publicBaseUrl}${EMAIL_LOGO_DARK_PATH}`;
  try {
    const { size } = await readEmailLogo(logo);
    return { url: `${publicBaseUrl}${EMAIL_LOGO_PATH}`, darkUrl, ...size };
  } catch (error) {
    log.warn({ err: error }, "the logo of the brand cannot be converted to PNG; emails have no logo");
    return undefined;
  }
}

/**
 * The provider configured by an administrator, else the provider of the environment; without a provider, emails wait.
 */
function openOutbox(foundation: Foundation, providers: ProviderConfig, knownBrands: Brands): Outbox {
  const { config, clock, database, log, telemetry, sealing } = foundation;
  const { apiUrl, from, templatesFolder } = config.mail;
  const fallback = environmentMail(foundation);
  const deployment = lazily(() => deploymentEmailBrand(config, log));
  const paletteOf = tenantPalettes(config.brand);
  return outbox({
    database,
    clock,
    log,
    telemetry,
    sealing,
    templates: loadTemplates(templatesFolder),
    brandOf: (tenants, toStranger) =>
      resolveEmailBrand({ brands: knownBrands, deployment, paletteOf }, tenants, toStranger),
    limits: config.limits,
    provider() {
      const settings = providers.settings("email_transport");
      if (!settings) return fallback;
      return httpMail({ apiUrl, apiKey: settings.secret, from: settings.publicConfig.from ?? from });
    },
  });
}

/** SMTP, else the HTTP provider, else a folder in embedded mode. */
function environmentMail({ config }: Foundation): MailProvider | undefined {
  const { apiUrl, apiKey, from, smtpUrl, smtpConnections: connections } = config.mail;
  if (smtpUrl) return smtpMail({ url: smtpUrl, from, host: new URL(config.urls.publicBaseUrl).hostname, connections });
  if (apiKey) return httpMail({ apiUrl, apiKey, from });
  if (!config.embedded) return undefined;
  return folderMail({ directory: join(config.dataDirectory, "outbox"), from, print: (text) => console.log(text) });
}
