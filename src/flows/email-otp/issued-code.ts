import type { BrandTenants } from "../../base/brand-values.ts";
import { hashOpaqueToken, makeOpaqueToken } from "../../base/opaque-token.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_CODE_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { makeEmailCode } from "../../models/email-code/email-code.ts";
import type { RegisteringApplication } from "../../vocabulary/registration.ts";

export interface RequestInput {
  /** The unvalidated member of the body. */
  readonly email: unknown;
  /** Whether an address without an account gets a code to sign up. */
  readonly signUp?: boolean;
  /** The application of the registration, if any, and its mode. */
  readonly application?: RegisteringApplication | undefined;
  /** A path of this service, for the link. */
  readonly redirectTo?: string | null;
  /** The cookie of the browser: the email has a link for this browser. Absent: the email has no link. */
  readonly browserToken?: string | undefined;
  /** The tenants that the page of the request concerns; absent: unknown. */
  readonly tenants?: BrandTenants | undefined;
  readonly client: RequestContext;
}

/** The code of an email, with the link of the browser that asked. */
export interface IssuedCode {
  readonly code: string;
  readonly linkHash: Buffer | null;
  readonly browserHash: Buffer | null;
  /** The values of the email. */
  readonly values: { readonly code: string; readonly minutes: number; readonly link?: string };
}

/** Makes a code, and with the cookie of a browser the token of a link. */
export function makeIssuedCode(deps: SignInDeps, { browserToken }: Pick<RequestInput, "browserToken">): IssuedCode {
  const code = makeEmailCode(deps.random);
  const values = { code, minutes: EMAIL_CODE_LIFETIME_MS / 60_000 };
  const browserHash = hashOpaqueToken(browserToken);
  if (!browserHash) return { code, linkHash: null, browserHash: null, values };
  const token = makeOpaqueToken(deps.random);
  const link = `${deps.config.urls.publicBaseUrl}/sign-in/link?token=${token}`;
  return { code, linkHash: hashOpaqueToken(token) ?? null, browserHash, values: { ...values, link } };
}
