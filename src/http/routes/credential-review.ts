import { ok } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { closeReview, endByLink } from "../../flows/credential-review/close.ts";
import { type OpenReview, readReview } from "../../flows/credential-review/read.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, reply } from "../reply.ts";
import { CredentialReview, CredentialReviewBody, EmailTokenBody, REVIEWED_KINDS } from "../schemas/account.ts";

const tag = "Account";

/** docs/contract.md, section 12.16. */
export function credentialReviewRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me/credential-review",
      operationId: "getCredentialReview",
      docs: { clientMethod: "credentialReview.get", section: "12.16" },
      tag,
      summary: "List what was set up before the last reset of the password",
      auth: "own",
      session: { servesSession: "enrolment" },
      responses: { 200: { description: "Empty without a review; newest first", schema: CredentialReview } },
      problems: [],
      async handle({ caller }) {
        return ok(reply(200, reviewBody(await readReview(deps, caller.session.userId))));
      },
    }),
    endpoint({
      method: "POST",
      path: "/users/me/credential-review",
      operationId: "closeCredentialReview",
      docs: { clientMethod: "credentialReview.close", section: "12.16", access: "caller, `aal2`, password or step-up" },
      tag,
      summary: "Confirm or end what was set up before the last reset of the password",
      description:
        "Needs the password or a step-up within five minutes, and `aal2` from a user with a second factor. `end` " +
        "removes every listed item whose `ends` is true and ends all other sessions.",
      auth: "own",
      session: { servesSession: "enrolment" },
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: CredentialReviewBody },
      responses: { 204: { description: "Closed, now or before" } },
      problems: ["conflict", "mfa_required", "rate_limited"],
      async handle({ caller: { session: caller }, authorized, body, client }) {
        const { decision, password } = body;
        const outcome = await closeReview(deps, { caller, authorized, decision, password, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/password/reset/end",
      operationId: "endRecentCredentials",
      docs: { clientMethod: "password.endRecent", section: "12.16" },
      tag,
      summary: "End what was set up before a reset, with the token from the mail",
      description:
        "Ends all sessions and removes every listed item except the second factor. The new password remains, except " +
        "where an address of less than seven days made the reset and the link was mailed to an older address.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: EmailTokenBody },
      responses: { 204: { description: "Ended" } },
      problems: ["authentication_required"],
      async handle({ body, client }) {
        const outcome = await endByLink(deps, { token: body.token, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function reviewBody(review: OpenReview | undefined) {
  return {
    reset_at: review?.resetAt.toISOString() ?? null,
    items: (review?.items ?? []).map(({ kind, name, setUpAt, held, change }) => ({
      kind: REVIEWED_KINDS[kind],
      name,
      set_up_at: setUpAt.toISOString(),
      held,
      ends: change === undefined,
      id: change?.id ?? null,
      organization_id: change?.organizationId ?? null,
    })),
  };
}
