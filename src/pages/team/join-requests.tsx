/** The open requests to join by a verified domain, on `/team` (docs/contract.md, section 34.3). */
import type { JoinRequest } from "../../models/domain-join/join-request.ts";
import { confirmPath } from "../action.ts";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Row, Rows, Setting, Time, Until } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { approveJoin, denyJoin } from "./actions.ts";
import { applicantName } from "./open-requests.ts";
import { TEAM } from "./paths.ts";

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
    <Row tile={<Tile name="account" />} title={applicantName(request)} details={details}>
      <div class="actions">
        <Form action={TEAM}>
          <input type="hidden" name="id" value={id} />
          <Button name="step" value={approveJoin.step} label={approveOf({ name: applicantName(request) })}>
            {approve}
          </Button>
        </Form>
        <a
          class="button bad"
          href={confirmPath(TEAM, denyJoin, { id })}
          data-confirm="yes"
          aria-label={denyOf({ name: applicantName(request) })}
        >
          {deny}
        </a>
      </div>
    </Row>
  );
}
