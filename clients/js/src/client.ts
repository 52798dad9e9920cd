/** `createClient`: a typed method per operation of the service, with the session of the client. */
import { METHODS, type Methods, REFRESH, SESSIONS, SIGN_OUT } from "./generated/methods.gen.ts";
import type { CallOptions, ClientError, Result } from "./method.ts";
import { request, unreachable, withTimeout } from "./request.ts";
import {
  type ClientSession,
  clientSession,
  csrfCookie,
  type RefreshOutcome,
  type SavedSession,
  type SessionChange,
} from "./session.ts";
import { changesSession, isSafe } from "./session-lock.ts";

export interface ClientOptions {
  /** Address of the service, such as `https://id.example.com`; in a browser also `/`, the origin of the page. */
  readonly baseUrl: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: string, init: RequestInit) => Promise<Response>;
  /** An access token from elsewhere, such as a request that is being served. The client then keeps no session. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** A session of an earlier run, as received from `onSessionChange`. */
  readonly session?: SavedSession;
  /** Called after every sign-in, refresh and sign-out. */
  readonly onSessionChange?: (change: SessionChange) => void;
  /** Milliseconds until a request without a response is aborted. Default 15,000. */
  readonly timeoutMs?: number;
  /** `SERVICE_ROUTE_PREFIX` of the service. Default `/v1`. */
  readonly routePrefix?: string;
}

export interface Client extends Omit<Methods, "sso">, SessionMethods, SsoMethods {}

/** The methods of single sign-on. */
export interface SsoMethods {
  readonly sso: Methods["sso"] & {
    /**
     * Where to send the browser for single sign-on: `startUrl` is `start_url` of `sso.discover`, `redirectTo` a path of
     * the service.
     */
    start(startUrl: string, redirectTo?: string): string;
  };
}

/** The methods of every client, beside the operations of the service. */
export interface SessionMethods {
  /**
   * An access token that has not expired, for calls to your APIs; refreshes where needed. The error
   * `authentication_required` means that no user is signed in.
   */
  accessToken(options?: CallOptions): Promise<Result<string>>;
  /** Where to send the browser for a social sign-in; `redirectTo` is a path of the service or an allowed address. */
  socialSignInUrl(provider: string, redirectTo?: string): string;
  /** Closes the resources of the client. The session remains valid. */
  close(): void;
}

const TIMEOUT_MS = 15_000;
/**
 * A GET whose connection broke is sent once more. Other methods are never repeated: the service may have executed the
 * request.
 */
const SAFE_ATTEMPTS = 2;
const NOT_SIGNED_IN: ClientError = { code: "authentication_required", message: "Nobody is signed in.", status: 401 };

type Input = Readonly<Record<string, unknown>>;
type Send = (operation: string, input: Input, options: CallOptions) => Promise<Result<unknown>>;

/** Creates a client. The client sends no request before the first call of a method. */
export function createClient(options: ClientOptions): Client {
  return withSsoStart(createClientOf<Methods>(METHODS, options));
}

/** Adds `sso.start`, which sends no request. */
export function withSsoStart<Bound extends Methods>(client: Bound): Bound & SsoMethods {
  // A choice of connections is a page, and pages return to `return_to`.
  const start = (url: string, redirectTo?: string) =>
    withTarget(url, redirectTo, url.endsWith("/start") ? undefined : "return_to");
  return { ...client, sso: { ...client.sso, start } };
}

function withTarget(url: string, target?: string, name = "redirect_to"): string {
  return target === undefined ? url : `${url}?${new URLSearchParams({ [name]: target })}`;
}

