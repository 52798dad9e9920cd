/** The organizations that the user can join by a verified domain, on `/account` (docs/contract.md, section 34.3). */
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type JoinDeps, joinByDomain, listJoinableOrganizations } from "../../flows/domain-join/join-organization.ts";
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import type { SessionView } from "../../models/session/session.ts";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Row, Tag } from "../components/lists.tsx";
import { type AuthenticatedCall, uuidIn } from "../page.ts";
import { useView } from "../view.tsx";

export const JOIN = "join";
const NOT_HERE = refusal("forbidden", "This session joins no organization.");

/** A session of single sign-on stays in its organization, and a session without a required factor joins none. */
function mayJoin({ organizationBound, enrolmentOnly }: SessionView): boolean {
  return !(organizationBound || enrolmentOnly);
}

export async function readJoinable(
  deps: Pick<JoinDeps, "addressKey" | "clock" | "database">,
  session: SessionView,
): Promise<readonly JoinableOrganization[]> {
  return mayJoin(session) ? await listJoinableOrganizations(deps, session) : [];
}

/** Joins, or asks to join; returns the result to display. */
export async function joinDisplayed(
  deps: JoinDeps,
  { caller: { session }, form, client }: AuthenticatedCall,
): Promise<Result<"join_requested" | "joined", Refusal>> {
  if (!mayJoin(session)) return err(NOT_HERE);
  const input = { session, organizationId: uuidIn(form.text("organization_id")), client };
  const joined = await joinByDomain(deps, input);
  if (!joined.ok) return joined;
  return ok(joined.value.status === "joined" ? "joined" : "join_requested");
}

interface JoinableProps {
  /** The page with the form. */
  readonly action: string;
  readonly joinable: readonly JoinableOrganization[];
}

export function JoinableRows({ action, joinable }: JoinableProps) {
  return (
    <>
      {joinable.map((organization) => (
        <JoinableRow key={organization.organizationId} action={action} organization={organization} />
      ))}
    </>
  );
}

interface RowProps {
  readonly action: string;
  readonly organization: JoinableOrganization;
}

function JoinableRow({ action, organization: { organizationId, name, domain, mode, request } }: RowProps) {
  const { t } = useView();
  const { ask, askOf, asks, denied, deniedHint, join, joinOf, openTo, requested } = t.joining;
  const details = mode === "join" ? openTo({ domain }) : asks({ domain });
  const isAsking = mode === "ask";
  return (
    <Row tile={<Tile name="building" />} title={name} details={isAsking && request === "denied" ? deniedHint : details}>
      {isAsking && request !== null ? (
        <Tag>{request === "open" ? requested : denied}</Tag>
      ) : (
        <Form action={action}>
          <input type="hidden" name="organization_id" value={organizationId} />
          <Button name="step" value={JOIN} label={isAsking ? askOf({ name }) : joinOf({ name })}>
            {isAsking ? ask : join}
          </Button>
        </Form>
      )}
    </Row>
  );
}
