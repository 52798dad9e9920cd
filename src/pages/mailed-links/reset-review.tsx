import type { SignInDeps } from "../../deps.ts";
import { endByLink } from "../../flows/credential-review/close.ts";
import { type OpenReview, readReviewByLink } from "../../flows/credential-review/read.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkToken, resetReturn } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, type PageCall, pathWith, publicPage, seeOther, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { carried } from "../return-to.ts";
import { ReviewList } from "../security/review-list.tsx";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";

export const RESET_REVIEW = "/reset-password/review";
const FORGOT = "/forgot-password";
type PageDeps = SignInDeps & SignedInUserDeps;

/** The sign-in after the reset, with the target from which the user came. */
function signInPath(to: string): string {
  return pathWith("/sign-in?over=1", { return_to: carried(to) });
}

interface ReviewProps {
  readonly to: string;
  readonly review: OpenReview;
  readonly token: string;
  readonly problem: string | undefined;
}

function ReviewBody({ review: { items, endsReset }, to, token, problem }: ReviewProps) {
  const { t } = useView();
  const hasFactor = items.some(({ kind }) => kind === "second_factor");
  return (
    <Stage after={<a href={signInPath(to)}>{t.credentialReview.skip}</a>}>
      <StageHead title={t.credentialReview.title} icon="shield" />
      <p>{t.credentialReview.lead}</p>
      <ReviewList items={items} />
      <p class="soft">{t.credentialReview.effects}</p>
      {endsReset && <p class="soft">{t.credentialReview.passwordEnds}</p>}
      {hasFactor && <p class="soft">{t.credentialReview.factorStays}</p>}
      {problem && <p class="note">{problem}</p>}
      <Form action={RESET_REVIEW}>
        <LinkField token={token} />
        <Button kind="loss" wide>
          {t.credentialReview.end}
        </Button>
      </Form>
    </Stage>
  );
}

/**
 * `/reset-password/review`: what was set up before a reset of the password, after the reset and as the target of the
 * link in the email. One button ends every item, without a session; a GET has no effect.
 */
export function resetReviewPage(deps: PageDeps): Page {
  return publicPage({
    path: RESET_REVIEW,
    limit: "sign_in",
    readLimit: "sign_in",
    get: async (call) => takeToken(deps, RESET_REVIEW, call) ?? (await show(deps, call)),
    async post(call) {
      const token = linkToken(call.cookies) ?? "";
      if (isOfAnotherLink(call)) {
        const problem = (await anonymousView(deps, call)).t.link.another;
        return await show(deps, call, problem, refusedParts(ANOTHER_LINK));
      }
      const review = await readReviewByLink(deps, token);
      const outcome = await endByLink(deps, { token, client: call.client });
      if (!outcome.ok) return await dead(deps, call, true);
      const cleared = clearedLinkCookie(deps.config, RESET_REVIEW);
      // The password ended too: the next step is a link that sets a new password.
      const to = resetReturn(call.cookies);
      return review?.endsReset
        ? seeOther(pathWith(FORGOT, { return_to: carried(to) }), [cleared])
        : seeResult(signInPath(to), "review_ended", [cleared]);
    },
  });
}

async function show(deps: PageDeps, call: PageCall, problem?: string, parts: DisplayedParts = {}) {
  const token = linkToken(call.cookies);
  const review = token === undefined ? undefined : await readReviewByLink(deps, token);
  if (token === undefined || !review) return await dead(deps, call, false);
  const view = await anonymousView(deps, call);
  const body = <ReviewBody review={review} to={resetReturn(call.cookies)} token={token} problem={problem} />;
  const done = call.result === "reset" ? view.t.signIn.afterReset : undefined;
  return showPage(view, { title: view.t.credentialReview.title, body, done, ...parts });
}

async function dead(deps: PageDeps, call: PageCall, refused: boolean) {
  const view = await anonymousView(deps, call);
  const body = (
    <DeadLink text={view.t.credentialReview.dead} action={view.t.common.continue} href="/account/security" />
  );
  const parts = deadParts(deps.config, RESET_REVIEW, refused ? NO_LINK : undefined);
  return showPage(view, { title: view.t.link.dead, body, ...parts });
}