/** As `createClient`, with the methods of `table` only: the rest is absent from the bundle. */
export function createClientOf<Bound>(table: Table, options: ClientOptions): Bound & SessionMethods {
  const page = globalThis.document === undefined ? undefined : globalThis.location;
  const base = new URL(options.baseUrl, page?.href).href.replace(/\/$/, "");
  const prefix = (options.routePrefix ?? "/v1").replace(/\/$/, "");
  const cookies = options.token === undefined && page !== undefined && new URL(base).origin === page.origin;
  const session = clientSession({
    baseUrl: base,
    cookies,
    saved: options.session,
    onChange: options.onSessionChange,
    sendRefresh: async () => refreshOutcome(await sendOnce(REFRESH, {}, {})),
  });
  const sendOnce = createSender({ options, base, prefix, cookies, session });
  const refresh: Refresh = (call, sent, needsToken) =>
    withTimeout(session.refresh(sent, needsToken), boundsOf(options, call));
  const ownToken = options.token !== undefined;
  const sendLocked: Send = async (operation, input, call) => {
    if (ownToken || !changesSession(operation)) return await sendOnce(operation, input, call);
    const acquired = session.sessionLock();
    const release = await withTimeout(acquired, boundsOf(options, call));
    try {
      return typeof release === "object" ? { ok: false, error: release } : await sendOnce(operation, input, call);
    } finally {
      acquired.then((unlock) => unlock());
    }
  };
  const send = withRefresh({ send: sendLocked, refresh, session, ownToken });
  return {
    ...(bind(table, send) as Bound),
    async accessToken(call = {}) {
      if (options.token !== undefined) return await externalToken(options.token, boundsOf(options, call));
      // The joined refresh may have found the cookies of another tab, and no token.
      for (let attempt = 0; attempt < 2 && session.bearer === undefined; attempt += 1) {
        const refreshed = await refresh(call, session.presented, true);
        if (typeof refreshed === "object") return { ok: false, error: refreshed };
        if (refreshed === "signed_out") break;
      }
      return tokenResult(session.bearer);
    },
    socialSignInUrl(provider, redirectTo) {
      return withTarget(`${base}${prefix}/auth/oauth/${encodeURIComponent(provider)}/start`, redirectTo);
    },
    close: () => session.close(),
  };
}

/** The time limit of a call, for the request and for a joined refresh. */
function boundsOf({ timeoutMs }: ClientOptions, call: CallOptions) {
  return { timeoutMs: call.timeoutMs ?? timeoutMs ?? TIMEOUT_MS, signal: call.signal };
}

async function externalToken(token: OwnToken, bounds: ReturnType<typeof boundsOf>): Promise<Result<string>> {
  try {
    const value = await withTimeout(tokenOf(token), bounds);
    return typeof value === "object" ? { ok: false, error: value } : tokenResult(value);
  } catch (error) {
    return unreachable(error);
  }
}

function tokenResult(token: string | undefined): Result<string> {
  return token === undefined ? { ok: false, error: NOT_SIGNED_IN } : { ok: true, data: token };
}

type Table = { readonly [name: string]: string | Table };

function bind(table: Table, send: Send): unknown {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      typeof entry === "string"
        ? (input: Input = {}, options: CallOptions = {}) => send(entry, input, options)
        : bind(entry, send),
    ]),
  );
}

function refreshOutcome(response: Result<unknown>): RefreshOutcome {
  if (response.ok) return "refreshed";
  // Only a 401 means signed out; any other error leaves the state unknown.
  return response.error.code === "authentication_required" ? "signed_out" : response.error;
}

type Refresh = (call: CallOptions, sent: string | undefined, needsToken?: boolean) => Promise<RefreshOutcome>;

interface RefreshContext {
  readonly send: Send;
  readonly refresh: Refresh;
  readonly session: ClientSession;
  readonly ownToken: boolean;
}

/**
 * Refreshes before a request with an expired token, and after a rejection of the access token; the request is then sent
 * again, because a rejected request had no effect.
 */
function withRefresh({ send, refresh, session, ownToken }: RefreshContext): Send {
  return async (operation, input, options) => {
    const [authentication] = operation.split(" ", 1);
    const needsSession = authentication === "caller" || authentication === "secret";
    const sent = session.presented;
    // A cookie of another origin may still be a session, but is unusable without the token.
    const usesSession = needsSession || (authentication === "optional" && globalThis.document !== undefined);
    if (usesSession && !ownToken && session.needsRefresh) {
      const refreshed = await refresh(options, sent);
      if (needsSession && refreshed !== "refreshed")
        return { ok: false, error: refreshed === "signed_out" ? NOT_SIGNED_IN : refreshed };
      return await send(operation, input, options);
    }
    const response = await send(operation, input, options);
    if (response.ok || ownToken) return response;
    // Another tab refreshed after the CSRF cookie was read and before the cookies were sent.
    if (response.error.code === "csrf_failed" && session.presented !== sent)
      return await send(operation, input, options);
    if (response.error.code !== "authentication_required") return response;
    if (!needsSession) return response;
    // The rejection may concern the password or code of the body, which must not be tried twice.
    if (authentication === "secret" && !session.mayHaveExpired(sent)) return response;
    const refreshed = await refresh(options, sent);
    if (refreshed === "signed_out") return response;
    if (refreshed !== "refreshed") return { ok: false, error: refreshed };
    return await send(operation, input, options);
  };
}

