/**
 * The session of one client: where its tokens are, whether the access token has expired, and one refresh at a time.
 *
 * On a page of the service's own origin the cookies of the browser are the session. They cannot be read, but
 * `service_csrf` can, which changes with each rotation and expires with the access token: a tab that finds another
 * value than it had sent knows that another tab has refreshed. Everywhere else the session is the access token in
 * memory, and, where `Set-Cookie` can be read (Node.js, Bun, Deno), the refresh token.
 */
import type { ClientError } from "./method.ts";
import { turns } from "./session-lock.ts";

/** What a command-line tool keeps between its runs. Both are secrets. */
export interface SavedSession {
  readonly accessToken?: string;
  /** Absent in browsers, where only the cookie holds it. */
  readonly refreshToken?: string;
}

export type SessionChange =
  /** `session` is empty for a sign-in of another tab, whose session is in the cookies. */
  | { readonly type: "signed_in" | "refreshed"; readonly session: SavedSession }
  /** By this client, by another tab, or because the service refused to refresh. */
  | { readonly type: "signed_out" };

/** The answer to a refresh: refreshed, signed out, or an error that says neither. */
export type Refreshed = "refreshed" | "signed_out" | ClientError;

/** An access token counts as expired this long before it does, so that it is still good when it arrives. */
const EXPIRY_MARGIN_MS = 5_000;

export interface SessionOptions {
  /** Where the service is; names the lock and the channel that tabs share. */
  readonly baseUrl: string;
  /** Whether the cookies of this page are the session. */
  readonly cookies: boolean;
  readonly saved: SavedSession | undefined;
  readonly onChange: ((change: SessionChange) => void) | undefined;
  /** Sends POST /v1/auth/refresh. On success it has called `accept`. */
  readonly sendRefresh: () => Promise<Refreshed>;
}

export type ClientSession = ReturnType<typeof clientSession>;

/** The CSRF value of this page's cookies; undefined once the access token has expired. */
export function csrfCookie(): string | undefined {
  return /(?:^|; )service_csrf=([^;]+)/.exec(globalThis.document?.cookie ?? "")?.[1];
}

export function clientSession({ baseUrl, cookies, saved, onChange, sendRefresh }: SessionOptions) {
  let accessToken = saved?.accessToken;
  let expiry = expiryOf(accessToken);
  let refreshToken = saved?.refreshToken;
  let signedOut = false;
  let refreshing: Promise<Refreshed> | undefined;
  const name = `identity-service-client ${baseUrl}`;
  const sessionLock = turns(cookies ? globalThis.navigator?.locks : undefined, name);
  const tabs = cookies && globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined;

  const tell = (change: SessionChange) => notify(onChange, change);

  /** Tells of it once, also where only the cookies of the page were the session. */
  function forget(): void {
    accessToken = refreshToken = undefined;
    if (!signedOut) tell({ type: "signed_out" });
    signedOut = true;
  }

  /** Another tab's sign-in: the cookies are those of that user now, and the token here may be of another one. */
  function giveWay(): void {
    accessToken = undefined;
    signedOut = false;
    tell({ type: "signed_in", session: {} });
  }

  if (tabs) tabs.onmessage = ({ data }) => (data === "signed_in" ? giveWay() : forget());

  const hasExpired = () => expiry.wall < Date.now() || expiry.monotonic < performance.now();
  const bearerNow = () => (hasExpired() ? undefined : accessToken);
  const presentedNow = () => (cookies ? csrfCookie() : bearerNow());

  /** Waits for another tab's refresh, and does none of its own if that one, or an earlier one, was enough. */
  async function refreshOnce(sent: string | undefined, needsToken: boolean): Promise<Refreshed> {
    const endTurn = await sessionLock();
    try {
      // Outside of browsers there is no cookie that could be sent.
      const hasNoToken = globalThis.document === undefined && refreshToken === undefined;
      const now = presentedNow();
      if (!needsToken && now !== undefined && now !== sent) return "refreshed";
      const outcome = hasNoToken ? "signed_out" : await sendRefresh();
      if (outcome === "signed_out") forget();
      return outcome;
    } finally {
      endTurn();
    }
  }

  /**
   * Joins the refresh that is under way. `sent`: what was `presented` when the refused request was sent. `needsToken`:
   * the cookies of another tab's refresh are not enough.
   */
  function refresh(sent: string | undefined, needsToken = false): Promise<Refreshed> {
    refreshing ??= refreshOnce(sent, needsToken).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    refresh,
    takeTurn: sessionLock,
    /** The access token, unless it has expired. */
    get bearer(): string | undefined {
      return bearerNow();
    },
    /** What stands for the session in a request that is sent now: changes with each rotation. */
    get presented(): string | undefined {
      return presentedNow();
    },
    /** No cookie of the page is the session, and no token is good. */
    get lacksToken(): boolean {
      return !cookies && bearerNow() === undefined;
    },
    get refreshToken(): string | undefined {
      return refreshToken;
    },
    /** Whether a refusal may be about the access token: it is not there any more, or was not when it was sent. */
    mayHaveExpired(sent: string | undefined): boolean {
      return sent === undefined || presentedNow() !== sent;
    },
    /** A new session or rotated tokens: the access token of a body, the refresh token of a `Set-Cookie`. */
    accept(type: "signed_in" | "refreshed", access: string, refresh: string | undefined): void {
      signedOut = false;
      accessToken = access;
      expiry = expiryOf(access, Date.now());
      refreshToken = refresh ?? (type === "refreshed" ? refreshToken : undefined);
      if (type === "signed_in") tabs?.postMessage(type);
      tell({ type, session: { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) } });
    },
    /** After a sign-out, which all tabs are told. */
    end(): void {
      forget();
      tabs?.postMessage("signed_out");
    },
    close(): void {
      tabs?.close();
    },
  };
}

/** A callback that fails, at once or later, makes no method fail. */
async function notify(onChange: SessionOptions["onChange"], change: SessionChange): Promise<void> {
  try {
    await onChange?.(change);
  } catch (error) {
    console.error(error);
  }
}

/**
 * Until when a token counts as good, by the clock of this device, which may be wrong by hours: its lifetime counts from
 * when it was received, and its `exp` only where that is unknown. Also by the monotonic clock, because the other may be
 * put back, while this one may stand still as the device sleeps. Verifies nothing: the service does that.
 */
function expiryOf(token: string | undefined, receivedAt?: number): { wall: number; monotonic: number } {
  const wall = wallExpiryOf(token, receivedAt);
  return { wall, monotonic: performance.now() + wall - Date.now() };
}

function wallExpiryOf(token: string | undefined, receivedAt: number | undefined): number {
  try {
    const payload = (token?.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const { exp, iat } = JSON.parse(atob(payload));
    return (receivedAt === undefined ? exp * 1000 : receivedAt + (exp - iat) * 1000) - EXPIRY_MARGIN_MS;
  } catch {
    return Number.NaN;
  }
}
