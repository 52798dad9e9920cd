import type { Refusal } from "../../base/problem.ts";
import { createConnection, type SsoSettingsDeps } from "../../flows/sso/connections/create.ts";
import { authorizeSsoManager } from "../../flows/steps/authorization/authorize-sso.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, NOTHING_THERE, type Page, seeOther, seeResult } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ssoMessages } from "./parts.tsx";
import { connectionPath, NEW_CONNECTION, SSO } from "./paths.ts";
import { draftIn, PresetChoice } from "./preset-choice.tsx";

/** `/team/single-sign-on/new`: creates a draft for an identity provider. The page of the draft has the instructions. */
export function newConnectionPage(deps: SsoSettingsDeps & SignedInUserDeps): Page {
  const authorize = ({ caller: { session } }: AuthenticatedCall) =>
    authorizeSsoManager(deps, { session }, session.organizationId);
  const refuse = async (call: AuthenticatedCall, refused: Refusal) => {
    if (refused.code === "mfa_required") return seeOther(stepUpPath(NEW_CONNECTION));
    const { view } = await signedInUser(deps, call);
    return refusedPage(view, refused, { ...ssoMessages(view), conflict: view.t.ssoConnections.full });
  };
  return authenticatedPage({
    path: NEW_CONNECTION,
    ofOrganization: true,
    async get(call) {
      const authorized = await authorize(call);
      if (!authorized.ok) return await refuse(call, authorized.error);
      const { profile, view } = await signedInUser(deps, call);
      return showPage(view, { title: view.t.ssoConnections.create, body: <NewConnectionBody profile={profile} /> });
    },
    async post(call) {
      const authorized = await authorize(call);
      if (!authorized.ok) return await refuse(call, authorized.error);
      const draft = draftIn(call.form);
      if (!draft) return await refuse(call, NOTHING_THERE);
      const input = { caller: authorized.value, client: call.client, ...draft };
      const created = await createConnection(deps, input);
      if (!created.ok) return await refuse(call, created.error);
      return seeResult(connectionPath(created.value.connection.id), "created");
    },
  });
}

function NewConnectionBody({ profile }: { readonly profile: Profile }) {
  const { t } = useView();
  const { create, newLead } = t.ssoConnections;
  return (
    <Shell at={SSO} profile={profile} inside>
      <SubPageHead above={[{ href: SSO, text: t.singleSignOn.title }]} title={create} lead={newLead} />
      <PresetChoice action={NEW_CONNECTION} />
    </Shell>
  );
}
