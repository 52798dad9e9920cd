/** The actions of `/admin/blocked-hosts`. */
import {
  type BlockHostsDeps,
  blockHost,
  listBlocked,
  unblockHost,
} from "../../../flows/oauth/documents/block-hosts.ts";
import { actionsOf } from "../../action.ts";
import { asksStepUp } from "../../components/step-up-again.tsx";
import { refusedForm } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleInput, platformCaller, steppedUpAdmin } from "../console-actions.tsx";

export type BlockedHostsInput = ConsoleInput<BlockHostsDeps & SignedInUserDeps>;

const { action, asks, confirmed } = actionsOf<BlockedHostsInput>();

export const block = action({
  step: "block",
  may: steppedUpAdmin,
  run: ({ deps, caller, client, fields }) => blockHost(deps, { caller, client, host: fields.text("host") }),
  done: ["added", ({ t }) => t.blockedHosts.added],
  refused({ fields, view }, refusal) {
    const values = { host: fields.text("host") };
    if (asksStepUp(refusal)) return { values };
    if (refusal.code === "forbidden") return undefined;
    return refusedForm(view, refusal, values, { conflict: view.t.blockedHosts.full });
  },
});

/** Permits the documents of a host again; `id` is the host. */
export const unblock = confirmed({
  step: "unblock",
  may: steppedUpAdmin,
  question: asks(platformCaller, async ({ deps, caller, fields, view: { t } }) => {
    const id = fields.text("id");
    const { remove, removeText, removeTitle } = t.blockedHosts;
    const isBlocked = (await listBlocked(deps, caller)).some(({ host }) => host === id);
    return isBlocked ? { title: removeTitle({ host: id }), text: removeText, action: remove } : undefined;
  }),
  run: ({ deps, caller, client, fields }) => unblockHost(deps, { caller, client, host: fields.text("id") }),
  done: ["removed", ({ t }) => t.blockedHosts.removed],
});

export const blockedHostActions = { block, unblock };
