import type { Deps } from "../../deps.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import {
  beginSetup,
  describeSetupLink,
  previewSetupLink,
  type SetupLinkView,
} from "../../flows/sso/setup-links/begin.ts";
import { readSetupConnection } from "../../flows/sso/setup-links/connection.ts";
import { finishSetupLink } from "../../flows/sso/setup-links/manage.ts";
import { authorizeSetupLink, type SetupCaller } from "../../flows/steps/authorization/authorize-setup-link.ts";
import type { SetupIntent } from "../../vocabulary/setup-intent.ts";
import { brandedView } from "../branded-view.ts";
import { Button, Form } from "../components/form.tsx";
import type { IconName } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Row, Rows, Section, SentenceRow, Tag } from "../components/lists.tsx";
import { clearedLinkCookie, clearedSetupCookie, linkToken, setupCookie, setupToken } from "../cookies.ts";
import { showPage } from "../html.tsx";
import { ANOTHER_LINK, isOfAnotherLink, LinkField, takeToken } from "../mailed-links/mailed-link.tsx";
import { type Page, type PageCall, publicPage, seeOther, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { pressedPublicAction, publicActionsOf } from "../public-action.ts";
import { anonymousView } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { endedLink, type SetupDeps, withSetup } from "./parts.tsx";
import { passOnByLink } from "./passed-on-link.tsx";
import { SETUP, SETUP_PATHS } from "./paths.ts";
import { Colleague, SetupFrame } from "./setup-frame.tsx";

type OverviewDeps = SetupDeps & Pick<Deps, "reads" | "revocations">;

/** More than the domains of an organization. */
const DOMAIN_LIST = { page: 1, pageSize: 100 } as const;
const FINISHED = "finished";

/**
 * `/setup`: the invitation of a set-up link, and after "Begin" the tasks of the link. A GET consumes nothing: mail
 * scanners follow links.
 */
export function setupPage(deps: OverviewDeps): Page {
  return publicPage({
    path: SETUP,
    limit: "sign_in",
    readLimit: "public_reads",
    get: async (call) => takeToken(deps, SETUP, call) ?? (await show(deps, call)),
    post: (call) => (pressedPublicAction(setupActions, call.form) ?? beginByLink).run({ deps, call }),
  });
}

interface OverviewInput {
  readonly deps: OverviewDeps;
  readonly call: PageCall;
}

const action = publicActionsOf<OverviewInput>();

export const beginByLink = action({
  step: "begin",
  async run({ deps, call }) {
    if (isOfAnotherLink(call)) return await endedLink(deps, call, refusedParts(ANOTHER_LINK));
    const begun = await beginSetup(deps, { token: linkToken(call.cookies) ?? "", client: call.client });
    if (!begun.ok) return await endedLink(deps, call);
    return seeOther(SETUP, [setupCookie(deps.config, begun.value), clearedLinkCookie(deps.config, SETUP)]);
  },
});

export const finishByLink = action({
  step: "finish",
  async run({ deps, call }) {
    const setup = await authorizeSetupLink(deps, setupToken(call.cookies));
    if (!setup.ok) return await endedLink(deps, call);
    const { caller, link } = setup.value;
    await finishSetupLink(deps, { caller, linkId: link.id, reason: "completed", client: call.client });
    return seeResult(SETUP, FINISHED, [clearedSetupCookie(deps.config)]);
  },
});

export const setupActions = { beginByLink, finishByLink, passOnByLink };

/** A link that waits comes before the tasks of an earlier link in this browser. */
async function show(deps: OverviewDeps, call: PageCall) {
  if (call.result === FINISHED) return await showFinished(deps, call);
  const token = linkToken(call.cookies);
  const waiting = token === undefined ? undefined : await previewSetupLink(deps, token);
  if (waiting?.ok) return await showInvitation(deps, call, waiting.value, token);
  return await withSetup(deps, call, await authorizeSetupLink(deps, setupToken(call.cookies)), async (setup, view) => {
    const [described, states] = await Promise.all([describeSetupLink(deps, setup.link), statesOf(deps, setup)]);
    const title = view.t.ssoSetup.title({ organization: described.organizationName });
    return showPage(view, { title, body: <OverviewBody view={described} states={states} /> });
  });
}

async function showFinished(deps: OverviewDeps, call: PageCall) {
  const view = await anonymousView(deps, call);
  const { finished, finishedTitle: title } = view.t.ssoSetup;
  const body = (
    <Stage>
      <StageHead title={title} icon="check" />
      <p>{finished}</p>
    </Stage>
  );
  return showPage(view, { title, body });
}

async function showInvitation(deps: OverviewDeps, call: PageCall, invitation: SetupLinkView, token?: string) {
  const view = await brandedView(deps, await anonymousView(deps, call), invitation.link);
  const title = view.t.ssoSetup.title({ organization: invitation.organizationName });
  return showPage(view, { title, body: <InvitationBody view={invitation} token={token} /> });
}

function InvitationBody({ view, token }: { readonly view: SetupLinkView; readonly token: string | undefined }) {
  const { t, dates } = useView();
  const { link, inviterName, organizationName } = view;
  const { begin, beginHint, invited, invitedBy, tasks, title, until, wizard } = t.ssoSetup;
  return (
    <Stage>
      <StageHead title={title({ organization: organizationName })} icon="plug" />
      <p>
        {inviterName === null
          ? invited({ organization: organizationName })
          : invitedBy({ name: inviterName, organization: organizationName })}
      </p>
      <ul class="rows compact">
        {link.intents.map((intent) => (
          <SentenceRow key={intent} icon={TASK_ICONS[intent]} text={tasks[intent]} />
        ))}
      </ul>
      <p class="soft">
        {link.email !== null && <>{link.email} · </>}
        {until({ time: dates.minute(link.expiresAt) })}
      </p>
      <Form action={SETUP}>
        <LinkField token={token} />
        <Button kind="primary" wide name="step" value={beginByLink.step}>
          {begin}
        </Button>
        <p class="hint">{beginHint}</p>
        <p class="hint">{wizard.forward}</p>
      </Form>
    </Stage>
  );
}

const TASK_ICONS: Readonly<Record<SetupIntent, IconName>> = {
  domains: "globe",
  connection: "passkey",
  directory: "users",
};

type TaskState = "open" | "waiting" | "done";
const TAGS = { open: "plain", waiting: "on", done: "good" } as const;

/** The states of the tasks of a link, in the order of the tasks. */
async function statesOf(
  deps: OverviewDeps,
  setup: SetupCaller,
): Promise<readonly (readonly [SetupIntent, TaskState])[]> {
  const states = await Promise.all(setup.link.intents.map((intent) => STATES[intent](deps, setup)));
  return setup.link.intents.map((intent, index) => [intent, states[index] ?? "open"]);
}

const STATES: Readonly<Record<SetupIntent, (deps: OverviewDeps, setup: SetupCaller) => Promise<TaskState>>> = {
  async domains(deps, { caller }) {
    const listed = await listOrganizationDomains(deps, { caller, page: DOMAIN_LIST });
    return listed.ok && listed.value.items.some(({ status }) => status === "verified") ? "done" : "open";
  },
  async connection(deps, setup) {
    const { status, activationRequestedAt = null } = (await readSetupConnection(deps, setup))?.connection ?? {};
    if (status === "active") return "done";
    return activationRequestedAt === null ? "open" : "waiting";
  },
  directory: async (_, { link }) => (link.directoryTokenAt === null ? "open" : "done"),
};

interface OverviewProps {
  readonly view: SetupLinkView;
  readonly states: readonly (readonly [SetupIntent, TaskState])[];
}

function OverviewBody({ view: { organizationName }, states }: OverviewProps) {
  const {
    finish: finishText,
    finishLead,
    open,
    overview,
    overviewLead,
    states: names,
    tasks,
    title,
  } = useView().t.ssoSetup;
  const next = states.find(([, state]) => state === "open")?.[0];
  return (
    <SetupFrame>
      <header class="head">
        <div>
          <h1>{title({ organization: organizationName })}</h1>
          <p class="soft">{overviewLead}</p>
        </div>
      </header>
      <Section title={overview}>
        <Rows>
          {states.map(([intent, state]) => (
            <Row
              key={intent}
              title={
                <>
                  {tasks[intent]} <Tag kind={TAGS[state]}>{names[state]}</Tag>
                </>
              }
            >
              <a
                class={intent === next ? "button primary" : "button"}
                href={SETUP_PATHS[intent]}
                aria-label={`${open}: ${tasks[intent]}`}
              >
                {open}
              </a>
            </Row>
          ))}
        </Rows>
      </Section>
      <Form action={SETUP} class="panel stack">
        <p class="soft">{finishLead}</p>
        <div class="actions">
          <Button name="step" value={finishByLink.step}>
            {finishText}
          </Button>
        </div>
      </Form>
      <Colleague />
    </SetupFrame>
  );
}
