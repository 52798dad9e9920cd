import type { SessionDeps } from "../../deps.ts";
import { logout } from "../../flows/auth/logout.ts";
import { clearedCookies } from "../../http/cookies.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { showPage } from "../html.tsx";
import { type Page, publicPage, seeOther, seeResult } from "../page.ts";
import { returnTo } from "../return-to.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

function SignOutBody({ email }: { readonly email: string }) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.signOut.title} icon="signOut" />
      <p>{t.signOut.lead(email)}</p>
      <Form>
        <div class="actions spread">
          <Button kind="primary">{t.signOut.action}</Button>
          <a class="button" href="/account">
            {t.common.cancel}
          </a>
        </div>
      </Form>
    </Stage>
  );
}

/** `/sign-out`: the method is POST, because a link of another site could sign a user out. */
export function signOutPage(deps: SessionDeps & SignedInUserDeps): Page {
  return publicPage({
    boundSession: "served",
    path: "/sign-out",
    continues: true,
    async get({ caller, client }) {
      if (!caller) return seeOther("/sign-in");
      const { view } = await signedInUser(deps, { caller, client });
      return showPage(view, { title: view.t.signOut.title, body: <SignOutBody email={caller.session.email} /> });
    },
    async post({ caller, query, client }) {
      await logout(deps, { caller: caller?.session, refreshToken: undefined, client });
      const cleared = clearedCookies(deps.config);
      return query.has("return_to") ? seeOther(returnTo(query), cleared) : seeResult("/sign-in", "signed_out", cleared);
    },
  });
}
