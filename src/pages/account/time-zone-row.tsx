import { timeZones } from "../../base/time-zones.ts";
import { Button, Form } from "../components/form.tsx";
import { Row } from "../components/lists.tsx";
import { type Fields, pathWith } from "../page.ts";
import { useView } from "../view.tsx";
import { saveTimeZone } from "./account-actions.ts";

/** The query that displays the list of zones: the list alone weighs as much as the rest of the page. */
const EDIT = "time-zone";

export function editsTimeZone(query: Fields): boolean {
  return query.text("edit") === EDIT;
}

interface TimeZoneProps {
  readonly action: string;
  readonly timeZone: string | null;
}

/** The time zone of an account, with the form after a click. */
export function TimeZoneRow({ editing, ...props }: TimeZoneProps & { readonly editing: boolean }) {
  const { t } = useView();
  if (editing) return <TimeZoneForm {...props} />;
  const { action, timeZone } = props;
  return (
    <Row title={t.account.timeZone} details={timeZone ?? t.account.noTimeZone}>
      <a class="button" href={pathWith(action, { edit: EDIT })} aria-label={`${t.oauth.change}: ${t.account.timeZone}`}>
        {t.oauth.change}
      </a>
    </Row>
  );
}

/** Without a zone, scripts select the zone of the browser (islands/time-zone.ts). */
function TimeZoneForm({ action, timeZone }: TimeZoneProps) {
  const { t } = useView();
  const names = timeZones();
  const isUnlisted = timeZone !== null && !names.includes(timeZone);
  return (
    <Row title={t.account.timeZone} details={t.account.timeZoneLead}>
      <Form action={action} class="inline">
        <select
          name="time_zone"
          autofocus
          aria-label={t.account.timeZone}
          data-time-zone={timeZone === null ? "" : undefined}
        >
          <option value="">{t.account.noTimeZone}</option>
          {[...(isUnlisted ? [timeZone] : []), ...names].map((name) => (
            <option key={name} selected={name === timeZone}>
              {name}
            </option>
          ))}
        </select>
        <Button name="step" value={saveTimeZone.step} label={t.account.saveTimeZone}>
          {t.common.save}
        </Button>
      </Form>
    </Row>
  );
}
