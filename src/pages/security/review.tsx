import type { Refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { closeReview } from "../../flows/credential-review/close.ts";
import { type OpenReview, readReview } from "../../flows/credential-review/read.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Rows } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { type Page, seeResult } from "../page.ts";
import { messageOf, refusedForm } from "../problem-messages.ts";
import { confirmedPage } from "../shared/confirmed-page.tsx";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { ReviewList } from "./review-list.tsx";
import { REVIEW, SECURITY } from "./view-model.ts";

interface BodyProps {
  readonly profile: Profile;
  readonly review: OpenReview | undefined;
  readonly state: FormState;
}

function ReviewBody({ profile, review, state }: BodyProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile} below={t.credentialReview.title}>
      <header class="head">
        <h1>{t.credentialReview.title}</h1>
        <p class="soft">{t.credentialReview.lead}</p>
      </header>
      {review && review.items.length > 0 ? (
        <>
          <ReviewList items={review.items} />
          <p class="soft">{t.credentialReview.effects}</p>
          <div class="panel">
            <Form action={REVIEW} class="stack">
              <Problem state={state} />
              {profile.hasPassword && <CurrentPassword state={state} />}
              <Actions cancel={SECURITY}>
                <Button kind="loss" name="decision" value="end">
                  {t.credentialReview.end}
                </Button>
                <Button kind="primary" name="decision" value="confirm">
                  {t.credentialReview.confirm}
                </Button>
              </Actions>
            </Form>
          </div>
        </>
      ) : (
        <Rows>
          <Empty text={t.credentialReview.none} />
        </Rows>
      )}
    </Shell>
  );
}

function stateOf(view: View, refusal: Refusal, { hasPassword }: Profile): FormState {
  const { account, dataExport } = view.t;
  if (refusal.code === "authentication_required" && hasPassword) return { errors: { password: account.wrongPassword } };
  const problem = messageOf(view, refusal, { authentication_required: dataExport.signInAgain });
  return { ...refusedForm(view, refusal, {}), problem };
}

/** `/account/security/review`: confirms or ends what was set up before a reset of the password. */
export function credentialReviewPage(deps: SignInDeps & SignedInUserDeps & Pick<Deps, "clock">): Page {
  return confirmedPage(deps, {
    path: REVIEW,
    servesSession: "enrolment",
    title: (t) => t.credentialReview.title,
    done: () => undefined,
    async body({ caller }, { profile }, state) {
      const review = await readReview(deps, caller.session.userId);
      return <ReviewBody profile={profile} review={review} state={state} />;
    },
    async submit({ caller: { session: caller }, form, client }, { profile, view }) {
      const decision = form.text("decision") === "end" ? "end" : "confirm";
      const authorized = await authorizeCredentialChange(deps, caller);
      if (!authorized.ok) return err({ state: {}, refusal: authorized.error });
      const password = form.text("password") || undefined;
      const request = { caller, authorized: authorized.value, password, client, decision } as const;
      const outcome = await closeReview(deps, request);
      if (outcome.ok) return ok(seeResult(SECURITY, decision === "end" ? "review_ended" : "review_confirmed"));
      return err({ state: stateOf(view, outcome.error, profile), refusal: outcome.error });
    },
  });
}
