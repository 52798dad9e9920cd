import { AUDIT_ACTIONS, type AuditAction } from "../../../vocabulary/audit-action.ts";

/** The filters of the audit trail, of the whole trail or of one organization or user. */

import { AUDIT_SEARCHED_MAX } from "../../../limits/audit-limits.ts";
import { AUDIT } from "../../addresses.ts";
import { Filters, type SelectFilter } from "../../components/filters.tsx";
import { pathWith } from "../../page.ts";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import { type AuditFilters, type AuditPath, PERIODS } from "./audit-filters.ts";
import { eventName } from "./entry.tsx";

interface FiltersFormProps {
  readonly filters: AuditFilters;
}

export function AuditFiltersForm({ filters, trail = AUDIT }: FiltersFormProps & { readonly trail?: AuditPath }) {
  const { t } = useView();
  const { outcome, period, user_id, organization_id, from, to } = filters;
  return (
    <Filters
      path={trail}
      search={{ label: t.events.search, q: filters.q }}
      beside={<ActorField value={filters.actor} />}
      selects={[outcomeFilter(t, outcome), periodFilter(t, period)]}
      kept={{ user_id, organization_id }}
      filtered={Object.values({ ...filters, period: "" }).some((value) => value !== "")}
    >
      <EventSelect value={filters.action} />
      <div class="days">
        <Bound name="from" label={t.audit.from} value={from} />
        <Bound name="to" label={t.audit.to} value={to} />
      </div>
    </Filters>
  );
}

/** `place` and `kept`: the page of the organization or user, and the section of the page. */
export function SectionFilters(
  props: FiltersFormProps & { readonly place: string; readonly kept: { section: string } },
) {
  const { t } = useView();
  const { filters, place, kept } = props;
  const { q, outcome, action } = filters;
  return (
    <Filters
      path={place}
      search={{ label: t.events.search, q }}
      selects={[outcomeFilter(t, outcome)]}
      kept={kept}
      clear={pathWith(place, kept)}
      filtered={q !== "" || outcome !== "" || action !== ""}
    >
      <EventSelect value={action} />
    </Filters>
  );
}

function outcomeFilter(t: Texts, value: string): SelectFilter {
  const { result, anyResult, succeeded, failed } = t.events;
  const options = [
    ["", anyResult],
    ["success", succeeded],
    ["failure", failed],
  ] as const;
  return { name: "outcome", label: result, value, options };
}

function periodFilter(t: Texts, value: string): SelectFilter {
  const { today, yesterday, day, week, month, all } = t.audit;
  const names = { today, yesterday, day, week, month, all, custom: t.events.custom };
  return {
    name: "period",
    label: t.events.period,
    value,
    options: PERIODS.map((each) => [each, names[each]] as const),
  };
}

function ActorField({ value }: { readonly value: string }) {
  const { actorFilter } = useView().t.events;
  return (
    <div class="inset">
      <input name="actor" type="search" value={value} aria-label={actorFilter} placeholder={actorFilter} />
    </div>
  );
}

/** How far back a search by text reads. */
export function SearchBound({ q }: Pick<AuditFilters, "q">) {
  const { t, dates } = useView();
  return q === "" ? null : <p class="soft">{t.events.searchBound({ count: dates.number(AUDIT_SEARCHED_MAX) })}</p>;
}

type Noun<Action extends string> = Action extends `${infer First}.${string}` ? First : never;
/** Imported users are in the group of users; the sign-ins of all credential kinds are a group of their own. */
type EventGroup = `${Exclude<Noun<AuditAction>, "users">}.*` | "change.*" | "sign_in.*";

/** Groups of actions, then the single actions. A group without a text does not compile. */
function EventSelect({ value }: { readonly value: string }) {
  const { t } = useView();
  const groups: Readonly<Record<EventGroup, string>> = t.events.groupNames;
  return (
    <select name="action" aria-label={t.audit.action}>
      <option value="">{t.events.anyEvent}</option>
      <optgroup label={t.events.groups}>
        {Object.entries(groups).map(([group, text]) => (
          <option key={group} value={group} selected={group === value}>
            {text}
          </option>
        ))}
      </optgroup>
      <optgroup label={t.events.single}>
        {AUDIT_ACTIONS.map((action) => (
          <option key={action} value={action} selected={action === value}>
            {eventName(t, action)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

/** A bound of the custom period. */
function Bound({ name, label, value }: { readonly name: string; readonly label: string; readonly value: string }) {
  return (
    <label class="soft">
      {label} <input type="datetime-local" name={name} value={value} />
    </label>
  );
}
