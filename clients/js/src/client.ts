/** `createClient`: one typed method per operation of the service, and the session behind them. */
import { METHODS, type Methods } from "./generated/methods.gen.ts";
import type { CallOptions, ClientError, Result } from "./method.ts";
import { request, unreachable, withTimeout } from "./request.ts";
import {
  type ClientSession,
  clientSession,
  csrfCookie,
  type Refreshed,
  type SavedSession,
  type SessionChange,
} from "./session.ts";
import { changesSession, isSafe } from "./session-lock.ts";

export interface ClientOptions {
  /** Where the service is, such as `https://id.example.com`; in a browser also `/`, the origin of the page. */
  readonly baseUrl: string;
  /** In place of the global one. */
  readonly fetch?: (request: string, init: RequestInit) => Promise<Response>;
  /** An access token from elsewhere, such as a request that is being served. The client then keeps no session. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** A session of an earlier run, as `onSessionChange` gave it. */
  readonly session?: SavedSession;
  /** Told of each sign-in, refresh and sign-out. */
  readonly onSessionChange?: (change: SessionChange) => void;
  /** Milliseconds until an unanswered request is given up. Default 15,000. */
  readonly timeoutMs?: number;
  /** `SERVICE_ROUTE_PREFIX` of the service. Default `/v1`. */
  readonly routePrefix?: string;
}

export interface Client extends Methods {
  /**
   * An access token that has not expired, for calls of your own APIs; refreshes where needed. The error
   * `authentication_required` means that no user is signed in.
   */
  accessToken(options?: CallOptions): Promise<Result<string>>;
  /** Where to send the browser for a social sign-in; `redirectTo` is a path of the service or an allowed address. */
  socialSignInUrl(provider: string, redirectTo?: string): string;
  /** Ends what the client holds open. The session goes on. */
  close(): void;
}

const TIMEOUT_MS = 15_000;
/** A GET whose connection broke is sent once more. Nothing else is: it may have been carried out. */
const SAFE_ATTEMPTS = 2;
const NOT_SIGNED_IN: ClientError = { code: "authentication_required", message: "Nobody is signed in.", status: 401 };

type Input = Readonly<Record<string, unknown>>;
type Send = (operation: string, input: Input, options: CallOptions) => Promise<Result<unknown>>;

/** Creates a client. Nothing is sent before its first method is called. */
export function createClient(options: ClientOptions): Client {
  const page = globalThis.document === undefined ? undefined : globalThis.location;
  const base = new URL(options.baseUrl, page?.href).href.replace(/\/$/, "");
  const prefix = (options.routePrefix ?? "/v1").replace(/\/$/, "");
  const cookies = options.token === undefined && page !== undefined && new URL(base).origin === page.origin;
  const session = clientSession({
    baseUrl: base,
    cookies,
    saved: options.session,
    onChange: options.onSessionChange,
    sendRefresh: async () => refreshedBy(await exchange(METHODS.refresh, {}, {})),
  });
  const exchange = exchanger({ options, base, prefix, cookies, session });
  const refresh: Refresh = (call, sent, needsToken) =>
    withTimeout(session.refresh(sent, needsToken), boundsOf(options, call));
  const ownToken = options.token !== undefined;
  const inTurn: Send = async (operation, input, call) => {
    if (ownToken || !changesSession(operation)) return await exchange(operation, input, call);
    const turn = session.takeTurn();
    const endTurn = await withTimeout(turn, boundsOf(options, call));
    try {
      return typeof endTurn === "object" ? { ok: false, error: endTurn } : await exchange(operation, input, call);
    } finally {
      turn.then((end) => end());
    }
  };
  const send = withRefresh({ exchange: inTurn, refresh, session, ownToken });
  return {
    ...(bind(METHODS, send) as Methods),
    async accessToken(call = {}) {
      if (options.token !== undefined) return await externalToken(options.token, boundsOf(options, call));
      // The refresh that it joins may be one that found the cookies of another tab, and no token.
      for (let attempt = 0; attempt < 2 && session.bearer === undefined; attempt += 1) {
        const refreshed = await refresh(call, session.presented, true);
        if (typeof refreshed === "object") return { ok: false, error: refreshed };
        if (refreshed === "signed_out") break;
      }
      return result(session.bearer);
    },
    socialSignInUrl(provider, redirectTo) {
      const query = redirectTo === undefined ? "" : `?${new URLSearchParams({ redirect_to: redirectTo })}`;
      return `${base}${prefix}/auth/oauth/${encodeURIComponent(provider)}/start${query}`;
    },
    close: () => session.close(),
  };
}

/** How long a call waits, for its request and for a refresh that it joins. */
function boundsOf({ timeoutMs }: ClientOptions, call: CallOptions) {
  return { timeoutMs: call.timeoutMs ?? timeoutMs ?? TIMEOUT_MS, signal: call.signal };
}

async function externalToken(token: OwnToken, bounds: ReturnType<typeof boundsOf>): Promise<Result<string>> {
  try {
    const given = await withTimeout(tokenOf(token), bounds);
    return typeof given === "object" ? { ok: false, error: given } : result(given);
  } catch (error) {
    return unreachable(error);
  }
}

