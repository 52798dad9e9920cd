import { timeZones } from "../../base/time-zones.ts";
import { Button, Form } from "../components/form.tsx";
import { Row } from "../components/lists.tsx";
import { useView } from "../view.tsx";

/** The value of the form's `step`. */
export const SAVE_TIME_ZONE = "time-zone";

/** The time zone of an account. Without a zone, scripts select the zone of the browser (islands/time-zone.ts). */
export function TimeZoneRow({ action, timeZone }: { readonly action: string; readonly timeZone: string | null }) {
  const { t } = useView();
  const names = timeZones();
  const isUnlisted = timeZone !== null && !names.includes(timeZone);
  return (
    <Row title={t.account.timeZone} details={t.account.timeZoneLead}>
      <Form action={action} class="inline">
        <select name="time_zone" aria-label={t.account.timeZone} data-time-zone={timeZone === null ? "" : undefined}>
          <option value="">{t.account.noTimeZone}</option>
          {[...(isUnlisted ? [timeZone] : []), ...names].map((name) => (
            <option key={name} selected={name === timeZone}>
              {name}
            </option>
          ))}
        </select>
        <Button name="step" value={SAVE_TIME_ZONE} label={t.account.saveTimeZone}>
          {t.common.save}
        </Button>
      </Form>
    </Row>
  );
}