interface SenderContext {
  readonly options: ClientOptions;
  readonly base: string;
  readonly prefix: string;
  readonly cookies: boolean;
  readonly session: ClientSession;
}

/** Sends an operation and reads the response; the caller decides about refreshes. */
function createSender(client: SenderContext): Send {
  const { options, session } = client;
  return async (operation, input, call) => {
    const [, method = "", template = ""] = operation.split(" ");
    const { url, rest } = address(client, template, input);
    const ownToken = options.token !== undefined;
    const isRead = method === "GET" || method === "DELETE";
    const init = {
      method,
      // Cloudflare Workers do not support `credentials` and throw.
      ...("credentials" in Request.prototype
        ? { credentials: ownToken ? ("omit" as const) : ("include" as const) }
        : {}),
      ...(isRead || Object.keys(rest).length === 0 ? {} : { body: bodyOf(rest) }),
    };
    const target = isRead ? url + queryOf(rest) : url;
    for (let attempt = isSafe(operation) ? 1 : SAFE_ATTEMPTS; ; attempt += 1) {
      const response = await request(
        target,
        async () => ({ ...init, headers: await headersOf(client, operation, rest, call) }),
        { fetch: options.fetch ?? ((target, init) => fetch(target, init)), ...boundsOf(options, call) },
      );
      if (response.response) return applyToSession(response.response, response.result, operation, rest, session);
      if (response.result.error.code !== "network_error" || attempt >= SAFE_ATTEMPTS) return response.result;
    }
  };
}

/**
 * Members in the path template go into the path, `path` with the slashes; the remaining members are the query or the
 * body.
 */
function address({ base, prefix }: SenderContext, template: string, input: Input): { url: string; rest: Input } {
  const rest: Record<string, unknown> = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    const segments = name === "path" ? String(value).split("/") : [String(value)];
    return segments.map(encodeURIComponent).join("/");
  });
  return { url: base + (path.startsWith("/") ? path : `${prefix}/${path}`), rest };
}

function queryOf(input: Input): string {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

const isUpload = (input: Input): input is { file: Blob } => input.file instanceof Blob;

function bodyOf(input: Input): BodyInit {
  if (!isUpload(input)) return JSON.stringify(input);
  const form = new FormData();
  form.set("file", input.file);
  return form;
}

async function headersOf(
  { options, cookies, session }: SenderContext,
  operation: string,
  rest: Input,
  call: CallOptions,
): Promise<Record<string, string>> {
  const own = options.token === undefined ? undefined : await tokenOf(options.token);
  // Without a valid access token, the refresh token may still identify the session that a sign-out ends.
  const usesRefreshToken = operation === REFRESH || operation === SIGN_OUT;
  const bearer = cookies || operation === REFRESH ? undefined : (own ?? session.bearer);
  const csrf = cookies ? csrfCookie() : undefined;
  return {
    accept: "application/json",
    ...(isUpload(rest) || Object.keys(rest).length === 0 ? {} : { "content-type": "application/json" }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(csrf === undefined || operation === REFRESH ? {} : { "x-service-csrf": csrf }),
    ...(usesRefreshToken && session.refreshToken ? { cookie: `service_rt=${session.refreshToken}` } : {}),
    ...call.headers,
  };
}

type OwnToken = NonNullable<ClientOptions["token"]>;

async function tokenOf(token: OwnToken): Promise<string | undefined> {
  return typeof token === "function" ? await token() : token;
}

/**
 * Applies a response to the session: a body with an access token begins or renews the session, a sign-out ends the
 * session.
 */
function applyToSession(
  response: Response,
  result: Result<unknown>,
  operation: string,
  input: Input,
  session: ClientSession,
): Result<unknown> {
  if (!result.ok) return result;
  const { access_token: accessToken } = (result.data ?? {}) as { access_token?: unknown };
  if (typeof accessToken === "string") {
    const type = operation === REFRESH ? "refreshed" : "signed_in";
    session.accept(type, accessToken, refreshTokenOf(response));
  }
  const endsAll = operation === SESSIONS.revokeAll && input.except_current !== true;
  if (operation === SIGN_OUT || endsAll) session.end();
  return result;
}

/** Browsers show no `Set-Cookie` to scripts. */
function refreshTokenOf({ headers }: Response): string | undefined {
  const cookies = headers.getSetCookie?.() ?? [];
  return cookies.map((cookie) => /^service_rt=([^;]+)/.exec(cookie)?.[1]).find((value) => value !== undefined);
}
