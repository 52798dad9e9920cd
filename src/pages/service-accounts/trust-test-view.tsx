/** The result of a test of a token against a trust: every check. */
import type { AssertionTest } from "../../flows/oauth/programs/verify-assertion.ts";
import { ASSERTION_SHOWN_MAX_CHARACTERS } from "../../limits/federation-limits.ts";
import { Tag } from "../components/lists.tsx";
import { Cell, Table } from "../components/table.tsx";
import { useView } from "../view.tsx";

export function TrustTestView({ test, back }: { readonly test: AssertionTest; readonly back: string }) {
  const { t } = useView();
  const { accepted, refused, testAgain, check, expected, received, met, failed } = t.serviceAccounts.trusts;
  const title = test.accepted ? accepted : refused;
  return (
    <>
      <h1>{title}</h1>
      {test.reason && (
        <p class="soft">
          <code>{test.reason}</code>
        </p>
      )}
      <Table label={title} columns={[check, expected, received]}>
        {test.checks.map((each, index) => (
          <tr key={`${index} ${each.check}`}>
            <Cell>
              <span class="mono">{each.check}</span> <Tag kind={each.ok ? "good" : "bad"}>{each.ok ? met : failed}</Tag>
            </Cell>
            <Cell label={expected}>{each.expected}</Cell>
            <Cell label={received}>
              <span class="mono">{receivedText(each.received)}</span>
            </Cell>
          </tr>
        ))}
      </Table>
      <p>
        <a class="button" href={back}>
          {testAgain}
        </a>
      </p>
    </>
  );
}

/** A claim as JSON, of bounded length; a dash for an absent claim. */
function receivedText(received: unknown): string {
  if (received === undefined) return "–";
  return JSON.stringify(received).slice(0, ASSERTION_SHOWN_MAX_CHARACTERS).toWellFormed();
}
