/** The application that the pages of a sign-in name while a request of the application waits. */
import type { BrandTenants } from "../../base/brand-values.ts";
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findWaitingClient, type WaitingClientDeps } from "../../flows/oauth/authorize/find-waiting-client.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import type { Reply } from "../../http/reply.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { brandedView } from "../branded-view.ts";
import { refusedPage } from "../error.tsx";
import type { PageCall } from "../page.ts";
import type { View } from "../view.tsx";

/** Continues a waiting request after every page. */
export const INTERACTION = "/oauth2/interaction";
export const CONSENT = "/oauth2/consent";
export const APPROVAL = "/oauth2/approval";

export type WaitingPageDeps = WaitingClientDeps & Pick<Deps, "brands">;

/** The view of a page that names an application, with the brand of the application and of the organization. */
export async function applicationView(deps: Pick<Deps, "brands">, view: View, application: OAuthClient): Promise<View> {
  const tenants = { organizationId: view.organizationId, clientId: application.id };
  return { ...(await brandedView(deps, view, tenants)), application: identityOf(application) };
}

/** A part of a call, for a page that reads the request by the return path. */
type Admitting = Pick<PageCall, "admitBy" | "request">;

/**
 * Displays a page that returns to `to`, with the application of the request that waits there, if any. A GET counts
 * against the limit of anonymous reads, because the page reads the request; a form counts against the limit of the
 * page.
 */
export async function showBeforeReturn(
  deps: WaitingPageDeps,
  call: Admitting,
  { view, to }: { readonly view: View; readonly to: string },
  show: (view: View, application: OAuthClient | undefined) => Reply,
): Promise<Reply> {
  const found = await waitingApplication(deps, call, to);
  if (!found.ok) return refusedPage(view, found.error);
  const application = found.value;
  return show(application ? await applicationView(deps, view, application) : view, application);
}

async function waitingApplication(
  deps: WaitingClientDeps,
  { admitBy, request }: Admitting,
  to: string,
): Promise<Result<OAuthClient | undefined, Refusal<"rate_limited">>> {
  const handle = waitingRequestIn(to);
  if (handle === undefined) return ok(undefined);
  const admitted = request.method === "POST" ? ok(undefined) : await admitBy("public_reads");
  return admitted.ok ? ok(await findWaitingClient(deps, handle)) : admitted;
}

/** The tenants of the request that waits at `to`, for the email of a form. The form has counted against a limit. */
export async function waitingTenants(deps: WaitingClientDeps, to: string): Promise<BrandTenants | undefined> {
  return tenantsOf(await waitingClient(deps, to));
}

/** The tenants of an application. */
export function tenantsOf(client: Pick<OAuthClient, "id"> | undefined): BrandTenants | undefined {
  return client && { clientId: client.id };
}

/** The application of the request that waits at `to`, for a form that has counted against a limit. */
export async function waitingClient(deps: WaitingClientDeps, to: string): Promise<OAuthClient | undefined> {
  const handle = waitingRequestIn(to);
  return handle === undefined ? undefined : await findWaitingClient(deps, handle);
}

/** The handle of the waiting request in a return path. */
function waitingRequestIn(to: string): string | undefined {
  const [path, query] = to.split("?");
  return path === INTERACTION ? (new URLSearchParams(query).get("request") ?? undefined) : undefined;
}
