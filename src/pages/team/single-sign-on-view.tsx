import { recordName, recordValue } from "../../flows/organization-domains/manage.ts";
import { DOMAIN_LOST_AFTER_MS } from "../../limits/sso-limits.ts";
import type { OrganizationDomain } from "../../models/organization-domain/organization-domain.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { CopyResults, CopyRow } from "../components/copy.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Rows, Section, Tag, Time } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView, type View } from "../view.tsx";

export const DOMAINS = "/team/single-sign-on";

/** The result of a check that was requested on the page. */
export interface CheckedView {
  readonly id: string;
  readonly found: readonly string[];
  readonly result: "verified" | "waiting" | "missing" | "noResponse";
}

interface SingleSignOnProps {
  readonly profile: Profile;
  readonly domains: readonly OrganizationDomain[];
  /** Text in place of the page, for a caller without permission. */
  readonly problem: string | undefined;
  /** The user has stepped up. */
  readonly canEdit: boolean;
  readonly state: FormState;
  readonly checked: CheckedView | undefined;
}

export function SingleSignOnBody({ profile, domains, problem, canEdit, state, checked }: SingleSignOnProps) {
  const { t } = useView();
  const { singleSignOn } = t;
  return (
    <Shell at={DOMAINS} profile={profile}>
      <h1>{singleSignOn.title}</h1>
      {problem ? (
        <p class="soft">{problem}</p>
      ) : (
        <>
          <Section title={singleSignOn.domains} lead={singleSignOn.domainsLead}>
            {canEdit ? <AddForm state={state} /> : <StepUpFirst />}
            {domains.length === 0 && (
              <Rows>
                <Empty text={singleSignOn.noDomains} />
              </Rows>
            )}
          </Section>
          {domains.map((domain) => (
            <DomainSection
              key={domain.id}
              domain={domain}
              canEdit={canEdit}
              checked={checked?.id === domain.id ? checked : undefined}
            />
          ))}
          <CopyResults />
        </>
      )}
    </Shell>
  );
}

function StepUpFirst() {
  const { t } = useView();
  return (
    <p class="note">
      {t.singleSignOn.readOnly} <a href={stepUpPath(DOMAINS)}>{t.clients.stepUp}</a>
    </p>
  );
}

function AddForm({ state }: { readonly state: FormState }) {
  const { t } = useView();
  const { domain, domainHint, add } = t.singleSignOn;
  return (
    <Form action={DOMAINS} class="bar" novalidate>
      <Field name="domain" label={domain} hint={domainHint} state={state} autocomplete="off" />
      <Button kind="primary" name="step" value="add">
        {add}
      </Button>
    </Form>
  );
}

interface DomainProps {
  readonly domain: OrganizationDomain;
  readonly canEdit: boolean;
  readonly checked: CheckedView | undefined;
}

const TAG_KINDS = { pending: "plain", verified: "good", failing: "warn", lost: "bad" } as const;

function DomainSection({ domain, canEdit, checked }: DomainProps) {
  const view = useView();
  const { singleSignOn: t, common } = view.t;
  const { id, domain: name, status, checkedAt } = domain;
  return (
    <section id={id} aria-labelledby={`name-${id}`}>
      <h2 id={`name-${id}`}>
        {name} <Tag kind={TAG_KINDS[status]}>{t.statuses[status]}</Tag>
      </h2>
      <p class="soft lead">
        {adviceOf(view, domain)} {checkedAt ? <CheckedTime at={checkedAt} /> : `(${t.neverChecked})`}
      </p>
      {checked && <CheckResult checked={checked} />}
      <Rows>
        <CopyRow id={`record-name-${id}`} label={`${t.record}: ${t.recordName}`} text={recordName(name)} />
        <CopyRow id={`record-value-${id}`} label={`${t.record}: ${t.recordValue}`} text={recordValue(domain.token)} />
      </Rows>
      {canEdit && (
        <div class="actions">
          <Form action={`${DOMAINS}#${id}`}>
            <input type="hidden" name="id" value={id} />
            <Button name="step" value="check" label={t.checkNamed(name)}>
              {t.checkNow}
            </Button>
          </Form>
          <a
            class="button bad"
            href={pathWith(`${DOMAINS}/confirm`, { step: "remove", id })}
            data-confirm="yes"
            aria-label={t.removeTitle(name)}
          >
            {common.remove}
          </a>
        </div>
      )}
    </section>
  );
}

function CheckedTime({ at }: { readonly at: Date }) {
  const { t } = useView();
  return (
    <>
      ({t.singleSignOn.checked} <Time at={at} />)
    </>
  );
}

/** The next step of the administrator. */
function adviceOf({ t, dates }: View, { status, conflict, missingSince }: OrganizationDomain): string {
  const { conflictText, failingText, lostText, pendingText, verifiedText } = t.singleSignOn;
  if (status === "pending") return conflict ? conflictText : pendingText;
  if (status === "lost") return lostText;
  if (status === "verified" || missingSince === null) return verifiedText;
  return failingText(dates.day(new Date(missingSince.getTime() + DOMAIN_LOST_AFTER_MS)));
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
