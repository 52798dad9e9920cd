/** The actions of `/team/directory`. */
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import { putDirectory, readDirectory } from "../../flows/directories/administer.ts";
import { scimBaseUrl } from "../../flows/directories/directory-link.ts";
import { createDirectoryKey, listKeysOfDirectory } from "../../flows/directories/keys.ts";
import { mapGroupRole } from "../../flows/directories/map-group.ts";
import { removeDirectory } from "../../flows/directories/remove-directory.ts";
import { revokeKey } from "../../flows/service-accounts/keys.ts";
import {
  authorizeDirectoryManager,
  authorizeDirectoryReader,
} from "../../flows/steps/authorization/authorize-directory-manager.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeServiceAccountAdmin } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { DIRECTORY_DELETION_IDLE_SECONDS } from "../../limits/directory-limits.ts";
import {
  DEFAULT_DIRECTORY,
  DIRECTORY_ROLES,
  type DirectoryRole,
  type DirectorySettings,
  OUTSIDE_DOMAINS,
  ROLE_SOURCES,
} from "../../vocabulary/directory-settings.ts";
import { type ActionInput, actionsOf, type Submission } from "../action.ts";
import { confirmsChannels } from "../fields.ts";
import { showPage } from "../html.tsx";
import { type Fields, memberIn, uuidIn } from "../page.ts";
import { displayedKey } from "../service-accounts/view-model.ts";
import { NewKeyBody } from "./new-key.tsx";
import { directoryPath } from "./paths.ts";

export interface DirectoryInput extends ActionInput {
  readonly deps: SessionDeps & EmailDeps & Pick<Deps, "directoryRequests"> & ActionInput["deps"];
}

const { action, asks, confirmed } = actionsOf<DirectoryInput>();

function mayManage({ deps, call: { caller } }: DirectoryInput) {
  return authorizeDirectoryManager(deps, caller, caller.session.organizationId);
}

function mayRead({ deps, call: { caller } }: DirectoryInput) {
  return authorizeDirectoryReader(deps, caller, caller.session.organizationId);
}

/** Keys have a permission of their own. */
async function mayManageKeys(input: DirectoryInput) {
  const manager = await mayManage(input);
  if (!manager.ok) return manager;
  const { session } = input.call.caller;
  const scope = { organizationId: session.organizationId, permission: "machines.manage" } as const;
  return await authorizeServiceAccountAdmin(input.deps, { session }, scope);
}

/** A form that is sent twice, or after the directory was created elsewhere, keeps the settings. */
export const createDirectory = action({
  step: "create",
  may: mayManage,
  async run({ deps, caller, client }): Promise<Result<unknown, Refusal>> {
    const stored = await readDirectory(deps, caller);
    return stored.ok ? stored : await putDirectory(deps, { caller, client, settings: DEFAULT_DIRECTORY });
  },
  done: ["created", ({ t }) => t.provisioning.created],
});

export const saveDirectory = action({
  step: "save",
  may: mayManage,
  run: (request) => save(request, (stored) => settingsIn(request.fields, stored)),
  done: ["saved", ({ t }) => t.provisioning.saved],
});

export const pauseDirectory = confirmed({
  step: "pause",
  may: mayManage,
  question: asks(mayRead, ({ view: { t } }) => {
    const { pause, pauseText, pauseTitle } = t.provisioning;
    return { title: pauseTitle, text: pauseText, action: pause };
  }),
  run: (request) => save(request, (stored) => ok({ ...stored, status: "paused" })),
  done: ["paused", ({ t }) => t.provisioning.paused],
});

export const resumeDirectory = action({
  step: "resume",
  may: mayManage,
  run: (request) => save(request, (stored) => ok({ ...stored, status: "active" })),
  done: ["resumed", ({ t }) => t.provisioning.resumed],
});

export const mapGroup = action({
  step: "map",
  may: mayManage,
  at: () => directoryPath("groups"),
  async run({ deps, caller, client, fields }) {
    const role = roleIn(fields);
    if (role === undefined) return UNKNOWN_ROLE;
    const displayed = fields.has("version") ? fields.text("version") : undefined;
    const mapping = { groupId: uuidIn(fields.text("group")), role, confirm: confirmsChannels(fields), displayed };
    return await mapGroupRole(deps, { caller, client, ...mapping });
  },
  done: ["mapped", ({ t }) => t.provisioning.mapped],
});

