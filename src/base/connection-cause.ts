/** Names the cause of a failed connection to a server by the code of the error, without an address or a password. */

export interface ConnectionCause {
  readonly cause: string;
  readonly remedy: string;
}

const AUTHORITY: ConnectionCause = {
  cause: "the certificate is of an unknown authority",
  remedy: "name the authority's certificate in NODE_EXTRA_CA_CERTS (for PostgreSQL also sslrootcert in the URL)",
};
const REFUSED: ConnectionCause = {
  cause: "nothing listens at the address",
  remedy: "check host and port, and that the server runs",
};
const NAME: ConnectionCause = {
  cause: "the name cannot be resolved",
  remedy: "check the name of the host, and DNS; in a password, / ? # % @ are written %2F %3F %23 %25 %40",
};
const SILENT: ConnectionCause = {
  cause: "no response",
  remedy: "check the address and the firewall between",
};
const RESET: ConnectionCause = {
  cause: "the server closed the connection",
  remedy: "check port and TLS: a port without TLS closes an encrypted connection, and the other way round",
};

/** Codes of the operating system, of OpenSSL, and of the drivers. */
const CAUSES: Readonly<Record<string, ConnectionCause>> = {
  ECONNREFUSED: REFUSED,
  // The codes of `fetch` in Bun.
  ConnectionRefused: REFUSED,
  FailedToOpenSocket: NAME,
  ConnectionClosed: RESET,
  TimeoutError: SILENT,
  ENOTFOUND: NAME,
  EAI_AGAIN: NAME,
  EDNS: NAME,
  ETIMEDOUT: SILENT,
  CONNECT_TIMEOUT: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ECONNRESET: RESET,
  EPIPE: RESET,
  CONNECTION_CLOSED: RESET,
  ENOENT: { cause: "no such socket", remedy: "check the folder of the socket, and that the server runs" },
  EACCES: { cause: "the socket may not be used", remedy: "give this user access to the folder of the socket" },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  CERT_UNTRUSTED: AUTHORITY,
  CERT_HAS_EXPIRED: { cause: "the certificate has expired", remedy: "renew the certificate of the server" },
  CERT_NOT_YET_VALID: { cause: "the certificate is not valid yet", remedy: "check the clocks of both hosts" },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    cause: "the certificate is for another name",
    remedy: "use a name of the certificate in the URL",
  },
};
/** TLS to a port without TLS. */
const NOT_TLS: ConnectionCause = {
  cause: "the server speaks no TLS at this port",
  remedy: "use the port for TLS, or the URL without TLS",
};
const NOT_TLS_CODES =
  /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO|ERR_SSL_UNEXPECTED_MESSAGE)$/;
/** The alert of the server (RFC 8446, section 6), in the words of OpenSSL and of BoringSSL. */
const ALERT = /(?:tlsv1|sslv3|tlsv13)[ _]alert[ _]([a-z0-9_ ]+)/i;
const NOT_TLS_TEXT = /wrong version number|packet length too long|before secure TLS connection/i;

/** Undefined for an error that no code names. */
export function causeOfConnection(error: unknown): ConnectionCause | undefined {
  for (const each of chain(error)) {
    // The email library puts a code of its own in place of the code of the socket.
    const { code = "", originalCode = "", message = "" } = each as Record<string, string | undefined>;
    if (NOT_TLS_TEXT.test(message) || [code, originalCode].some((one) => NOT_TLS_CODES.test(one))) return NOT_TLS;
    const [, alert] = ALERT.exec(message) ?? [];
    if (alert !== undefined) return alertCause(alert);
    const known = CAUSES[originalCode] ?? CAUSES[code];
    if (known) return known;
  }
  return undefined;
}

function alertCause(alert: string): ConnectionCause {
  const name = alert.replaceAll("_", " ").trim().toLowerCase();
  return {
    cause: `the server ended the TLS handshake (${name})`,
    remedy: "see the log of the server: certificate, key, and the versions of TLS",
  };
}

const CAUSES_MAX = 8;

/** The error, its causes, and the errors of all addresses of a name. */
function chain(error: unknown): readonly object[] {
  const found: object[] = [];
  const add = (each: unknown): void => {
    if (typeof each !== "object" || each === null || found.length >= CAUSES_MAX || found.includes(each)) return;
    found.push(each);
    const { cause, errors } = each as { cause?: unknown; errors?: unknown };
    add(cause);
    if (Array.isArray(errors)) for (const one of errors) add(one);
  };
  add(error);
  return found;
}
