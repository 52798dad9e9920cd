import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import { listGroups, listRequests, listUsers, readDirectory } from "../../flows/directories/administer.ts";
import { scimBaseUrl } from "../../flows/directories/directory-link.ts";
import { listKeysOfDirectory } from "../../flows/directories/keys.ts";
import { readRolePreview } from "../../flows/directories/map-group.ts";
import { authorizeDirectoryReader } from "../../flows/steps/authorization/authorize-directory-manager.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { listChannels } from "../../flows/steps/channels/list-channels.ts";
import { resultText } from "../action.ts";
import { type ActionPage, actionPage, confirmPage, shellFrame } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, type Page, pageNumber, uuidIn } from "../page.ts";
import { sectionIn } from "../shared/sections.tsx";
import { signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type DirectoryInput, directoryActions, roleIn } from "./actions.tsx";
import { DIRECTORY, DIRECTORY_SECTIONS, type DirectorySection, directoryPath } from "./paths.ts";
import { DirectoryBody } from "./view.tsx";
import type { DirectoryViewModel } from "./view-model.ts";

type PageDeps = DirectoryInput["deps"];

const PER_PAGE = 25;

const PAGE: ActionPage<DirectoryInput, FormState> = {
  frame: shellFrame(DIRECTORY),
  actions: directoryActions,
  place: () => directoryPath("overview"),
  problems: directoryMessages,
};

/** `/team/directory`: the directory of the session's organization. */
export function directoryPages(deps: PageDeps): readonly Page[] {
  return [
    actionPage(deps, PAGE, { path: DIRECTORY, ofOrganization: true, get: (call) => show(deps, call) }),
    confirmPage(deps, PAGE, { path: "/team/directory/confirm" }),
  ];
}

async function show(deps: PageDeps, call: AuthenticatedCall) {
  const section = sectionIn(call.query, DIRECTORY_SECTIONS);
  const [{ profile, view }, found] = await Promise.all([signedInUser(deps, call), viewModelOf(deps, call, section)]);
  if (!found.ok) return refusedPage(view, found.error, directoryMessages(view));
  const t = view.t.provisioning;
  const title =
    section === "overview" ? t.title : view.t.directory.titleOf({ section: t.sections[section], name: t.title });
  const body = <DirectoryBody profile={profile} viewModel={found.value} />;
  const done = resultText(view, directoryActions, call.result);
  return showPage(view, { title, body, done, islands: ["confirm", "copy", "local-times"] });
}

function directoryMessages({ t: { provisioning } }: View) {
  const { notIncluded, notYours, pauseFirst } = provisioning;
  return { forbidden: notYours, payment_required: notIncluded, conflict: pauseFirst };
}

async function viewModelOf(
  deps: PageDeps,
  call: AuthenticatedCall,
  section: DirectorySection,
): Promise<Result<DirectoryViewModel, Refusal>> {
  const { session } = call.caller;
  const authorized = await authorizeDirectoryReader(deps, { session }, session.organizationId);
  if (!authorized.ok) return authorized;
  const caller = authorized.value;
  const [directory, keys, channels] = await Promise.all([
    readDirectory(deps, caller),
    listKeysOfDirectory(deps, caller),
    listChannels(deps, session.organizationId, ["directory_key", "setup_key"]),
  ]);
  const content = directory.ok ? await contentOf(deps, call, caller, section) : NO_CONTENT;
  return ok({
    directory: directory.ok ? directory.value : undefined,
    section: directory.ok ? section : "overview",
    baseUrl: scimBaseUrl(deps),
    keys,
    channels,
    ...content,
  });
}

type Content = Pick<DirectoryViewModel, "groups" | "users" | "requests" | "preview">;
const NO_CONTENT: Content = { groups: undefined, users: undefined, requests: undefined, preview: undefined };

/** The list of the section; an administrator who lost the directory meanwhile sees no list. */
async function contentOf(
  deps: PageDeps,
  { query }: AuthenticatedCall,
  caller: OrganizationCaller,
  section: DirectorySection,
): Promise<Content> {
  const input = { caller, page: clampPage(pageNumber(query), PER_PAGE) };
  if (section === "users") return { ...NO_CONTENT, users: foundIn(await listUsers(deps, input)) };
  if (section === "requests") return { ...NO_CONTENT, requests: foundIn(await listRequests(deps, input)) };
  if (section !== "groups") return NO_CONTENT;
  const groups = foundIn(await listGroups(deps, input));
  const role = roleIn(query);
  if (!query.has("group") || role === undefined) return { ...NO_CONTENT, groups };
  const mapping = { groupId: uuidIn(query.text("group")), role };
  return { ...NO_CONTENT, groups, preview: foundIn(await readRolePreview(deps, { caller, ...mapping })) };
}

function foundIn<T>(result: Result<T, Refusal>): T | undefined {
  return result.ok ? result.value : undefined;
}
