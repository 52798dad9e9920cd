import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { err, ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { deleteOwnPasskey } from "../../flows/passkeys/delete.ts";
import { listOwnPasskeys } from "../../flows/passkeys/list.ts";
import { beginRegistration, completeRegistration } from "../../flows/passkeys/register.ts";
import { renameOwnPasskey } from "../../flows/passkeys/rename.ts";
import { beginPasskeySignIn, completePasskeySignIn } from "../../flows/passkeys/sign-in.ts";
import { beginPasskeyStepUp, completePasskeyStepUp } from "../../flows/passkeys/step-up.ts";
import {
  authorizeCredentialChange,
  authorizePasskeyRegistration,
} from "../../flows/steps/credentials/change-credentials.ts";
import { passkeyBody } from "../credential-bodies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { LoginSuccess } from "../schemas/auth.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import {
  CompleteRegistrationBody,
  CompleteSignInBody,
  CompleteStepUpBody,
  PasskeyItem,
  RegistrationOptions,
  RenamePasskeyBody,
  SignInOptions,
  StepUpOptions,
} from "../schemas/passkeys.ts";
import { signedInReply } from "../signed-in.ts";
import { STEPPED_UP_RESPONSE, steppedUpReply } from "../stepped-up.ts";

export type PasskeyDeps = SignInDeps & Pick<Deps, "oauthResources" | "csrfKey" | "reads">;

const tag = "Passkeys";

/** docs/contract.md, chapter 9. */
export function passkeyRoutes(deps: PasskeyDeps): Endpoint[] {
  return [...signInRoutes(deps), ...stepUpRoutes(deps), ...registrationRoutes(deps), ...ownPasskeyRoutes(deps)];
}

function signInRoutes(deps: PasskeyDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/passkey/login/begin",
      operationId: "beginPasskeySignIn",
      docs: { clientMethod: "passkeys.beginSignIn", section: "9.5" },
      tag,
      summary: "Begin a sign-in with a passkey",
      description: "Usernameless. The challenge is valid for five minutes and consumed once, whatever the outcome.",
      auth: "none",
      limits: { address: "sign_in" },
      responses: { 200: { description: "Request options", schema: SignInOptions } },
      problems: [],
      async handle() {
        return ok(reply(200, { publicKey: await beginPasskeySignIn(deps) }));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/passkey/login/complete",
      operationId: "completePasskeySignIn",
      docs: { clientMethod: "passkeys.completeSignIn", section: "9.6" },
      tag,
      summary: "Complete a sign-in with a passkey",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: CompleteSignInBody },
      responses: {
        200: { description: "Signed in at aal2; cookies set", schema: LoginSuccess, headers: ["Set-Cookie"] },
      },
      problems: ["authentication_required", "forbidden", "sso_required"],
      async handle({ body, client }) {
        const outcome = await completePasskeySignIn(deps, { credential: body.credential, client });
        return outcome.ok ? ok(signedInReply(deps, 200, outcome.value)) : outcome;
      },
    }),
  ];
}

function stepUpRoutes(deps: PasskeyDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/passkey/step-up/begin",
      operationId: "beginPasskeyStepUp",
      docs: { clientMethod: "passkeys.beginStepUp", section: "9.7" },
      tag,
      summary: "Begin a step-up with a passkey",
      description: "The challenge is valid for five minutes, for this session, and consumed once.",
      auth: "own",
      session: { servesSession: "enrolment" },
      responses: { 200: { description: "Request options with the caller's passkeys", schema: StepUpOptions } },
      problems: ["conflict"],
      async handle({ caller }) {
        const options = await beginPasskeyStepUp(deps, caller.session);
        return options.ok ? ok(reply(200, { publicKey: options.value })) : options;
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/passkey/step-up/complete",
      operationId: "completePasskeyStepUp",
      docs: { clientMethod: "passkeys.completeStepUp", section: "9.8" },
      tag,
      summary: "Step the session up for five minutes with a passkey",
      auth: "own",
      session: { servesSession: "enrolment" },
      input: { body: CompleteStepUpBody },
      responses: { 200: STEPPED_UP_RESPONSE },
      problems: ["rate_limited"],
      async handle({ caller, body, cookies, client }) {
        const outcome = await completePasskeyStepUp(deps, {
          caller: caller.session,
          credential: body.credential,
          client,
        });
        return outcome.ok ? ok(steppedUpReply(deps, caller, outcome.value, cookies)) : outcome;
      },
    }),
  ];
}

