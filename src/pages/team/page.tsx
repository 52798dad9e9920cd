import { resultText } from "../action.ts";
import { type ActionPage, actionPage, confirmPage, shellFrame } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { titleOfList } from "../list-title.ts";
import { type Page, textAt } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { type TeamInput, teamActions } from "./actions.ts";
import { TEAM } from "./paths.ts";
import { sessionActions } from "./session-actions.ts";
import { TeamBody } from "./view.tsx";
import { teamViewModel } from "./view-model.ts";

type TeamDeps = TeamInput["deps"];

const PAGE: ActionPage<TeamInput, FormState> = {
  frame: shellFrame(TEAM),
  actions: teamActions,
  place: () => TEAM,
  show,
};

/** `/team`: members of the session's organization, and the open invitations. */
export function teamPage(deps: TeamDeps): Page {
  return actionPage(deps, PAGE, { path: TEAM, ofOrganization: true, get: (call) => show({ deps, call }) });
}

/** `/team/confirm`: asks before an action on members, invitations, requests to join, or sessions of members. */
export function confirmTeamPage(deps: TeamDeps): Page {
  const page = { ...PAGE, actions: { ...teamActions, ...sessionActions } };
  return confirmPage(deps, page, { path: `${TEAM}/confirm`, boundSession: "served" });
}

async function show({ deps, call }: TeamInput, state: FormState = {}, parts: DisplayedParts = {}) {
  const [{ profile, view }, viewModel] = await Promise.all([signedInUser(deps, call), teamViewModel(deps, call)]);
  const { userId, organizationId } = call.caller.session;
  const organization = profile.organizations.find(({ id }) => id === organizationId);
  const body = (
    <TeamBody
      profile={profile}
      organization={organization?.name ?? ""}
      userId={userId}
      viewModel={viewModel}
      state={state}
    />
  );
  const title = titleOfList({ view, query: call.query }, view.t.team.title);
  // The page of the further roles of a member leads back here.
  const done =
    resultText(view, teamActions, call.result) ?? textAt({ roles: view.t.customRoles.assigned }, call.result);
  return showPage(view, { title, body, done, islands: ["confirm", "selection"], ...parts });
}
