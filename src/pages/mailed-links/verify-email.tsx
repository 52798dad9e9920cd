import type { Refusal } from "../../base/problem.ts";
import { err } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { readMailedLink } from "../../flows/email/read-mailed-link.ts";
import { sendVerification } from "../../flows/email/send-verification.ts";
import { verifyEmail } from "../../flows/email/verify.ts";
import { changeAddress } from "../account/email-actions.ts";
import { EMAILS } from "../account/own-emails.ts";
import { DevMailLink } from "../components/dev-mail-link.tsx";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken } from "../cookies.ts";
import { showPage } from "../html.tsx";
import { type Page, type PageCall, pathWith, publicPage, seeOther, seeResult } from "../page.ts";
import { pressedPublicAction, publicActionsOf } from "../public-action.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps } from "../shared/waiting-application.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { DeadLink, deadParts, NO_LINK, takeToken } from "./mailed-link.tsx";

const PATH = "/verify-email";
type PageDeps = SignInDeps & SignedInUserDeps & WaitingPageDeps;

/** The action of the button. */
function ConfirmBody() {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.verify.title} icon="mail" />
      <p>{t.verify.lead}</p>
      <p class="soft">{t.verify.notYou}</p>
      <Form action={`${PATH}?signed_out=1`}>
        <Button kind="primary" wide name="step" value={confirmAddress.step}>
          {t.verify.action}
        </Button>
      </Form>
    </Stage>
  );
}

interface WaitingProps {
  readonly email: string;
  readonly to: string;
  /** A link was sent just now: the next request waits (islands/code.ts). */
  readonly isSent: boolean;
}

/** The page for a signed-in user without a verified address. */
function WaitingBody(props: WaitingProps) {
  const { t, site } = useView();
  const here = pathWith(PATH, { return_to: carried(props.to) });
  // If the service requires a verified address, a waiting request continues from this page after verification.
  const next = site.config.requireVerifiedEmail ? carried(props.to) && here : props.to;
  return (
    <Stage>
      <StageHead title={t.verify.waitingTitle} icon="mail" />
      <p>{t.verify.waiting({ email: props.email })}</p>
      <DevMailLink />
      <Form action={here}>
        <Button
          wide
          name="step"
          value={sendLink.step}
          busy={t.common.sending}
          wait={props.isSent ? t.verify.newLinkIn({ seconds: "%" }) : undefined}
        >
          {t.verify.again}
        </Button>
      </Form>
      {next && (
        <a class="button wide" href={next}>
          {t.common.continue}
        </a>
      )}
      <p class="line apart soft">
        <a href={pathWith(EMAILS, { step: changeAddress.step })}>{t.verify.wrongAddress}</a>
        <a href="/sign-out">{t.signOut.action}</a>
      </p>
    </Stage>
  );
}

/** `/verify-email`: the target of the verification email, and the waiting page of a new user. */
export function verifyEmailPage(deps: PageDeps): Page {
  return publicPage({
    path: PATH,
    continues: true,
    limit: "sign_in",
    readLimit: "public_reads",
    get: (call) => takeToken(deps, PATH, call) ?? show(deps, call),
    post: (call) => (pressedPublicAction(verifyEmailActions, call.form) ?? confirmAddress).run({ deps, call }),
  });
}

interface VerifyInput {
  readonly deps: PageDeps;
  readonly call: PageCall;
}

const action = publicActionsOf<VerifyInput>();

/** A new link for a signed-in user. */
export const sendLink = action({
  step: "send",
  async run({ deps, call: { query, caller, client } }) {
    if (!caller) return seeOther(pathWith("/sign-in", { return_to: PATH }));
    await sendVerification(deps, caller.session, client);
    return seeResult(pathWith(PATH, { return_to: carried(returnTo(query)) }), "sent");
  },
});

export const confirmAddress = action({
  step: "confirm",
  async run({ deps, call }) {
    const { caller, cookies, client } = call;
    const token = linkToken(cookies);
    const outcome = token ? await verifyEmail(deps, { token, caller: caller?.session, client }) : err(NO_LINK);
    if (outcome.ok || (await stateOf(deps, token)) === "verified") return verified(deps, call);
    return dead(await anonymousView(deps, call), caller !== undefined, outcome.error);
  },
});

export const verifyEmailActions = { sendLink, confirmAddress };

async function stateOf(deps: PageDeps, token: string | undefined) {
  return token === undefined ? "dead" : (await readMailedLink(deps, "email_verification", token)).state;
}

function verified({ config }: PageDeps, { caller }: PageCall) {
  return seeResult(caller ? "/account" : "/sign-in", "verified", [clearedLinkCookie(config, PATH)]);
}

async function show(deps: PageDeps, call: PageCall) {
  const { query, caller, cookies } = call;
  const view = await anonymousView(deps, call);
  const { t } = view;
  const state = call.result ? "dead" : await stateOf(deps, linkToken(cookies));
  if (state === "live") return showPage(view, { title: t.verify.title, body: <ConfirmBody /> });
  // A link that was used is named at its opening.
  if (state === "verified") return verified(deps, call);
  if (!caller) return dead(view, false);
  if (caller.session.emailVerified) return seeOther(returnTo(query));
  const { email } = caller.session;
  const to = returnTo(query);
  return await showBeforeReturn(deps, call, { view, to }, (view) => {
    const isSent = call.result === "sent";
    const body = <WaitingBody email={email} to={to} isSent={isSent} />;
    const done = isSent ? t.verify.sentAgain : undefined;
    return showPage(view, { title: t.verify.waitingTitle, body, done, islands: ["code"] });
  });
}

/** A form sends a new link. `refused`: the refusal of the present link; undefined without a refusal. */
function dead(view: View, signedIn: boolean, refused?: Refusal) {
  const { t } = view;
  const body = signedIn ? (
    <DeadLink text={t.verify.deadSignedIn} action={t.verify.again} href={PATH} step={sendLink.step} />
  ) : (
    <DeadLink text={t.verify.dead} action={t.signIn.action} href="/sign-in" />
  );
  return showPage(view, { title: t.link.dead, body, ...deadParts(view.site.config, PATH, refused) });
}
