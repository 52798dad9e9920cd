import { invalidInput } from "../../base/invalid-input.ts";
import { refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import type { Deps } from "../../deps.ts";
import { nameIds, type Parties } from "../../flows/audit/name-parties.ts";
import { type Explanation, explainRequest } from "../../flows/operations/explain.ts";
import type { RecordedDecision } from "../../models/decision/decision.ts";
import { Button, Field, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Tag } from "../components/lists.tsx";
import { Facts } from "../components/table.tsx";
import { type Page, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "./console.tsx";

const REQUESTS = "/admin/requests";
/** Responses with this status and above are problems. */
const FIRST_PROBLEM_STATUS = 400;
/** A pasted id and the surrounding space. */
const ID_MAX_CHARACTERS = 64;
const BAD_ID = invalidInput("id", "format", "not a request id");
const NOT_AN_ID = refusal("not_found", "This is no request id.");

/** Path of the page that explains a request. */
export function requestPath(requestId: string): string {
  return `${REQUESTS}/${requestId}`;
}

/** `/admin/requests`: asks for the id of a request. */
export function requestsPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: REQUESTS,
    get(call: ConsoleCall) {
      const { query, view } = call;
      const id = query.text("id").slice(0, ID_MAX_CHARACTERS).replaceAll("\0", "").trim();
      if (isUuid(id)) return seeOther(requestPath(id.toLowerCase()));
      const [state, parts] =
        id === "" ? [{}, {}] : [{ values: { id }, errors: { id: view.t.requests.badId } }, refusedParts(BAD_ID)];
      return showConsole(call, {
        at: REQUESTS,
        title: view.t.requests.title,
        body: <Question state={state} />,
        ...parts,
      });
    },
  });
}

function Question({ state }: { readonly state: FormState }) {
  const { t } = useView();
  return (
    <>
      <header class="head">
        <h1>{t.requests.title}</h1>
        <p class="soft">{t.requests.lead}</p>
      </header>
      <form class="panel stack" method="get" action={REQUESTS}>
        <Field name="id" label={t.requests.id} state={state} autofocus />
        <Button kind="primary">{t.requests.explain}</Button>
      </form>
    </>
  );
}

/** `/admin/requests/:request_id`: the reasons for the response to a request, as in the command `explain`. */
export function requestPage(deps: SignedInUserDeps & Pick<Deps, "database" | "reads">): Page {
  return consolePage(deps, {
    path: "/admin/requests/:request_id",
    async get(call: ConsoleCall) {
      const { admin: caller, params, view } = call;
      const requestId = params.request_id ?? "";
      if (!isUuid(requestId)) return refuseConsole(call, NOT_AN_ID, REQUESTS);
      const explained = await explainRequest(deps, { caller, requestId });
      if (!explained.ok) {
        if (explained.error.code !== "not_found") return refuseConsole(call, explained.error, REQUESTS);
        const state = { values: { id: requestId }, errors: { id: view.t.requests.notRecorded } };
        const parts = refusedParts(explained.error);
        return showConsole(call, {
          at: REQUESTS,
          title: view.t.requests.title,
          body: <Question state={state} />,
          ...parts,
        });
      }
      const parties = await partiesOf(deps, call, explained.value);
      const body = <ExplanationBody explanation={explained.value} parties={parties} />;
      return showConsole(call, { at: REQUESTS, title: view.t.requests.title, body, inside: true });
    },
  });
}

/** Existing users and organizations of the request. The caller may also have been a key. */
async function partiesOf(
  deps: Pick<Deps, "reads">,
  { admin }: ConsoleCall,
  { requests, events }: Explanation,
): Promise<Parties> {
  const users = [...requests.map(({ userId }) => userId), ...events.map(({ actorId }) => actorId)];
  return await nameIds(
    deps,
    admin,
    users,
    [...requests, ...events].map(({ organizationId }) => organizationId),
  );
}

interface ExplanationProps {
  readonly explanation: Explanation;
  readonly parties: Parties;
}

function ExplanationBody({ explanation, parties }: ExplanationProps) {
  const { t } = useView();
  const { requestId, requests, sentences } = explanation;
  return (
    <>
      <SubPageHead above={[{ href: REQUESTS, text: t.requests.title }]} title={requestId} mono />
      {requests.map((request) => (
        <RequestBox key={request.at.toISOString()} request={request} />
      ))}
      <section class="box" aria-labelledby="explanation">
        <header>
          <h2 id="explanation">{t.requests.explanation}</h2>
        </header>
        {/* The text is English, as in the command line and the API. */}
        <ul class="rows" lang="en">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {parties.users.size + parties.organizations.size > 0 && <PartyLinks parties={parties} />}
      </section>
    </>
  );
}

function RequestBox({ request }: { readonly request: RecordedDecision }) {
  const { t, dates } = useView();
  const { at, method, route, status, code, network, durationMs } = request;
  return (
    <section class="box">
      <header>
        <h2 class="mono">
          {method} {route}
        </h2>
        <Tag kind={status < FIRST_PROBLEM_STATUS ? "good" : "bad"}>{status}</Tag>
      </header>
      <Facts
        details={[
          [t.audit.when, <time dateTime={at.toISOString()}>{dates.exact(at)}</time>],
          [t.requests.duration, `${dates.number(Math.ceil(durationMs))} ms`],
          [t.requests.code, code === null ? "–" : <span class="mono">{code}</span>],
          [t.requests.address, network ?? "–"],
        ]}
      />
    </section>
  );
}

/** The users and organizations of the request, and of its events. */
function PartyLinks({ parties }: Pick<ExplanationProps, "parties">) {
  return (
    <footer class="links">
      {[...parties.users].map(([id, email]) => (
        <a key={id} href={`/admin/users/${id}`}>
          {email}
        </a>
      ))}
      {[...parties.organizations].map(([id, name]) => (
        <a key={id} href={`/admin/organizations/${id}`}>
          {name}
        </a>
      ))}
    </footer>
  );
}
