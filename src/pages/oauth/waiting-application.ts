/** The application that the pages of a sign-in name while a request of the application waits. */
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { findWaitingClient, type WaitingClientDeps } from "../../flows/oauth-provider/find-waiting-client.ts";
import type { Reply } from "../../http/reply.ts";
import type { Application } from "../components/mark.tsx";
import { refusedPage } from "../error.tsx";
import type { PageCall } from "../page.ts";
import type { View } from "../view.tsx";

/** Continues a waiting request after every page. */
export const INTERACTION = "/oauth2/interaction";
export const CONSENT = "/oauth2/consent";

export type { WaitingClientDeps };

/** A part of a call, for a page that reads the request by the return path. */
type Admitting = Pick<PageCall, "admitBy" | "request">;

/**
 * Displays a page that returns to `to`, with the application of the request that waits there. A GET counts against the
 * limit of anonymous reads, because the page reads the request; a form counts against the limit of the page.
 */
export async function showBeforeReturn(
  deps: WaitingClientDeps,
  call: Admitting,
  { view, to }: { readonly view: View; readonly to: string },
  show: (view: View) => Reply,
): Promise<Reply> {
  const found = await waitingApplication(deps, call, to);
  return found.ok ? show({ ...view, application: found.value }) : refusedPage(view, found.error);
}

async function waitingApplication(
  deps: WaitingClientDeps,
  { admitBy, request }: Admitting,
  to: string,
): Promise<Result<Application | undefined, Refusal<"rate_limited">>> {
  const handle = waitingRequestIn(to);
  if (handle === undefined) return ok(undefined);
  const admitted = request.method === "POST" ? ok(undefined) : await admitBy("public_reads");
  return admitted.ok ? ok(await findWaitingClient(deps, handle)) : admitted;
}

/** The handle of the waiting request in a return path. */
function waitingRequestIn(to: string): string | undefined {
  const [path, query] = to.split("?");
  return path === INTERACTION ? (new URLSearchParams(query).get("request") ?? undefined) : undefined;
}
