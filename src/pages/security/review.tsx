import { type OpenReview, readReview } from "../../flows/credential-review/read.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Rows } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import type { Page } from "../page.ts";
import { confirmedPage } from "../shared/confirmed-page.tsx";
import { useView } from "../view.tsx";
import { closeOwnReview, type ReviewInput, reviewActions } from "./review-actions.ts";
import { ReviewList } from "./review-list.tsx";
import { REVIEW, SECURITY } from "./view-model.ts";

interface BodyProps {
  readonly profile: Profile;
  readonly review: OpenReview | undefined;
  readonly organizationId: string;
  readonly state: FormState;
}

function ReviewBody({ profile, review, organizationId, state }: BodyProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile} below={t.credentialReview.title}>
      <header class="head">
        <h1>{t.credentialReview.title}</h1>
        <p class="soft">{t.credentialReview.lead}</p>
      </header>
      {review && review.items.length > 0 ? (
        <>
          <ReviewList items={review.items} organizationId={organizationId} />
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

/** `/account/security/review`: confirms or ends what was set up before a reset of the password. */
export function credentialReviewPage(deps: ReviewInput["deps"]): Page {
  return confirmedPage(deps, {
    path: REVIEW,
    servesSession: "enrolment",
    title: (t) => t.credentialReview.title,
    actions: reviewActions,
    defaultStep: closeOwnReview.step,
    async body({ call }, { profile }, state) {
      const { organizationId, userId } = call.caller.session;
      const review = await readReview(deps, userId);
      return <ReviewBody {...{ profile, review, organizationId, state }} />;
    },
  });
}