function registrationRoutes(deps: PasskeyDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/users/me/passkeys/register/begin",
      operationId: "beginPasskeyRegistration",
      docs: {
        clientMethod: "passkeys.beginRegistration",
        section: "9.1",
        access: "caller, `aal2`, new session or step-up",
      },
      tag,
      summary: "Begin the registration of a passkey",
      description:
        "The first passkey needs a session of at most ten minutes, and aal2 while a second factor is enabled; every " +
        "later passkey needs a step-up within five minutes.",
      auth: "own",
      session: { servesSession: "enrolment" },
      authorize: ({ session }) => authorizePasskeyRegistration(deps, session),
      responses: { 200: { description: "Creation options", schema: RegistrationOptions } },
      problems: ["mfa_required", "conflict"],
      async handle({ authorized }) {
        const options = await beginRegistration(deps, authorized);
        return options.ok ? ok(reply(200, { publicKey: options.value })) : options;
      },
    }),
    endpoint({
      method: "POST",
      path: "/users/me/passkeys/register/complete",
      operationId: "completePasskeyRegistration",
      docs: { clientMethod: "passkeys.completeRegistration", section: "9.2", access: "caller, `aal2`" },
      tag,
      summary: "Complete the registration of a passkey",
      description:
        "Needs a session of aal2 while a second factor is enabled. A change of credentials since begin ends the " +
        "registration.",
      auth: "own",
      session: { servesSession: "enrolment" },
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: CompleteRegistrationBody },
      responses: { 201: { description: "Registered", schema: PasskeyItem } },
      problems: ["mfa_required", "conflict"],
      async handle({ caller, authorized, body, client }) {
        const name = body.name === undefined ? undefined : normalizeName(body.name);
        if (body.name !== undefined && name === undefined) {
          return err(invalidInput("name", "format", NAME_RULE));
        }
        const input = { caller: caller.session, authorized, credential: body.credential, name, client };
        const passkey = await completeRegistration(deps, input);
        return passkey.ok ? ok(reply(201, passkeyBody(passkey.value))) : passkey;
      },
    }),
  ];
}

function ownPasskeyRoutes(deps: PasskeyDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me/passkeys",
      operationId: "listPasskeys",
      docs: { clientMethod: "passkeys.list", section: "9.3" },
      tag,
      summary: "List the caller's passkeys",
      auth: "own",
      session: { servesSession: "enrolment" },
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(PasskeyItem) } },
      problems: [],
      async handle({ caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listOwnPasskeys(deps, { caller: caller.session, page }), passkeyBody));
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/users/me/passkeys/:id",
      operationId: "renamePasskey",
      docs: { clientMethod: "passkeys.rename", section: "9.9" },
      tag,
      summary: "Rename a passkey of the caller",
      auth: "own",
      input: { body: RenamePasskeyBody },
      responses: { 200: { description: "The passkey with its new name", schema: PasskeyItem } },
      problems: ["not_found"],
      async handle({ caller, params, body }) {
        const name = normalizeName(body.name);
        if (name === undefined) return err(invalidInput("name", "format", NAME_RULE));
        const passkey = await renameOwnPasskey(deps, { caller: caller.session, id: params.id, name });
        return passkey.ok ? ok(reply(200, passkeyBody(passkey.value))) : passkey;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/users/me/passkeys/:id",
      operationId: "deletePasskey",
      docs: { clientMethod: "passkeys.delete", section: "9.4" },
      tag,
      summary: "Delete a passkey of the caller",
      auth: "own",
      responses: { 204: { description: "Deleted, now or before" } },
      problems: ["conflict", "not_found"],
      async handle({ caller, params, client }) {
        const outcome = await deleteOwnPasskey(deps, { caller: caller.session, id: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}
