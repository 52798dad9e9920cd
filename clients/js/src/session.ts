/**
 * The session of a client: location of the tokens, expiry of the access token, and a single refresh at a time.
 *
 * On a page of the service's origin the cookies of the browser are the session. Scripts cannot read the session
 * cookies, but can read `service_csrf`, which changes with every rotation and expires with the access token: a tab that
 * finds a value different from the sent value knows that another tab has refreshed. Elsewhere the session is the access
 * token in memory, and, where `Set-Cookie` can be read (Node.js, Bun, Deno), the refresh token.
 */
import type { ClientError } from "./method.ts";
import { createSessionLock } from "./session-lock.ts";

/** The session of a command-line tool between two runs. The tokens are secrets. */
export interface SavedSession {
  readonly accessToken?: string;
  /** Absent in browsers, where only the cookie contains the refresh token. */
  readonly refreshToken?: string;
}

export type SessionChange =
  /** `session` is empty for a sign-in of another tab, whose session is in the cookies. */
  | { readonly type: "signed_in" | "refreshed"; readonly session: SavedSession }
  /** The session ended in this client, in another tab, or because the service refused to refresh. */
  | { readonly type: "signed_out" };

/** The outcome of a refresh: refreshed, signed out, or an error that leaves the state unknown. */
export type RefreshOutcome = "refreshed" | "signed_out" | ClientError;

/** An access token counts as expired this long before the expiry, so that the token is still valid on arrival. */
const EXPIRY_MARGIN_MS = 5_000;

export interface SessionOptions {
  /** Address of the service; names the lock and the channel that tabs share. */
  readonly baseUrl: string;
  /** Whether the cookies of this page are the session. */
  readonly cookies: boolean;
  readonly saved: SavedSession | undefined;
  readonly onChange: ((change: SessionChange) => void) | undefined;
  /** Sends POST /v1/auth/refresh. On success the implementation has called `accept`. */
  readonly sendRefresh: () => Promise<RefreshOutcome>;
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
  let refreshing: Promise<RefreshOutcome> | undefined;
  const name = `identity-service-client ${baseUrl}`;
  const sessionLock = createSessionLock(cookies ? globalThis.navigator?.locks : undefined, name);
  const tabs = cookies && globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined;

  const emitChange = (change: SessionChange) => notify(onChange, change);

  /** Notifies once, also where only the cookies of the page were the session. */
  function clearSession(): void {
    accessToken = refreshToken = undefined;
    if (!signedOut) emitChange({ type: "signed_out" });
    signedOut = true;
  }

  /**
   * After a sign-in of another tab: the cookies belong to the new user, and the token in memory may belong to another
   * user.
   */
  function adoptOtherSession(): void {
    accessToken = undefined;
    signedOut = false;
    emitChange({ type: "signed_in", session: {} });
  }

  if (tabs) tabs.onmessage = ({ data }) => (data === "signed_in" ? adoptOtherSession() : clearSession());

  const hasExpired = () => expiry.wall < Date.now() || expiry.monotonic < performance.now();
  const bearerNow = () => (hasExpired() ? undefined : accessToken);
  const presentedNow = () => (cookies ? csrfCookie() : bearerNow());

  /** Waits for another tab's refresh, and sends no refresh if an earlier refresh was enough. */
  async function refreshOnce(sent: string | undefined, needsToken: boolean): Promise<RefreshOutcome> {
    const release = await sessionLock();
    try {
      // Outside of browsers there is no cookie jar to send from.
      const hasNoToken = globalThis.document === undefined && refreshToken === undefined;
      const now = presentedNow();
      if (!needsToken && now !== undefined && now !== sent) return "refreshed";
      const outcome = hasNoToken ? "signed_out" : await sendRefresh();
      if (outcome === "signed_out") clearSession();
      return outcome;
    } finally {
      release();
    }
  }

  /**
   * Joins the refresh that is under way. `sent`: the value of `presented` when the rejected request was sent.
   * `needsToken`: the cookies of another tab's refresh are not enough.
   */
  function refresh(sent: string | undefined, needsToken = false): Promise<RefreshOutcome> {
    refreshing ??= refreshOnce(sent, needsToken).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    refresh,
    sessionLock,
    /** The access token, unless expired. */
    get bearer(): string | undefined {
      return bearerNow();
    },
    /** The credential of a request that is sent now: changes with every rotation. */
    get presented(): string | undefined {
      return presentedNow();
    },
    /** The session is not in cookies of the page, and the access token has expired. */
    get needsRefresh(): boolean {
      return !cookies && bearerNow() === undefined;
    },
    get refreshToken(): string | undefined {
      return refreshToken;
    },
    /**
     * Whether a rejection may concern the access token: the token has expired, or had expired when the request was
     * sent.
     */
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
      emitChange({ type, session: { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) } });
    },
    /** After a sign-out; notifies all tabs. */
    end(): void {
      clearSession();
      tabs?.postMessage("signed_out");
    },
    close(): void {
      tabs?.close();
    },
  };
}

/** A callback that fails, at once or later, fails no method. */
async function notify(onChange: SessionOptions["onChange"], change: SessionChange): Promise<void> {
  try {
    await onChange?.(change);
  } catch (error) {
    console.error(error);
  }
}

/**
 * The end of a token's validity by the clock of this device, which may be wrong by hours: the lifetime counts from the
 * receipt, and `exp` is used only where the receipt is unknown. The monotonic clock counts too, because the wall clock
 * may be set back, while the monotonic clock may stop when the device sleeps. Verifies no token: the service does.
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