export const deleteDirectory = confirmed({
  step: "delete",
  may: mayManage,
  question: asks(mayRead, ({ view: { t } }) => {
    const { remove, removeText, removeTitle } = t.provisioning;
    return { title: removeTitle, text: removeText, action: remove };
  }),
  run({ deps, call, caller, client }) {
    call.waitAtMost(DIRECTORY_DELETION_IDLE_SECONDS);
    return removeDirectory(deps, { caller, client });
  },
  done: ["deleted", ({ t }) => t.provisioning.deleted],
});

/** Only the response to the form contains the text of the key. */
export const addDirectoryKey = action({
  step: "create-key",
  may: mayManageKeys,
  run: ({ deps, call, caller, client }) =>
    createDirectoryKey(deps, { caller, organizationId: call.caller.session.organizationId, client }),
  problems: ({ t }) => ({ conflict: t.serviceAccounts.tooManyKeys }),
  async reply({ deps, user }, { key }) {
    const { profile, view } = await user();
    const body = <NewKeyBody profile={profile} secret={key} baseUrl={scimBaseUrl(deps)} />;
    return showPage(view, { title: view.t.serviceAccounts.keyTitle, body, islands: ["copy"] });
  },
});

export const revokeDirectoryKey = confirmed({
  step: "revoke-key",
  may: mayManageKeys,
  question: asks(mayRead, async ({ deps, caller, fields, view }) => {
    const { keyId } = keyIn(fields);
    const key = (await listKeysOfDirectory(deps, caller)).find(({ id }) => id === keyId);
    const { revokeKey: text, revokeKeyText, revokeKeyTitle } = view.t.serviceAccounts;
    return key && { title: revokeKeyTitle({ key: displayedKey(view, key) }), text: revokeKeyText, action: text };
  }),
  run: ({ deps, caller, client, fields }) => revokeKey(deps, { caller, ...keyIn(fields), client }),
  done: ["revoked", ({ t }) => t.serviceAccounts.keyRevoked],
});

export const directoryActions = {
  ...{ createDirectory, saveDirectory, pauseDirectory, resumeDirectory, mapGroup, deleteDirectory },
  ...{ addDirectoryKey, revokeDirectoryKey },
};

/** A slash separates the ids of the account and of the key. */
function keyIn(fields: Fields) {
  const [account = "", key = ""] = fields.text("id").split("/");
  return { accountId: uuidIn(account), keyId: uuidIn(key) };
}

type Managed = Pick<DirectoryInput, "deps"> &
  Pick<Submission, "client" | "fields"> & { readonly caller: OrganizationCaller };

async function save(
  { deps, caller, client, fields }: Managed,
  change: (stored: DirectorySettings) => Result<DirectorySettings, Refusal>,
): Promise<Result<unknown, Refusal>> {
  const stored = await readDirectory(deps, caller);
  if (!stored.ok) return stored;
  const { status, defaultRole, outsideDomains, roleSource } = stored.value;
  const settings = change({ status, defaultRole, outsideDomains, roleSource });
  if (!settings.ok) return settings;
  return await putDirectory(deps, { caller, client, settings: settings.value, confirm: confirmsChannels(fields) });
}

/** An absent value keeps the stored value. */
function settingsIn(form: Fields, stored: DirectorySettings): Result<DirectorySettings, Refusal> {
  const chosen = <const Value extends string>(values: readonly Value[], name: string, kept: Value) =>
    form.has(name) ? memberIn(values, form.text(name)) : kept;
  const defaultRole = chosen(DIRECTORY_ROLES, "default_role", stored.defaultRole);
  const outsideDomains = chosen(OUTSIDE_DOMAINS, "outside_domains", stored.outsideDomains);
  const roleSource = chosen(ROLE_SOURCES, "role_source", stored.roleSource);
  if (!defaultRole) return unknownValue("default_role");
  if (!outsideDomains) return unknownValue("outside_domains");
  if (!roleSource) return unknownValue("role_source");
  return ok({ ...stored, defaultRole, outsideDomains, roleSource });
}

function unknownValue(field: string): Result<never, Refusal> {
  return err(invalidInput(field, "unknown_value", "is not one of the displayed values"));
}

const UNKNOWN_ROLE = unknownValue("role");

/** The role of a form or an address: null for none, undefined for an unknown role. */
export function roleIn(fields: Fields): DirectoryRole | null | undefined {
  const role = fields.text("role");
  return role === "" ? null : memberIn(DIRECTORY_ROLES, role);
}
