/** The actions of `/team/applications`. */
import type { Deps, StoreDeps } from "../../deps.ts";
import type { EndFamiliesDeps } from "../../flows/oauth/clients/end-families.ts";
import {
  approveDisplayedApplication,
  decideAboutApplication,
  endApplicationAccess,
  findApplication,
} from "../../flows/organization-applications/decide-application.ts";
import { type ActionInput, actionsOf, permission } from "../action.ts";
import { applicationName } from "../components/application.tsx";
import { displayedVersionIn } from "../shared/displayed-version.ts";

export interface ApplicationsInput extends ActionInput {
  readonly deps: EndFamiliesDeps & StoreDeps & Pick<Deps, "reads"> & ActionInput["deps"];
}

const { action, confirmed } = actionsOf<ApplicationsInput>();
const mayManage = permission("applications.manage");

export const approveApplication = action({
  step: "approve",
  may: mayManage,
  stepUp: () => true,
  run({ deps, caller, client, fields, id: clientId }) {
    const input = { caller, clientId, client };
    // A form of an earlier release has no version.
    return fields.has("version")
      ? approveDisplayedApplication(deps, input, displayedVersionIn(fields))
      : decideAboutApplication(deps, { ...input, status: "approved" });
  },
  done: ["approved", ({ t }) => t.applications.approved],
});

/** A denial is for every identity of the application. */
export const denyApplication = action({
  step: "deny",
  may: mayManage,
  run: ({ deps, caller, client, id: clientId }) =>
    decideAboutApplication(deps, { caller, clientId, client, status: "denied" }),
  done: ["denied", ({ t }) => t.applications.denied],
});

export const endAccess = confirmed({
  step: "end",
  may: mayManage,
  async question({ deps, caller, id, view }) {
    const found = await findApplication(deps, caller, id);
    const { end, endText, endTitle } = view.t.applications;
    return found && { title: endTitle({ name: applicationName(view, found) }), text: endText, action: end };
  },
  run: ({ deps, caller, client, id: clientId }) => endApplicationAccess(deps, { caller, clientId, client }),
  done: ["ended", ({ t }) => t.applications.ended],
});

export const applicationActions = { approveApplication, denyApplication, endAccess };
