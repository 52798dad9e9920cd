/** The open requests to join by a verified domain, on `/team` (docs/contract.md, section 34.3). */
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { clampPage, type Listing } from "../../database/listing.ts";
import { approveRequest, denyRequest, listOpenRequests } from "../../flows/domain-join/decide-request.ts";
import type { JoinDeps } from "../../flows/domain-join/join-organization.ts";
import { authorizePermission, holds, type MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { OPEN_JOIN_REQUESTS_MAX } from "../../limits/domain-join-limits.ts";
import type { JoinRequest } from "../../models/domain-join/join-request.ts";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Row, Rows, Setting, Time, Until } from "../components/lists.tsx";
import type { Question } from "../components/question.tsx";
import { type AuthenticatedCall, pathWith, uuidIn } from "../page.ts";
import { useView, type View } from "../view.tsx";

const PATH = "/team";
const APPROVE = "approve-join";
export const DENY_JOIN = "deny-join";
export type JoinStep = typeof APPROVE | typeof DENY_JOIN;

export function isJoinStep(step: string): step is JoinStep {
  return step === APPROVE || step === DENY_JOIN;
}

/** The open requests; none for a reader who cannot decide. */
export async function readJoinRequests(
  deps: Pick<JoinDeps, "clock" | "database">,
  caller: MemberCaller,
): Promise<readonly JoinRequest[]> {
  if (!holds(caller, "members.invite")) return [];
  return (await listAll(deps, caller)).items;
}

function listAll(deps: Pick<JoinDeps, "clock" | "database">, caller: MemberCaller): Promise<Listing<JoinRequest>> {
  return listOpenRequests(deps, caller, clampPage(1, OPEN_JOIN_REQUESTS_MAX));
}

/** Decides about a request; returns the result to display. */
export async function decideJoin(
  deps: JoinDeps,
  { caller: { session }, form, client }: AuthenticatedCall,
  step: JoinStep,
): Promise<Result<"approved" | "denied", Refusal>> {
  const caller = await authorizePermission(deps, session, session.organizationId, "members.invite");
  if (!caller.ok) return caller;
  const decision = { caller: caller.value, id: uuidIn(form.text("id")), client };
  const decided = step === APPROVE ? await approveRequest(deps, decision) : await denyRequest(deps, decision);
  if (!decided.ok) return decided;
  return ok(step === APPROVE ? "approved" : "denied");
}

/** Asks before a denial, which keeps the user out for a time. */
export async function askDenial(
  deps: Pick<JoinDeps, "clock" | "database">,
  caller: MemberCaller,
  { t: { joining } }: View,
  id: string,
): Promise<Question | undefined> {
  const request = (await listAll(deps, caller)).items.find((each) => each.id === id);
  return request && { title: joining.denyTitle(nameOf(request)), text: joining.denyText, action: joining.deny };
}

function nameOf({ displayName, email }: JoinRequest): string {
  return displayName ?? email;
}

export function JoinRequestSection({ requests }: { readonly requests: readonly JoinRequest[] }) {
  const { t } = useView();
  if (requests.length === 0) return null;
  return (
    <Setting title={t.joining.title} lead={t.joining.lead}>
      <Rows>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </Rows>
    </Setting>
  );
}

function RequestRow({ request }: { readonly request: JoinRequest }) {
  const { t } = useView();
  const { approve, approveOf, asked, deny, denyOf } = t.joining;
  const { id, email, displayName, createdAt, expiresAt } = request;
  const details = (
    <>
      {displayName && `${email} · `}
      {asked} <Time at={createdAt} /> · <Until at={expiresAt} />
    </>
  );
  return (
    <Row tile={<Tile name="account" />} title={nameOf(request)} details={details}>
      <div class="actions">
        <Form action={PATH}>
          <input type="hidden" name="id" value={id} />
          <Button name="step" value={APPROVE} label={approveOf(nameOf(request))}>
            {approve}
          </Button>
        </Form>
        <a
          class="button bad"
          href={pathWith(`${PATH}/confirm`, { step: DENY_JOIN, id })}
          data-confirm="yes"
          aria-label={denyOf(nameOf(request))}
        >
          {deny}
        </a>
      </div>
    </Row>
  );
}
