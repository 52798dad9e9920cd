import type { Attributes, Meter } from "@opentelemetry/api";
import { BOUND_NAMES, type Bound } from "../limits/bounds.ts";
import type { FirstFactor, SecondFactorKind } from "../vocabulary/assurance.ts";
import type { ClaimRecord } from "../vocabulary/claim-mapping.ts";
import type { GrantType } from "../vocabulary/grant-type.ts";
import type { Durations } from "./durations.ts";
import { type GaugeSources, observeGauges } from "./gauges.ts";
import { plainCounter } from "./plain-counter.ts";

/** OpenTelemetry semantic conventions for HTTP: any other method is `_OTHER`, so that clients cannot add series. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "QUERY"]);

/** The method in metrics and records: a member of a closed set. */
export function methodLabel(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}

/** All instruments. Labels are route templates and closed sets, never client input (G18b). */
export interface Metrics {
  /** Returns the counter of the requests of one method and route. */
  httpRequests(method: string, route: string): (status: number, seconds: number) => void;
  /** The requests of a method that are under way: a number to count up and down, without further cost per request. */
  activeRequests(method: string): { count: number };
  databaseOperation(system: "postgresql" | "redis", operation: string, seconds: number): void;
  workerJob(pool: string, seconds: number): void;
  /**
   * `second_factor_required`: the first factor was right; the challenge counts the completed sign-in. `unavailable`: an
   * identity provider did not respond, so the user is unknown.
   */
  signInAttempt(method: FirstFactor, outcome: "success" | "failure" | "second_factor_required" | "unavailable"): void;
  /** A sign-in through a connection of an organization; `reason`: of a closed set, or `success`. */
  ssoSignIn(protocol: "oidc" | "saml", reason: string): void;
  /** A verification of a response of the identity provider of an organization, calls and waiting included. */
  ssoVerification(protocol: "oidc" | "saml", seconds: number): void;
  /** A logout by the identity provider of an organization; `reason`: of a closed set, or `success`. */
  ssoLogout(protocol: "oidc" | "saml", reason: string): void;
  secondFactor(factor: SecondFactorKind | "passkey", outcome: "success" | "failure"): void;
  /** The outcome of an attempt to send an email. */
  mail(outcome: "sent" | "failed" | "refused" | "unreadable"): void;
  /** An authentication of a client of the OpenID provider. */
  oauthClient(outcome: "success" | "failure"): void;
  /** A request of the token endpoint by an authenticated client. */
  oauthToken(grant: GrantType, outcome: "success" | "failure" | "waiting"): void;
  /** An exchange of an assertion of an external issuer for an access token. */
  federationExchange(outcome: "success" | "refused" | "unavailable"): void;
  /** A request of a program, by the kind of the credential and the class of the status, such as `2xx`. */
  programRequest(credential: "key" | "token", statusClass: string): void;
  /** The outcomes of the claim mappings of a response. */
  claimOutcomes(records: readonly ClaimRecord[]): void;
  /** The answer to an authorization request. */
  oauthAuthorization(response: "code" | "error"): void;
  /**
   * The outcome of an attempt to deliver to a webhook; `given_up`: the last attempt, or no attempt within the lifetime
   * of `count` deliveries (default 1).
   */
  webhook(outcome: (typeof WEBHOOK_OUTCOMES)[number], count?: number): void;
  /** The outcome of an attempt to deliver a logout token. */
  clientLogout(outcome: "sent" | "failed" | "refused"): void;
  /** A bound refused a request, an email, a statement or a message. */
  boundRefused(bound: Bound): void;
  /** Registers a pool of connections, which is read at each collection. */
  observeConnections(pool: ConnectionPool): void;
  /** Registers the sources of gauges, which are read at each collection. */
  observe(sources: GaugeSources): void;
}

export interface ConnectionPool {
  readonly name: string;
  readonly max: number;
  /** Statements and transactions that have a connection or wait for a connection. */
  readonly underway: () => number;
}

