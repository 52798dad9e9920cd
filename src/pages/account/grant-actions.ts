/** The action of `/account/applications`. */
import { isUuid } from "../../base/random.ts";
import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { EndFamiliesDeps } from "../../flows/oauth/clients/end-families.ts";
import { findOwnGrant, revokeOwnGrant } from "../../flows/oauth/consents/grants.ts";
import { type ActionInput, actionsOf, ownAccount } from "../action.ts";
import { applicationName } from "../components/application.tsx";

export const APPLICATIONS = "/account/applications";

export interface GrantsInput extends ActionInput {
  readonly deps: EndFamiliesDeps & Pick<Deps, "reads"> & ActionInput["deps"];
}

/** A grant that ended meanwhile is removed, too. */
export const removeGrant = actionsOf<GrantsInput>().confirmed({
  step: "remove",
  may: ownAccount,
  async question({ deps, caller, id, view }) {
    const client = await findOwnGrant(deps, { caller, id });
    const { takeBack, takeBackText, takeBackTitle } = view.t.oauth;
    return (
      client && { title: takeBackTitle({ name: applicationName(view, client) }), text: takeBackText, action: takeBack }
    );
  },
  async run({ deps, caller, client, fields }) {
    const id = fields.text("id");
    if (isUuid(id)) await revokeOwnGrant(deps, { caller, id, client });
    return ok(undefined);
  },
  done: ["taken_back", ({ t }) => t.oauth.takenBack],
});

export const grantActions = { removeGrant };
