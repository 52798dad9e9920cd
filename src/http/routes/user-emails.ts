import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import { confirmAddress } from "../../flows/user-emails/confirm-change.ts";
import { listOwnEmails } from "../../flows/user-emails/list.ts";
import { removeAddress } from "../../flows/user-emails/remove.ts";
import { requestAddress } from "../../flows/user-emails/request-change.ts";
import { switchPrimaryAddress } from "../../flows/user-emails/switch-primary.ts";
import { undoAddressChange } from "../../flows/user-emails/undo.ts";
import type { UserEmail } from "../../models/user-email/user-email.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { AddEmailBody, ChangeEmailBody, ConfirmationBody, EmailTokenBody, UserEmailItem } from "../schemas/account.ts";
import { listOf, PageQuery } from "../schemas/common.ts";

const tag = "Account";
const CONFIRMATION =
  "Needs the password or a step-up within five minutes, and `aal2` from a user with a second factor.";
const SAME_RESPONSE = "Free and taken addresses get the same response in the same time.";

/** docs/contract.md, section 12.14. */
export function userEmailRoutes(deps: SignInDeps & Pick<Deps, "reads">): Endpoint[] {
  return [...requestRoutes(deps), ...linkRoutes(deps), ...addressRoutes(deps)];
}

function requestRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/users/me/email",
      operationId: "changeEmail",
      docs: { clientMethod: "emails.change", section: "12.14", access: "caller, `aal2`" },
      tag,
      summary: "Request a change of the primary address",
      description: `${CONFIRMATION} ${SAME_RESPONSE}`,
      auth: "own",
      session: { servesUnverified: true },
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: ChangeEmailBody },
      responses: { 204: { description: "Queued: a link to the new address, a notice to the present address" } },
      problems: ["conflict", "forbidden", "mfa_required", "rate_limited"],
      async handle({ caller: { session: caller }, authorized, body, client }) {
        const { new_email: email, password } = body;
        const input = { caller, authorized, kind: "change", field: "new_email", email, password, client } as const;
        const outcome = await requestAddress(deps, input);
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/users/me/emails",
      operationId: "addEmail",
      docs: { clientMethod: "emails.add", section: "12.14", access: "caller, `aal2`" },
      tag,
      summary: "Request an additional address",
      description: `${CONFIRMATION} ${SAME_RESPONSE}`,
      auth: "own",
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: AddEmailBody },
      responses: { 204: { description: "Queued: a link to the address, a notice to the primary address" } },
      problems: ["conflict", "forbidden", "mfa_required", "rate_limited"],
      async handle({ caller: { session: caller }, authorized, body: { email, password }, client }) {
        const input = { caller, authorized, kind: "add", field: "email", email, password, client } as const;
        const outcome = await requestAddress(deps, input);
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function linkRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/email/change",
      operationId: "confirmEmailChange",
      docs: { clientMethod: "emails.confirm", section: "12.14" },
      tag,
      summary: "Confirm an address with the token from the mail",
      description: "Needs a live session of the user that made the request.",
      auth: "own",
      session: { servesUnverified: true },
      limits: { address: "sign_in" },
      input: { body: EmailTokenBody },
      responses: { 204: { description: "Changed or added" } },
      problems: ["forbidden"],
      async handle({ caller, body, client }) {
        const outcome = await confirmAddress(deps, { caller: caller.session, token: body.token, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/email/change/undo",
      operationId: "undoEmailChange",
      docs: { clientMethod: "emails.undo", section: "12.14" },
      tag,
      summary: "Undo a change of the addresses with the token from the notice",
      description:
        "Cancels a request. Within seven days of a confirmation: restores the former primary address, ends all " +
        "sessions, removes the password, and removes what was added since the request.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: EmailTokenBody },
      responses: { 204: { description: "Undone" } },
      problems: ["authentication_required"],
      async handle({ body, client }) {
        const outcome = await undoAddressChange(deps, { token: body.token, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function addressRoutes(deps: SignInDeps & Pick<Deps, "reads">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me/emails",
      operationId: "listEmails",
      docs: { clientMethod: "emails.list", section: "12.14" },
      tag,
      summary: "List the caller's addresses",
      auth: "own",
      session: { servesUnverified: true },
      input: { query: PageQuery },
      responses: { 200: { description: "The primary address first", schema: listOf(UserEmailItem) } },
      problems: [],
      async handle({ caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listOwnEmails(deps, { caller: caller.session, page }), emailBody));
      },
    }),
    endpoint({
      method: "POST",
      path: "/users/me/emails/:id/primary",
      operationId: "makeEmailPrimary",
      docs: { clientMethod: "emails.makePrimary", section: "12.14", access: "caller, `aal2`" },
      tag,
      summary: "Make a verified address the primary address",
      description: CONFIRMATION,
      auth: "own",
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: ConfirmationBody },
      responses: { 200: { description: "The primary address", schema: UserEmailItem } },
      problems: ["conflict", "mfa_required", "not_found", "rate_limited"],
      async handle({ caller: { session: caller }, authorized, params, body: { password }, client }) {
        const outcome = await switchPrimaryAddress(deps, { caller, authorized, id: params.id, password, client });
        return outcome.ok ? ok(reply(200, emailBody(outcome.value))) : outcome;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/users/me/emails/:id",
      operationId: "deleteEmail",
      docs: { clientMethod: "emails.delete", section: "12.14", access: "caller, `aal2`" },
      tag,
      summary: "Remove an additional address",
      description: CONFIRMATION,
      auth: "own",
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: ConfirmationBody },
      responses: { 204: { description: "Removed" } },
      problems: ["conflict", "forbidden", "mfa_required", "not_found", "rate_limited"],
      async handle({ caller: { session: caller }, authorized, params, body: { password }, client }) {
        const outcome = await removeAddress(deps, { caller, authorized, id: params.id, password, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function emailBody({ id, email, verifiedAt, primary, createdAt }: UserEmail) {
  return { id, email, verified: verifiedAt !== null, primary, created_at: createdAt.toISOString() };
}