/** `urlScheme`: the scheme of the public base URL; a proxy in front of the service ends TLS. */
export function createMetrics(meter: Meter, durations: Durations, urlScheme: string): Metrics {
  const counter = (name: string, unit: string, description: string) => meter.createCounter(name, { description, unit });
  const http = durations.histogram("http.server.request.duration", "Duration of HTTP requests");
  const database = durations.histogram("db.client.operation.duration", "Duration of statements and Redis commands");
  const jobs = durations.histogram("service.worker.job.duration", "Duration of worker jobs, waiting included");
  const signIns = counter("service.sign_in.attempts", "{attempt}", "Sign-ins by method and outcome");
  const ssoSignIns = counter(
    "service.sso.sign_ins",
    "{sign_in}",
    "Sign-ins through connections by protocol and reason",
  );
  const ssoLogouts = counter(
    "service.sso.logouts",
    "{logout}",
    "Logout messages of identity providers of organizations by protocol and reason",
  );
  // Present from the start, so that the first disagreement is an increase for the alert.
  const disagreement = { "service.sso.protocol": "saml", "service.sso.reason": "implementations_disagree" };
  for (const messages of [ssoSignIns, ssoLogouts]) messages.add(0, disagreement);
  const factors = counter(
    "service.second_factor.attempts",
    "{attempt}",
    "Second factors verified at challenge and step-up, by kind and outcome",
  );
  const mails = counter("service.mail.attempts", "{attempt}", "Attempts to send an email, by outcome");
  const oauth = { ...oauthCounters(meter), ...programCounters(meter) };
  return {
    ...oauth,
    httpRequests(method, route) {
      const label = methodLabel(method);
      const keys = new Map<number, string>();
      return (status, seconds) => {
        const key = keys.get(status) ?? `${label} ${status} ${route}`;
        keys.set(status, key);
        http.record(seconds, key, () => ({
          "http.request.method": label,
          "http.route": route,
          "http.response.status_code": status,
        }));
      };
    },
    activeRequests: activeRequests(meter, urlScheme),
    databaseOperation(system, operation, seconds) {
      const attributes = () => ({ "db.system.name": system, "db.operation.name": operation });
      database.record(seconds, `${system} ${operation}`, attributes);
    },
    workerJob(pool, seconds) {
      jobs.record(seconds, pool, () => ({ "service.worker.pool": pool }));
    },
    signInAttempt(method, outcome) {
      signIns.add(1, { "service.sign_in.method": method, "service.sign_in.outcome": outcome });
    },
    ssoSignIn(protocol, reason) {
      ssoSignIns.add(1, { "service.sso.protocol": protocol, "service.sso.reason": reason });
    },
    ssoVerification: ssoVerifications(durations),
    ssoLogout(protocol, reason) {
      ssoLogouts.add(1, { "service.sso.protocol": protocol, "service.sso.reason": reason });
    },
    secondFactor(factor, outcome) {
      factors.add(1, { "service.second_factor.kind": factor, "service.second_factor.outcome": outcome });
    },
    mail: (outcome) => mails.add(1, { "service.mail.outcome": outcome }),
    webhook: webhookAttempts(meter),
    boundRefused: boundRefusals(meter),
    observeConnections: connectionPools(meter),
    observe: (sources) => observeGauges(meter, sources),
  };
}

function ssoVerifications(durations: Durations): Metrics["ssoVerification"] {
  const verifications = durations.histogram(
    "service.sso.verification.duration",
    "Duration of verifications of responses of identity providers of organizations",
  );
  return (protocol, seconds) => verifications.record(seconds, protocol, () => ({ "service.sso.protocol": protocol }));
}

function oauthCounters(
  meter: Meter,
): Pick<Metrics, "claimOutcomes" | "oauthClient" | "oauthToken" | "oauthAuthorization" | "clientLogout"> {
  const clients = plainCounter(
    meter,
    "service.oauth.client_authentications",
    "Authentications of OAuth clients, by outcome",
    "{attempt}",
  );
  const tokens = plainCounter(
    meter,
    "service.oauth.token_requests",
    "Requests for tokens, by grant and outcome",
    "{request}",
  );
  const claims = plainCounter(meter, "service.claims.outcomes", "Claims of mappings, by outcome", "{claim}");
  const responses = plainCounter(
    meter,
    "service.oauth.authorizations",
    "Answers to authorization requests",
    "{answer}",
  );
  const logouts = plainCounter(
    meter,
    "service.oauth.client_logouts",
    "Attempts to deliver a logout token, by outcome",
    "{attempt}",
  );
  return {
    oauthClient: (outcome) => clients(outcome, () => ({ "service.oauth.outcome": outcome })),
    oauthToken: (grant, outcome) =>
      tokens(`${grant} ${outcome}`, () => ({ "service.oauth.grant": grant, "service.oauth.outcome": outcome })),
    claimOutcomes: (records) => {
      for (const { outcome } of records) claims(outcome, () => ({ "service.claims.outcome": outcome }));
    },
    oauthAuthorization: (response) => responses(response, () => ({ "service.oauth.answer": response })),
    clientLogout: (outcome) => logouts(outcome, () => ({ "service.oauth.outcome": outcome })),
  };
}

