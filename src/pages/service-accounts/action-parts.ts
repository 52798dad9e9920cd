/** What the actions of service accounts, keys, trusts and webhooks share. */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import type { VerifyAssertionDeps } from "../../flows/oauth/programs/verify-assertion.ts";
import {
  authorizeServiceAccountAdmin,
  authorizeServiceAccountReader,
} from "../../flows/steps/authorization/authorize-service-accounts.ts";
import type { WebhookFlowDeps } from "../../flows/webhooks/manage.ts";
import type { Reply } from "../../http/reply.ts";
import { KEY_SCOPES } from "../../vocabulary/key-scope.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import type { FramedPage } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import type { Fields } from "../fields.ts";
import { uuidIn } from "../page.ts";
import { type ProblemMessages, refusedForm } from "../problem-messages.ts";
import type { SignedInUser, SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type CollectionPermission, collectionScope, type ServiceAccountScope } from "./place.ts";
import { scopeField } from "./view-model.ts";

export type ServiceAccountDeps = SignedInUserDeps &
  SessionDeps &
  WebhookFlowDeps &
  VerifyAssertionDeps &
  Pick<Deps, "reads">;

/** The request of the page of an organization, or of the platform. */
export interface ServiceAccountInput extends ActionInput {
  readonly deps: ServiceAccountDeps;
  readonly basePath: ServiceAccountScope;
  /** Null: the platform. */
  readonly organizationId: string | null;
  readonly canEdit: boolean;
  readonly display: (user: SignedInUser, page: FramedPage) => Reply;
}

export const { action, asks, confirmed } = actionsOf<ServiceAccountInput>();

export const mayManage =
  (permission: CollectionPermission) =>
  ({ deps, call, organizationId }: ServiceAccountInput) =>
    authorizeServiceAccountAdmin(deps, call.caller, collectionScope(organizationId, permission));
export const mayRead =
  (permission: CollectionPermission) =>
  ({ deps, call, organizationId }: ServiceAccountInput) =>
    authorizeServiceAccountReader(deps, call.caller, collectionScope(organizationId, permission));

export type Problems = (view: View) => ProblemMessages;

const FORM_FIELDS = [
  "step",
  "id",
  "name",
  "url",
  "event_types",
  "days",
  "organizations",
  ...KEY_SCOPES.map(scopeField),
];

/** The messages of an action, and the form with the submitted values for a refusal that the page displays. */
export function withProblems(problems: Problems) {
  const refused = ({ fields, view }: { readonly fields: Fields; readonly view: View }, refusal: Refusal) => {
    if (!["invalid_input", "conflict", "mfa_required"].includes(refusal.code)) return undefined;
    const sent = FORM_FIELDS.filter((name) => fields.has(name));
    const values = Object.fromEntries(sent.map((name) => [name, fields.all(name).join(" ")]));
    const state: FormState = asksStepUp(refusal)
      ? { values }
      : refusedForm(view, refusal, values, problems(view), {
          organizations: view.t.serviceAccounts.reachUnknown,
        });
    return state;
  };
  return { problems, refused };
}

/** An action that adds a credential or takes data out (docs/contract.md, section 3.9). */
export const stepUp = () => true;

/** The ids of the form; a slash separates the id of a child object. */
export function idsIn(fields: Fields): readonly [string, string] {
  const [first = "", second = ""] = fields.text("id").split("/");
  return [uuidIn(first), uuidIn(second)];
}
