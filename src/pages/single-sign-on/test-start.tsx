import type { Deps, StoreDeps } from "../../deps.ts";
import { createConnectionTest, testerOf } from "../../flows/sso/tests/create.ts";
import { authorizeSsoManager } from "../../flows/steps/authorization/authorize-sso.ts";
import { stepUpPath } from "../addresses.ts";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import { refusedPage } from "../error.tsx";
import { type AuthenticatedCall, seeOther } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { ssoMessages } from "./parts.tsx";
import { connectionPath } from "./paths.ts";

type TestStartDeps = StoreDeps & SignedInUserDeps & Pick<Deps, "state">;

/**
 * Begins the test of a connection, and continues to the identity provider by a page: `form-action` blocks a redirect to
 * another origin after a form (Content Security Policy Level 3, section 6.4.3.1).
 */
export async function startConnectionTest(deps: TestStartDeps, call: AuthenticatedCall, connectionId: string) {
  const { session } = call.caller;
  const { view } = await signedInUser(deps, call);
  const { incomplete, go, title } = view.t.ssoTests;
  const caller = await authorizeSsoManager(deps, { session }, session.organizationId);
  const tester = testerOf(session);
  const created = caller.ok ? await createConnectionTest(deps, { caller: caller.value, connectionId, tester }) : caller;
  if (!created.ok) {
    if (created.error.code === "mfa_required") return seeOther(stepUpPath(connectionPath(connectionId)));
    return refusedPage(view, created.error, { ...ssoMessages(view), conflict: incomplete });
  }
  const { url } = created.value;
  return continueElsewhere(view, { title, action: go, url });
}
