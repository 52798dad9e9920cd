/** The actions of `/team/delete`. */
import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { exportOrganization } from "../../flows/data-exports/organization.ts";
import { requestOrganizationDeletion } from "../../flows/deletions/organization.ts";
import { clearedCookies } from "../../http/cookies.ts";
import { organizationExportReply } from "../../http/organizations/organization-export.ts";
import { type ActionInput, actionsOf, permission } from "../action.ts";
import { asksStepUp } from "../components/step-up-again.tsx";
import { seeResult } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";

export interface TeamDeletionInput extends ActionInput {
  readonly deps: SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;
}

const { action } = actionsOf<TeamDeletionInput>();
export const mayDelete = permission("organization.delete");

export const downloadOrganization = action({
  step: "export",
  may: mayDelete,
  stepUp: () => true,
  run: async ({ deps, caller: { organizationId, actor }, client }) =>
    ok(await exportOrganization(deps, { organizationId, actor, client })),
  reply: (_, archive) => organizationExportReply(archive),
});

/** Ends the session, which is in the organization. */
export const deleteOwnOrganization = action({
  step: "delete",
  may: mayDelete,
  run: ({ deps, caller, client, fields }) =>
    requestOrganizationDeletion(deps, {
      caller,
      slug: fields.text("slug").trim(),
      password: fields.text("password") || undefined,
      client,
    }),
  reply: ({ deps }) => seeResult("/sign-in", "organization_deleted", clearedCookies(deps.config)),
  refused({ caller, fields, view }, refusal) {
    if (!caller || asksStepUp(refusal)) return undefined;
    const values = { slug: fields.text("slug") };
    const { account, deleteOrganization } = view.t;
    return refusal.code === "authentication_required"
      ? { values, errors: { password: account.wrongPassword } }
      : refusedForm(view, refusal, values, {}, { slug: deleteOrganization.wrongSlug });
  },
});

export const teamDeletionActions = { downloadOrganization, deleteOwnOrganization };