function programCounters(meter: Meter): Pick<Metrics, "federationExchange" | "programRequest"> {
  const exchanges = plainCounter(
    meter,
    "service.federation.exchanges",
    "Exchanges of assertions of external issuers, by outcome",
    "{exchange}",
  );
  const requests = plainCounter(
    meter,
    "service.program.requests",
    "Requests of programs, by kind of credential and class of status",
    "{request}",
  );
  return {
    federationExchange: (outcome) => exchanges(outcome, () => ({ "service.federation.outcome": outcome })),
    programRequest: (credential, statusClass) =>
      requests(`${credential} ${statusClass}`, () => ({
        "service.program.credential": credential,
        "service.program.status_class": statusClass,
      })),
  };
}

function activeRequests(meter: Meter, urlScheme: string): Metrics["activeRequests"] {
  const active = new Map<string, { readonly attributes: Attributes; readonly requests: { count: number } }>();
  meter
    .createObservableUpDownCounter("http.server.active_requests", {
      description: "HTTP requests under way",
      unit: "{request}",
    })
    .addCallback((result) => {
      for (const { attributes, requests } of active.values()) result.observe(requests.count, attributes);
    });
  return (method) => {
    const attributes = { "http.request.method": method, "url.scheme": urlScheme };
    const entry = active.get(method) ?? { attributes, requests: { count: 0 } };
    active.set(method, entry);
    return entry.requests;
  };
}

const WEBHOOK_OUTCOMES = ["delivered", "failed", "given_up"] as const;

/** All outcomes exist from zero: a deployment whose first attempt fails has a rate of failures. */
function webhookAttempts(meter: Meter): Metrics["webhook"] {
  const attempts = plainCounter(
    meter,
    "service.webhook.attempts",
    "Attempts to deliver to a webhook, by outcome",
    "{attempt}",
  );
  const add: Metrics["webhook"] = (outcome, count) =>
    attempts(outcome, () => ({ "service.webhook.outcome": outcome }), count);
  for (const outcome of WEBHOOK_OUTCOMES) add(outcome, 0);
  return add;
}

function boundRefusals(meter: Meter): Metrics["boundRefused"] {
  const refusals = plainCounter(meter, "service.bound.refusals", "Turned away, by bound", "{refusal}");
  for (const bound of BOUND_NAMES) refusals(bound, () => ({ "service.bound": bound }), 0);
  return (bound) => refusals(bound, () => ({ "service.bound": bound }));
}

/**
 * The driver has no hooks for the pool. A statement beyond the number of connections waits for a connection, or behind
 * another statement on a connection.
 */
function connectionPools(meter: Meter): Metrics["observeConnections"] {
  const upDown = (name: string, unit: string, description: string) =>
    meter.createObservableUpDownCounter(`db.client.connection.${name}`, { description, unit });
  const used = upDown("count", "{connection}", "Connections to PostgreSQL in use");
  const max = upDown("max", "{connection}", "Maximum number of connections to PostgreSQL");
  const pending = upDown("pending_requests", "{request}", "Statements that wait for a connection");
  return (pool) =>
    meter.addBatchObservableCallback(
      (result) => {
        const attributes = { "db.client.connection.pool.name": pool.name };
        const underway = pool.underway();
        const inUse = Math.min(underway, pool.max);
        result.observe(used, inUse, { ...attributes, "db.client.connection.state": "used" });
        result.observe(max, pool.max, attributes);
        result.observe(pending, underway - inUse, attributes);
      },
      [used, max, pending],
    );
}
