/** The test of a connection: the button, and the latest result in words. */
import type { ConnectionTestView } from "../../flows/sso/tests/read.ts";
import type { CheckOutcome, TestCheck, TestCheckName, TestResult } from "../../flows/sso/tests/test-result.ts";
import { Button, Form } from "../components/form.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Time } from "../components/lists.tsx";
import { Details } from "../components/table.tsx";
import { textAt } from "../page.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { testConnection } from "./connection-actions.ts";
import type { ConnectionViewModel } from "./view-model.ts";

interface TestProps {
  readonly viewModel: ConnectionViewModel;
  /** The connection has the settings that a test needs. */
  readonly isComplete: boolean;
}

/** A younger result is what the reader came for: the browser has just returned from the identity provider. */
const NEW_RESULT_MS = 60_000;

export function TestPart({ viewModel: { connection, test, canEdit, place, now }, isComplete }: TestProps) {
  const { t } = useView();
  const { again, start } = t.ssoTests;
  if (!isComplete)
    return <p class="note">{connection.protocol === "saml" ? t.saml.incomplete : t.ssoTests.incomplete}</p>;
  return (
    <>
      {test && <TestResultBox test={test} now={now} />}
      {canEdit && (
        <Form action={place}>
          <Button kind={test ? "plain" : "primary"} name="step" value={testConnection.step}>
            {test ? again : start}
          </Button>
        </Form>
      )}
    </>
  );
}

interface TestResultProps {
  readonly test: ConnectionTestView;
  readonly now: Date;
}

function TestResultBox({ test: { succeeded, isCurrent, result }, now }: TestResultProps) {
  const { t } = useView();
  const isNew = now.getTime() - Date.parse(result.at) < NEW_RESULT_MS;
  const { failed, last, outdated, passed } = t.ssoTests;
  return (
    <div class="box">
      <header>
        <div>
          <h3 tabIndex={-1} autofocus={isNew}>
            {succeeded ? passed : failed}
          </h3>
          <p class="soft">
            {last} <Time at={new Date(result.at)} />
          </p>
        </div>
      </header>
      {!isCurrent && (
        <div class="in">
          <p class="note warn">{outdated}</p>
        </div>
      )}
      <ul class="rows">
        {result.checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
      <ResultDetails result={result} />
    </div>
  );
}

const DOTS: Readonly<Record<CheckOutcome, readonly [kind: string, icon: IconName]>> = {
  pass: ["dot good", "check"],
  warning: ["dot warn", "warning"],
  fail: ["dot bad", "close"],
  skipped: ["dot", "dots"],
};

/** Names of the protocol. */
const SAML_CHECKS = {
  too_large: "SAMLResponse",
  not_xml: "XML",
  structure: "Schema",
  status: "StatusCode",
  signature: "Signature",
  key: "X509Certificate",
  decryption: "EncryptedAssertion",
  destination: "Destination",
  recipient: "Recipient",
  audience: "AudienceRestriction",
  in_response_to: "InResponseTo",
  time: "NotOnOrAfter",
  condition: "Conditions",
  replayed: "Assertion ID",
};

function CheckRow({ check: { name, outcome, detail } }: { readonly check: TestCheck }) {
  const { t } = useView();
  const [kind, icon] = DOTS[outcome];
  const checks: Readonly<Record<TestCheckName, string>> = {
    ...SAML_CHECKS,
    ...t.ssoTests.checks,
    implementations_disagree: t.saml.secondImplementation,
  };
  const hint = outcome === "fail" || outcome === "warning" ? hintOf(t, name) : undefined;
  return (
    <li>
      <span class={kind}>
        <Icon name={icon} small />
        <span class="sr">{t.ssoTests.outcomes[outcome]}</span>
      </span>
      <div class="what">
        <div>{checks[name]}</div>
        {hint && <small>{hint}</small>}
        {outcome === "fail" && detail && (
          <small lang="en">
            <code>{detail}</code>
          </small>
        )}
      </div>
    </li>
  );
}

/** The checks of the response have the sentences of the reasons of refused sign-ins. */
function hintOf({ ssoConnections, ssoTests }: Texts, name: TestCheckName): string | undefined {
  const { reasons } = ssoConnections;
  return textAt({ ...reasons, email_verified: reasons.email_not_verified, ...ssoTests.hints }, name);
}

function ResultDetails({ result: { mapping, effect, claims } }: { readonly result: TestResult }) {
  const { t } = useView();
  const { effect: effectTitle, effects, mapping: mappingTitle, received } = t.ssoTests;
  const reasons: Readonly<Record<string, string>> = t.ssoConnections.reasons;
  return (
    <>
      {effect && (
        <div class="in">
          <h3>{effectTitle}</h3>
          <p>
            {effects[effect.outcome]} {effect.reason && reasons[effect.reason]}
          </p>
        </div>
      )}
      {mapping && (
        <div class="in">
          <h3>{mappingTitle}</h3>
          <Details details={mappingDetails(t, mapping, effect?.role ?? null)} />
        </div>
      )}
      {claims.length > 0 && (
        <details class="in">
          <summary>{received}</summary>
          <Details details={claims.map(({ name, value }) => [name, <code key={name}>{value}</code>] as const)} />
        </details>
      )}
    </>
  );
}

function mappingDetails(
  { common, roles, ssoConnections: { claims }, ssoTests: t }: Texts,
  { subject, email, display_name: name, groups, attributes, aal }: NonNullable<TestResult["mapping"]>,
  role: string | null,
): readonly (readonly [string, string])[] {
  return [
    [t.subject, subject],
    [common.email, email ?? "–"],
    [claims.display_name_from, name ?? "–"],
    [claims.groups_from, groups.join(", ") || "–"],
    ...Object.entries(attributes),
    [t.role, role === null ? "–" : (textAt(roles, role) ?? role)],
    [t.twoStep, aal === "aal2" ? t.yes : t.no],
  ];
}