function result(token: string | undefined): Result<string> {
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

function refreshedBy(response: Result<unknown>): Refreshed {
  if (response.ok) return "refreshed";
  // Only a 401 means signed out; anything else means that it cannot be told.
  return response.error.code === "authentication_required" ? "signed_out" : response.error;
}

type Refresh = (call: CallOptions, sent: string | undefined, needsToken?: boolean) => Promise<Refreshed>;

interface Refreshing {
  readonly exchange: Send;
  readonly refresh: Refresh;
  readonly session: ClientSession;
  readonly ownToken: boolean;
}

/**
 * Refreshes before a request whose token is known to have expired, and after a refusal of the access token; the request
 * is then sent again, because it did nothing the first time.
 */
function withRefresh({ exchange, refresh, session, ownToken }: Refreshing): Send {
  return async (operation, input, options) => {
    const [authentication] = operation.split(" ", 1);
    const needsSession = authentication === "caller" || authentication === "secret";
    const sent = session.presented;
    // A cookie of another origin may still be a session, and cannot be used without the token.
    const usesSession = needsSession || (authentication === "optional" && globalThis.document !== undefined);
    if (usesSession && !ownToken && session.lacksToken) {
      const refreshed = await refresh(options, sent);
      if (needsSession && refreshed !== "refreshed")
        return { ok: false, error: refreshed === "signed_out" ? NOT_SIGNED_IN : refreshed };
      return await exchange(operation, input, options);
    }
    const response = await exchange(operation, input, options);
    if (response.ok || ownToken) return response;
    // Another tab refreshed between the reading of the CSRF cookie and the sending of both.
    if (response.error.code === "csrf_failed" && session.presented !== sent)
      return await exchange(operation, input, options);
    if (response.error.code !== "authentication_required") return response;
    if (!needsSession) return response;
    // The refusal may be about the password or code of the body, which must not be guessed twice.
    if (authentication === "secret" && !session.mayHaveExpired(sent)) return response;
    const refreshed = await refresh(options, sent);
    if (refreshed === "signed_out") return response;
    if (refreshed !== "refreshed") return { ok: false, error: refreshed };
    return await exchange(operation, input, options);
  };
}

interface Exchange {
  readonly options: ClientOptions;
  readonly base: string;
  readonly prefix: string;
  readonly cookies: boolean;
  readonly session: ClientSession;
}

/** Sends one operation and reads its answer, without a look at what the answer means for the session's life. */
function exchanger(client: Exchange): Send {
  const { options, session } = client;
  return async (operation, input, call) => {
    const [, method = "", template = ""] = operation.split(" ");
    const { url, rest } = address(client, template, input);
    const ownToken = options.token !== undefined;
    const isRead = method === "GET" || method === "DELETE";
    const init = {
      method,
      // Cloudflare Workers have no such thing, and refuse it.
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

/** The members that the path names go there, `path` with its slashes; the others are the query or the body. */
function address({ base, prefix }: Exchange, template: string, input: Input): { url: string; rest: Input } {
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
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

const isUpload = (input: Input): input is { file: Blob } => input.file instanceof Blob;

function bodyOf(input: Input): BodyInit {
  if (!isUpload(input)) return JSON.stringify(input);
  const form = new FormData();
  form.set("file", input.file);
  return form;
}

async function headersOf(
  { options, cookies, session }: Exchange,
  operation: string,
  rest: Input,
  call: CallOptions,
): Promise<Record<string, string>> {
  const own = options.token === undefined ? undefined : await tokenOf(options.token);
  // Without a token that is good the refresh token may still say which session a sign-out is to end.
  const usesRefreshToken = operation === METHODS.refresh || operation === METHODS.signOut;
  const bearer = cookies || operation === METHODS.refresh ? undefined : (own ?? session.bearer);
  const csrf = cookies ? csrfCookie() : undefined;
  return {
    accept: "application/json",
    ...(isUpload(rest) || Object.keys(rest).length === 0 ? {} : { "content-type": "application/json" }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(csrf === undefined || operation === METHODS.refresh ? {} : { "x-service-csrf": csrf }),
    ...(usesRefreshToken && session.refreshToken ? { cookie: `service_rt=${session.refreshToken}` } : {}),
    ...call.headers,
  };
}

type OwnToken = NonNullable<ClientOptions["token"]>;

async function tokenOf(token: OwnToken): Promise<string | undefined> {
  return typeof token === "function" ? await token() : token;
}

/** What an answer means for the session: a body with an access token is one, a sign-out ends it. */
function applyToSession(
  response: Response,
  answer: Result<unknown>,
  operation: string,
  input: Input,
  session: ClientSession,
): Result<unknown> {
  if (!answer.ok) return answer;
  const { access_token: accessToken } = (answer.data ?? {}) as { access_token?: unknown };
  if (typeof accessToken === "string") {
    const type = operation === METHODS.refresh ? "refreshed" : "signed_in";
    session.accept(type, accessToken, refreshTokenOf(response));
  }
  const endsAll = operation === METHODS.sessions.revokeAll && input.except_current !== true;
  if (operation === METHODS.signOut || endsAll) session.end();
  return answer;
}

/** Browsers show no `Set-Cookie` to scripts. */
function refreshTokenOf({ headers }: Response): string | undefined {
  const cookies = headers.getSetCookie?.() ?? [];
  return cookies.map((cookie) => /^service_rt=([^;]+)/.exec(cookie)?.[1]).find((value) => value !== undefined);
}
