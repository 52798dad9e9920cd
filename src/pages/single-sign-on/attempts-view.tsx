import type { SsoReason } from "../../flows/sso/sign-in/refusals.ts";
import type { SsoAttempt } from "../../models/sso-connection/attempt.ts";
import { EmptyBox, Pages, Tag, Time } from "../components/lists.tsx";
import { Cell, Table } from "../components/table.tsx";
import { textAt } from "../page.ts";
import { useView } from "../view.tsx";
import { connectionPath } from "./paths.ts";
import type { ConnectionViewModel } from "./view-model.ts";

/** The last sign-ins through a connection, with a sentence for every reason. */
export function AttemptsSection({
  viewModel: { attempts, connection },
}: {
  readonly viewModel: Pick<ConnectionViewModel, "attempts" | "connection">;
}) {
  const { t } = useView();
  const { attemptsLead, noAttempts, result, sections, time } = t.ssoConnections;
  if (!attempts) return null;
  return (
    <section class="stack" aria-label={sections.attempts}>
      <p class="soft">{attemptsLead}</p>
      {attempts.items.length === 0 ? (
        <EmptyBox icon="audit" text={noAttempts} />
      ) : (
        <Table label={sections.attempts} columns={[result, t.common.email, time]}>
          {attempts.items.map((attempt) => (
            <AttemptRow key={attempt.id} attempt={attempt} />
          ))}
        </Table>
      )}
      <Pages {...attempts} path={connectionPath(connection.id, "attempts")} />
    </section>
  );
}

function AttemptRow({ attempt: { at, outcome, reason, warning, email, requestId } }: { readonly attempt: SsoAttempt }) {
  const { t } = useView();
  const { refused, requestId: requestLabel, succeeded, time, warnings } = t.ssoConnections;
  const reasons: Readonly<Record<SsoReason, string>> = t.ssoConnections.reasons;
  return (
    <tr>
      <Cell>
        {outcome === "success" ? (
          <Tag kind="good">{succeeded}</Tag>
        ) : (
          <>
            <Tag kind="bad">{refused}</Tag> {/* A later release may have further reasons. */}
            <p>{textAt(reasons, reason ?? "") ?? <code>{reason}</code>}</p>
          </>
        )}
        {warning && <p>{warnings[warning]}</p>}
        <p class="soft small">
          {requestLabel} <code class="whole-id">{requestId}</code>
        </p>
      </Cell>
      <Cell label={t.common.email}>
        <span class="cut" title={email ?? undefined}>
          {email ?? "–"}
        </span>
      </Cell>
      <Cell label={time}>
        <Time at={at} />
      </Cell>
    </tr>
  );
}
