import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { err, ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { disownSignIn } from "../../flows/sessions/disown.ts";
import { listSessions } from "../../flows/sessions/list.ts";
import { renameOwnSession } from "../../flows/sessions/rename.ts";
import { revokeOwnSession, revokeOwnSessions } from "../../flows/sessions/revoke.ts";
import { clearedCookies } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { EmailTokenBody } from "../schemas/account.ts";
import { RenameSessionBody, RevokeAllQuery, SessionItem } from "../schemas/auth.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { sessionItemBody } from "../session-body.ts";

const tag = "Sessions";

/** docs/contract.md, sections 7.6 to 7.8, 7.10 and 12.15. */
export function sessionRoutes(deps: SignInDeps & Pick<Deps, "reads">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/sessions",
      operationId: "listSessions",
      docs: { clientMethod: "sessions.list", section: "7.6" },
      tag,
      summary: "List the caller's live sessions",
      auth: "own",
      session: { boundSession: "served" },
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(SessionItem) } },
      problems: [],
      async handle({ caller, query }) {
        const page = clampPage(query.page, query.page_size);
        const listing = await listSessions(deps, { caller: caller.session, page });
        return ok(listReply(listing, sessionItemBody));
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/auth/sessions/:id",
      operationId: "renameSession",
      docs: { clientMethod: "sessions.rename", section: "7.10" },
      tag,
      summary: "Name a session of the caller",
      auth: "own",
      session: { boundSession: "served" },
      input: { body: RenameSessionBody },
      responses: { 200: { description: "The session with its new name", schema: SessionItem } },
      problems: ["not_found"],
      async handle({ caller, params, body }) {
        const name = body.name === null ? null : normalizeName(body.name);
        if (name === undefined) return err(invalidInput("name", "format", NAME_RULE));
        const session = await renameOwnSession(deps, { caller: caller.session, id: params.id, name });
        return session.ok ? ok(reply(200, sessionItemBody(session.value))) : session;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/auth/sessions/:id",
      operationId: "revokeSession",
      docs: { clientMethod: "sessions.revoke", section: "7.7" },
      tag,
      summary: "Revoke one session of the caller",
      auth: "own",
      session: { boundSession: "served" },
      responses: { 204: { description: "Revoked, now or before", headers: ["Set-Cookie"] } },
      problems: ["not_found"],
      async handle({ caller, params, client }) {
        const sessionId = params.id;
        const outcome = await revokeOwnSession(deps, { caller: caller.session, sessionId, client });
        if (!outcome.ok) return outcome;
        return ok(emptyReply(204, { cookies: sessionId === caller.session.id ? clearedCookies(deps.config) : [] }));
      },
    }),
    disownRoute(deps),
    endpoint({
      method: "DELETE",
      path: "/auth/sessions",
      operationId: "revokeSessions",
      docs: { clientMethod: "sessions.revokeAll", section: "7.8" },
      tag,
      summary: "Revoke all sessions of the caller",
      auth: "own",
      session: { boundSession: "served" },
      input: { query: RevokeAllQuery },
      responses: { 204: { description: "Revoked", headers: ["Set-Cookie"] } },
      problems: [],
      async handle({ caller, query, client }) {
        const exceptCurrent = query.except_current ?? false;
        const revoked = await revokeOwnSessions(deps, {
          caller: caller.session,
          exceptCurrent,
          endApplications: query.end_applications ?? false,
          revokeKeys: query.revoke_api_keys ?? false,
          client,
        });
        if (!revoked.ok) return revoked;
        return ok(emptyReply(204, { cookies: exceptCurrent ? [] : clearedCookies(deps.config) }));
      },
    }),
  ];
}

function disownRoute(deps: SignInDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: "/auth/sign-in/not-me",
    operationId: "disownSignIn",
    docs: { clientMethod: "sessions.disown", section: "12.15" },
    tag,
    summary: "Disown a sign-in with the token from the notice",
    description:
      "Ends all sessions, trusted browsers, tokens and codes, removes the password, and removes what was set up or " +
      "requested since the sign-in.",
    auth: "none",
    limits: { address: "sign_in" },
    input: { body: EmailTokenBody },
    responses: { 204: { description: "Ended" } },
    problems: ["authentication_required"],
    async handle({ body, client }) {
      const outcome = await disownSignIn(deps, { token: body.token, client });
      return outcome.ok ? ok(emptyReply(204)) : outcome;
    },
  });
}
