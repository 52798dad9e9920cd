/** The organizations that the user can join by a verified domain, on `/account` (docs/contract.md, section 34.3). */
import type { JoinableOrganization } from "../../models/domain-join/joinable-organization.ts";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Row, Tag } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { joinOrganization } from "./account-actions.ts";

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
          <Button name="step" value={joinOrganization.step} label={isAsking ? askOf({ name }) : joinOf({ name })}>
            {isAsking ? ask : join}
          </Button>
        </Form>
      )}
    </Row>
  );
}
