import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { issueTicket } from "../../flows/tickets/issue.ts";
import { signInWithTicket } from "../../flows/tickets/sign-in.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { IssuedTicketItem, IssueTicketBody, UseTicketBody } from "../schemas/tickets.ts";
import { signInReply } from "../signed-in.ts";

export type TicketDeps = SignInDeps & Pick<Deps, "oauthResources" | "csrfKey">;

const tag = "Tickets";

/** docs/contract.md, section 36.6. */
export function ticketRoutes(deps: TicketDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/users/:id/tickets",
      operationId: "issueTicket",
      docs: { clientMethod: "admin.users.issueTicket", section: "36.6" },
      tag,
      summary: "Issue a single-use link that a program delivers in place of an email",
      description:
        "For programs alone. The URL appears in this response only. The ticket replaces the former link of the user " +
        "and purpose, and ends with the credential of the program.",
      auth: "administrative",
      permission: "users.credentials",
      input: { body: IssueTicketBody },
      responses: { 201: { description: "Issued", schema: IssuedTicketItem } },
      problems: ["conflict", "forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const { purpose, redirect_to: redirectTo, expires_in_seconds: expiresInSeconds } = body;
        const input = { caller, userId: params.id, purpose, redirectTo, expiresInSeconds, client };
        const ticket = await issueTicket(deps, input);
        if (!ticket.ok) return ticket;
        const { id, url, expiresAt } = ticket.value;
        return ok(reply(201, { id, purpose, url, expires_at: expiresAt.toISOString() }));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/tickets",
      operationId: "signInWithTicket",
      docs: { clientMethod: "tickets.signIn", section: "36.6" },
      tag,
      summary: "Sign in with a ticket",
      description: "A ticket is a first factor, once. An enrolled second factor is required too.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: UseTicketBody },
      responses: {
        200: {
          description: "Signed in, or a second factor is required",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["authentication_required", "forbidden", "sso_required"],
      async handle({ body: { token }, client }) {
        const signedIn = await signInWithTicket(deps, { token, client });
        return signedIn.ok ? ok(signInReply(deps, signedIn.value.outcome)) : signedIn;
      },
    }),
  ];
}
