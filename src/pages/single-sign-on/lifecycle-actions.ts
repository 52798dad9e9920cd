/** The actions on a connection with a question: activation, responsibility, deactivation, deletion. */
import type { SsoSettingsDeps } from "../../flows/sso/connections/create.ts";
import { type DeleteConnectionDeps, removeConnection } from "../../flows/sso/connections/delete.ts";
import { readPowerDifferences } from "../../flows/sso/connections/power-differences.ts";
import { readConnection } from "../../flows/sso/connections/read.ts";
import { activateConnection, deactivateConnection } from "../../flows/sso/connections/set-status.ts";
import { takeConnectionOver } from "../../flows/sso/connections/take-over.ts";
import { type ActionInput, actionsOf, type Submission } from "../action.ts";
import type { Question } from "../components/question.tsx";
import { uuidIn } from "../page.ts";
import { presentVersionIn } from "../shared/displayed-version.ts";
import type { View } from "../view.tsx";
import { connectionPath, SSO } from "./paths.ts";
import { powerLists } from "./power-lists.ts";
import { mayManageSso, maySeeSso } from "./sso-access.ts";

export interface ConnectionInput extends ActionInput {
  readonly deps: DeleteConnectionDeps & SsoSettingsDeps & ActionInput["deps"];
}

const { asks, confirmed } = actionsOf<ConnectionInput, never>();

/** The page of the connection; its question has the id of the connection as a field. */
const at = ({ call, id }: ConnectionInput & Pick<Submission, "id">) =>
  connectionPath(call.params.id === undefined ? id : uuidIn(call.params.id));

/** The id of the path; a malformed id becomes an id without a connection. */
export function connectionIdOf({ call }: Pick<ConnectionInput, "call">): string {
  return uuidIn(call.params.id ?? "");
}

type ConnectionTexts = View["t"]["ssoConnections"];
type QuestionTexts = Pick<Question, "title" | "text" | "action">;

/** The user becomes responsible, so the question names who gains power by the connection and who does not. */
const asksForResponsibility = (textsOf: (texts: ConnectionTexts, name: string) => QuestionTexts) =>
  asks(maySeeSso, async ({ deps, caller, fields, id, view }) => {
    const found = await readConnection(deps, { caller, connectionId: id });
    if (!found.ok) return undefined;
    const { connection } = found.value;
    const lists = powerLists(view, await readPowerDifferences(deps, caller, connection));
    const texts = textsOf(view.t.ssoConnections, connection.name);
    return { ...texts, lists, version: fields.text("version"), harmless: true };
  });

export const activate = confirmed({
  step: "activate",
  may: mayManageSso,
  at,
  question: asksForResponsibility(({ activate: action, activateText: text, activateTitle }, name) => ({
    title: activateTitle({ name }),
    text,
    action,
  })),
  run: (request) =>
    activateConnection(request.deps, {
      caller: request.caller,
      connectionId: connectionIdOf(request),
      client: request.client,
      displayed: presentVersionIn(request.fields),
    }),
  done: ["activated", ({ t }) => t.ssoConnections.activated],
});

export const takeOver = confirmed({
  step: "take-over",
  may: mayManageSso,
  at,
  question: asksForResponsibility(({ takeOver: action, takeOverText: text, takeOverTitle }, name) => ({
    title: takeOverTitle({ name }),
    text,
    action,
  })),
  run: (request) =>
    takeConnectionOver(request.deps, {
      caller: request.caller,
      connectionId: connectionIdOf(request),
      client: request.client,
      displayed: presentVersionIn(request.fields),
    }),
  done: ["takenOver", ({ t }) => t.ssoConnections.takenOver],
});

export const endConnection = confirmed({
  step: "deactivate",
  may: mayManageSso,
  at,
  question: asks(maySeeSso, async ({ deps, caller, id, view: { t } }) => {
    const found = await readConnection(deps, { caller, connectionId: id });
    const { deactivate, deactivateText, deactivateTitle } = t.ssoConnections;
    if (!found.ok) return undefined;
    const title = deactivateTitle({ name: found.value.connection.name });
    return { title, text: deactivateText, action: deactivate };
  }),
  run: (request) =>
    deactivateConnection(request.deps, {
      caller: request.caller,
      connectionId: connectionIdOf(request),
      client: request.client,
    }),
  done: ["deactivated", ({ t }) => t.ssoConnections.deactivated],
});

export const deleteConnection = confirmed({
  step: "delete",
  may: mayManageSso,
  at,
  question: asks(maySeeSso, async ({ deps, caller, id, view: { t } }) => {
    const found = await readConnection(deps, { caller, connectionId: id });
    if (!found.ok) return undefined;
    const { name } = found.value.connection;
    const { remove, removeText, removeTitle } = t.ssoConnections;
    return { title: removeTitle({ name }), text: removeText, action: remove, typedName: name };
  }),
  run: (request) =>
    removeConnection(request.deps, {
      caller: request.caller,
      connectionId: connectionIdOf(request),
      client: request.client,
    }),
  done: ["deleted", ({ t }) => t.ssoConnections.removed],
  doneAt: SSO,
});

export const lifecycleActions = { activate, takeOver, endConnection, deleteConnection };
