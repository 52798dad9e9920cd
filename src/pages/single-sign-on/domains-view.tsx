import { DOMAIN_LOST_AFTER_MS } from "../../limits/sso-limits.ts";
import type { OrganizationDomain } from "../../models/organization-domain/organization-domain.ts";
import { recordName, recordValue } from "../../vocabulary/domain-record.ts";
import { confirmPath } from "../action.ts";
import { CopyRow } from "../components/copy.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Empty, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { useView, type View } from "../view.tsx";
import { addDomain, checkDomain, removeClaim } from "./actions.tsx";
import type { CheckedView } from "./domain-actions.ts";

interface DomainsProps {
  /** The page, which receives the forms. */
  readonly place: string;
  /** A person with a set-up link removes no domain. */
  readonly canRemove: boolean;
  readonly domains: readonly OrganizationDomain[];
  readonly state: FormState;
  readonly checked: CheckedView | undefined;
}

/** The domains of the organization with the states of their records. */
export function DomainsSection({ place, canRemove, domains, state, checked }: DomainsProps) {
  const { t } = useView();
  const { singleSignOn } = t;
  return (
    <>
      <Section id="domains" title={singleSignOn.domains} lead={singleSignOn.domainsLead}>
        <AddForm place={place} state={state} />
        {domains.length === 0 && (
          <Rows>
            <Empty text={singleSignOn.noDomains} />
          </Rows>
        )}
      </Section>
      {domains.map((domain) => (
        <DomainPart
          key={domain.id}
          place={place}
          canRemove={canRemove}
          domain={domain}
          checked={checked?.id === domain.id ? checked : undefined}
        />
      ))}
    </>
  );
}

function AddForm({ place, state }: Pick<DomainsProps, "place" | "state">) {
  const { t } = useView();
  const { domain, domainHint, add } = t.singleSignOn;
  return (
    <Form action={place} class="panel bar" novalidate>
      <Field name="domain" label={domain} hint={domainHint} state={state} autocomplete="off" />
      <Button kind="primary" name="step" value={addDomain.step}>
        {add}
      </Button>
    </Form>
  );
}

interface DomainProps extends Pick<DomainsProps, "place" | "canRemove"> {
  readonly domain: OrganizationDomain;
  readonly checked: CheckedView | undefined;
}

export const DOMAIN_TAGS = { pending: "plain", verified: "good", failing: "warn", lost: "bad" } as const;

function DomainPart({ place, canRemove, domain, checked }: DomainProps) {
  const view = useView();
  const { singleSignOn: t } = view.t;
  const { id, domain: name, status, checkedAt } = domain;
  return (
    <section id={id} class="box" aria-labelledby={`name-${id}`}>
      <header>
        <div>
          <h3 id={`name-${id}`}>
            {name} <Tag kind={DOMAIN_TAGS[status]}>{t.statuses[status]}</Tag>
          </h3>
          <p>{adviceOf(view, domain)}</p>
        </div>
      </header>
      {checked && (
        <div class="in">
          <CheckResult checked={checked} />
        </div>
      )}
      {status === "verified" ? (
        <details class="in">
          <summary>{t.record}</summary>
          <RecordRows domain={domain} />
        </details>
      ) : (
        <RecordRows domain={domain} />
      )}
      <footer>
        <span>{checkedAt ? <CheckedTime at={checkedAt} /> : t.neverChecked}</span>
        <DomainActions place={place} canRemove={canRemove} domain={domain} />
      </footer>
    </section>
  );
}

function DomainActions({ place, canRemove, domain: { id, domain } }: Omit<DomainProps, "checked">) {
  const { singleSignOn: t, common } = useView().t;
  return (
    <div class="actions">
      {canRemove && (
        <a
          class="button bad"
          href={confirmPath(place, removeClaim, { id })}
          data-confirm="yes"
          aria-label={`${common.remove}: ${domain}`}
        >
          {common.remove}
        </a>
      )}
      <Form action={`${place}#${id}`}>
        <input type="hidden" name="id" value={id} />
        <Button name="step" value={checkDomain.step} label={t.checkNamed({ domain })}>
          {t.checkNow}
        </Button>
      </Form>
    </div>
  );
}

function RecordRows({ domain: { id, domain, token } }: Pick<DomainProps, "domain">) {
  const { record, recordName: name, recordValue: value } = useView().t.singleSignOn;
  return (
    <Rows>
      <CopyRow id={`record-name-${id}`} label={`${record}: ${name}`} text={recordName(domain)} />
      <CopyRow id={`record-value-${id}`} label={`${record}: ${value}`} text={recordValue(token)} />
    </Rows>
  );
}

function CheckedTime({ at }: { readonly at: Date }) {
  const { t } = useView();
  return (
    <>
      {t.singleSignOn.checked} <Time at={at} />
    </>
  );
}

/** The next step of the administrator. */
function adviceOf({ t, dates }: View, { status, conflict, missingSince }: OrganizationDomain): string {
  const { conflictText, failingText, lostText, pendingText, verifiedText } = t.singleSignOn;
  if (status === "pending") return conflict ? conflictText : pendingText;
  if (status === "lost") return lostText;
  if (status === "verified" || missingSince === null) return verifiedText;
  return failingText({ date: dates.day(new Date(missingSince.getTime() + DOMAIN_LOST_AFTER_MS)) });
}

function CheckResult({ checked: { found, result } }: { readonly checked: CheckedView }) {
  const { t } = useView();
  return (
    <div class={result === "verified" ? "note good" : "note warn"} role="status">
      {t.singleSignOn.results[result]}
      {result === "missing" && found.length > 0 && (
        <>
          <p>{t.singleSignOn.found}</p>
          <ul class="mono">
            {found.map((value) => (
              <li key={value}>{value}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
