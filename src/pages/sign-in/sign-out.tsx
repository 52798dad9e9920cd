import { logout } from "../../flows/auth/logout.ts";
import { canSignOutAtProvider, signOutAtProvider } from "../../flows/sso/logout/sign-out-at-provider.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { bindingCookies, SSO_BINDING } from "../../http/binding-cookies.ts";
import { clearedCookies } from "../../http/cookies.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import { showPage } from "../html.tsx";
import { type Page, publicPage, seeOther, seeResult } from "../page.ts";
import { returnTo } from "../return-to.ts";
import { anonymousView, type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

interface SignOutProps {
  readonly email: string;
  /** Whether the identity provider of the company can end its session too. */
  readonly everywhere: boolean;
}

function SignOutBody({ email, everywhere }: SignOutProps) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.signOut.title} icon="signOut" />
      <p>{t.signOut.lead({ email })}</p>
      {everywhere && <p>{t.signOut.everywhereLead}</p>}
      <Form>
        {everywhere && (
          <Button kind="primary" name="everywhere" value="1">
            {t.signOut.everywhere}
          </Button>
        )}
        <div class="actions spread">
          <Button kind={everywhere ? "plain" : "primary"}>{everywhere ? t.signOut.here : t.signOut.action}</Button>
          <a class="button" href="/account">
            {t.common.cancel}
          </a>
        </div>
      </Form>
    </Stage>
  );
}

/** `/sign-out`: the method is POST, because a link of another site could sign a user out. */
export function signOutPage(deps: SsoDeps & SignedInUserDeps): Page {
  return publicPage({
    boundSession: "before_factor",
    path: "/sign-out",
    continues: true,
    async get({ caller, query, client }) {
      if (!caller) return seeResult("/sign-in", query.has("only") ? "signed_out_here" : "signed_out");
      const { view } = await signedInUser(deps, { caller, client });
      const everywhere = caller.session.organizationBound && (await canSignOutAtProvider(deps, caller.session.id));
      const body = <SignOutBody email={caller.session.email} everywhere={everywhere} />;
      return showPage(view, { title: view.t.signOut.title, body });
    },
    async post(call) {
      const { caller, query, form, client } = call;
      const input = { caller: caller?.session, refreshToken: undefined, client };
      const cleared = clearedCookies(deps.config);
      if (form.has("everywhere")) {
        const redirectTo = query.has("return_to") ? returnTo(query) : undefined;
        const view = await anonymousView(deps, call);
        const continued = await signOutAtProvider(deps, { ...input, redirectTo });
        if (continued) {
          const { continueTitle: title, go: action } = view.t.signOut;
          const cookies = [...cleared, ...bindingCookies(deps.config, SSO_BINDING, continued, call.cookies)];
          return continueElsewhere(view, { title, action, url: continued.continueAt, cookies });
        }
      } else {
        await logout(deps, input);
      }
      return query.has("return_to") ? seeOther(returnTo(query), cleared) : seeResult("/sign-in", "signed_out", cleared);
    },
  });
}
