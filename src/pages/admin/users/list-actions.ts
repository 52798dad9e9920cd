/** The actions on selected users of `/admin/users`. */
import { err } from "../../../base/result.ts";
import type { Deps, SessionDeps, StoreDeps } from "../../../deps.ts";
import type { PlatformUser } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { endSessionsOf, readUser } from "../../../flows/users/administer.ts";
import { changeAccount } from "../../../flows/users/change-account.ts";
import { actionsOf } from "../../action.ts";
import { NOTHING_THERE } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { type ConsoleInput, platformCaller } from "../console-actions.tsx";

export type ListDeps = SignedInUserDeps & SessionDeps & Pick<Deps, "reads">;

const { selection } = actionsOf<ConsoleInput<ListDeps>>();

interface NamedUser {
  readonly deps: StoreDeps;
  readonly caller: PlatformUser;
  readonly id: string;
}

/** The own account is in no selection. */
const isOwn = ({ caller, id }: NamedUser) => id === caller.session.userId;

async function userName(row: NamedUser): Promise<string | undefined> {
  const found = isOwn(row) ? undefined : await readUser(row.deps, row.caller, row.id);
  return found?.ok ? (found.value.displayName ?? found.value.email) : undefined;
}

const higherRole = ({ t }: View) => ({ forbidden: t.users.higherRole });

export const signOutSelected = selection({
  step: "sign-out-selected",
  may: platformCaller,
  nameOf: userName,
  run: async (row) =>
    isOwn(row)
      ? err(NOTHING_THERE)
      : await endSessionsOf(row.deps, { caller: row.caller, userId: row.id, client: row.client }),
  problems: higherRole,
});

export const disableSelected = selection({
  step: "disable-selected",
  may: platformCaller,
  nameOf: userName,
  run: async (row) =>
    isOwn(row)
      ? err(NOTHING_THERE)
      : await changeAccount(row.deps, {
          caller: row.caller,
          userId: row.id,
          fields: { disabled: true },
          client: row.client,
        }),
  problems: higherRole,
});

export const userListActions = { signOutSelected, disableSelected };
