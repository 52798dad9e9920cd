import type { SignInDeps } from "../../deps.ts";
import { acceptInvitation } from "../../flows/invitations/accept.ts";
import { previewInvitation } from "../../flows/invitations/preview.ts";
import { brandedView } from "../branded-view.ts";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { NEW_PASSWORD_ISLANDS, NewPassword } from "../components/new-password.tsx";
import { Problem } from "../components/notices.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, pathWith, publicPage, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { HOME } from "../return-to.ts";
import { signedInTo } from "../sign-in/complete.ts";
import { requiredSsoReply } from "../sign-in/required-sso.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, isOfAnotherLink, LinkField, takeToken } from "./mailed-link.tsx";

const PATH = "/accept-invitation";
type PageDeps = SignInDeps & SignedInUserDeps;
type Preview = Extract<Awaited<ReturnType<typeof previewInvitation>>, { ok: true }>["value"];

interface BodyProps {
  readonly preview: Preview;
  readonly state: FormState;
  /** The address of the signed-in user. */
  readonly caller: string | undefined;
  readonly callerIsInvited: boolean;
  readonly token: string | undefined;
}

function InvitationBody(props: BodyProps) {
  const { t, dates } = useView();
  const { organizationName, invitedByName, role, email, expiresAt } = props.preview;
  return (
    <Stage>
      <StageHead title={t.invitation.title({ organization: organizationName })} icon="users" />
      <p>
        {invitedByName
          ? t.invitation.byName({ name: invitedByName, organization: organizationName, role: t.roles[role] })
          : t.invitation.by({ organization: organizationName, role: t.roles[role] })}
      </p>
      <p class="soft" title={dates.exact(expiresAt)}>
        {t.invitation.details({ email, until: dates.day(expiresAt) })}
      </p>
      <Problem state={props.state} />
      <NextStep {...props} />
    </Stage>
  );
}

function NextStep({ preview, state, caller, callerIsInvited, token }: BodyProps) {
  const { t } = useView();
  if (preview.accountId === null) return <NewUserForm state={state} email={preview.email} token={token} />;
  const signIn = pathWith("/sign-in", { return_to: PATH });
  const joinsByLink = !preview.signInRequired;
  if (callerIsInvited || (!caller && joinsByLink)) {
    return (
      <Form action={caller ? PATH : `${PATH}?signed_out=1`}>
        <LinkField token={token} />
        <Button kind="primary" wide>
          {t.invitation.join}
        </Button>
      </Form>
    );
  }
  if (!caller) {
    return (
      <a class="button primary wide" href={signIn}>
        {t.invitation.signIn({ email: preview.email })}
      </a>
    );
  }
  return (
    <>
      <p class="note">{t.invitation.wrongUser({ caller, email: preview.email })}</p>
      <Form action={pathWith("/sign-out", { return_to: joinsByLink ? PATH : signIn })}>
        <Button kind="primary" wide>
          {t.invitation.switchUser}
        </Button>
      </Form>
    </>
  );
}

function NewUserForm({ state, email, token }: Pick<BodyProps, "state" | "token"> & { readonly email: string }) {
  const { t } = useView();
  return (
    <Form action={`${PATH}?signed_out=1`}>
      <LinkField token={token} />
      <input type="text" name="username" value={email} autocomplete="username" hidden readOnly />
      <Field name="display_name" label={t.common.yourName} state={state} autocomplete="name" optional />
      <NewPassword name="password" label={t.common.password} state={state} />
      <Button kind="primary" wide>
        {t.invitation.joinNew}
      </Button>
    </Form>
  );
}

/**
 * `/accept-invitation`: the inviter, the organization and the role, for a new user, for the invited user, and for a
 * different signed-in user.
 */
export function acceptInvitationPage(deps: PageDeps): Page {
  return publicPage({
    path: PATH,
    continues: true,
    limit: "sign_in",
    readLimit: "public_reads",
    get: async (call) => takeToken(deps, PATH, call) ?? (await show(deps, call, {})),
    async post(call) {
      const { form, caller, cookies, client } = call;
      if (isOfAnotherLink(call)) {
        const problem = (await anonymousView(deps, call)).t.link.another;
        return await show(deps, call, { problem }, refusedParts(ANOTHER_LINK));
      }
      const outcome = await acceptInvitation(deps, {
        token: linkToken(cookies) ?? "",
        caller: caller?.session,
        password: form.text("password"),
        displayName: form.text("display_name").trim() || undefined,
        client,
      });
      const cleared = [clearedLinkCookie(deps.config, PATH)];
      if (outcome.ok && outcome.value.kind === "new_user")
        return { ...signedInTo(deps, outcome.value.signedIn, HOME, cleared), result: "welcome" };
      if (outcome.ok) return seeResult(caller ? HOME : "/sign-in", "joined", cleared);
      const view = await anonymousView(deps, call);
      const required = requiredSsoReply(deps, view, outcome.error, HOME, cleared);
      if (required) return required;
      const state = refusedForm(view, outcome.error, { display_name: form.text("display_name") });
      return await show(deps, call, state, refusedParts(outcome.error));
    },
  });
}

async function show(deps: PageDeps, call: PageCall, state: FormState, parts: DisplayedParts = {}) {
  const { caller, cookies } = call;
  const view = await anonymousView(deps, call);
  const token = linkToken(cookies);
  const found = await previewInvitation(deps, token ?? "");
  if (!found.ok) return dead(view, found.error.code === "conflict", caller !== undefined, parts);
  const preview = found.value;
  const callerIsInvited = caller?.session.userId === preview.accountId;
  const invitation = { preview, state, caller: caller?.session.email, callerIsInvited, token };
  const body = <InvitationBody {...invitation} />;
  const title = view.t.invitation.title({ organization: preview.organizationName });
  const branded = await brandedView(deps, view, { organizationId: preview.organizationId });
  return showPage(branded, { title, body, islands: NEW_PASSWORD_ISLANDS, ...parts });
}

function dead(view: View, used: boolean, signedIn: boolean, parts: DisplayedParts) {
  const { t } = view;
  const [action, href] = signedIn ? [t.account.title, "/account"] : [t.signIn.action, "/sign-in"];
  const body = <DeadLink text={used ? t.invitation.used : t.invitation.dead} action={action} href={href} />;
  return showPage(view, { title: t.link.dead, body, ...parts });
}
