/** Sessions by device, and trusted browsers. */

import { locationText } from "../../vocabulary/location.ts";
import { confirmPath } from "../action.ts";
import { useDevice } from "../components/device.ts";
import { Button, Form } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Empty, Pages, Row, Rows, Setting, Tag, Time, Until } from "../components/lists.tsx";
import { Rename } from "../components/rename.tsx";
import { useView } from "../view.tsx";
import { forgetBrowser, renameSession, revokeSession, revokeSessions } from "./actions.ts";
import { type DeviceSessions, groupByDevice } from "./group-sessions.ts";
import { SECURITY, type SecurityViewModel } from "./view-model.ts";

interface SectionProps {
  readonly viewModel: SecurityViewModel;
}

export function SessionSection({ viewModel: { sessions } }: SectionProps) {
  const { t } = useView();
  return (
    <Setting title={t.security.sessions} lead={t.security.sessionsLead}>
      <Rows>
        {groupByDevice(sessions.items).map((group) => (
          <DeviceRow key={group.latest.id} group={group} />
        ))}
        {sessions.total > 1 && (
          <Empty text={t.security.sessionCount({ count: sessions.total })}>
            <a class="button bad" href={confirmPath(SECURITY, revokeSessions)} data-confirm="yes">
              {t.security.endOthers}
            </a>
          </Empty>
        )}
      </Rows>
      <Pages {...sessions} path={SECURITY} />
    </Setting>
  );
}

function DeviceRow({ group }: { readonly group: DeviceSessions }) {
  const { t, dates } = useView();
  const device = useDevice();
  const { latest, isCurrent, sessions, others } = group;
  const title = latest.name ?? device(latest.userAgent);
  const label = [title, latest.lastIpAddress, dates.relative(latest.lastUsedAt)].filter(Boolean).join(", ");
  return (
    <Row
      tile={<Tile name={isHandheld(latest.device.system) ? "phone" : "laptop"} />}
      title={
        <>
          {title} {isCurrent && <Tag>{t.common.thisDevice}</Tag>}
        </>
      }
      details={<DeviceDetails group={group} />}
    >
      <div class="actions">
        <Rename id={`session-${latest.id}`} name={title} action={SECURITY} step={renameSession.step}>
          {sessions.map(({ id }) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
        </Rename>
        {others.length > 0 && (
          <Form action={SECURITY}>
            {others.map(({ id }) => (
              <input key={id} type="hidden" name="id" value={id} />
            ))}
            <Button name="step" value={revokeSession.step} label={`${t.signOut.action}: ${label}`}>
              {t.signOut.action}
            </Button>
          </Form>
        )}
      </div>
    </Row>
  );
}

function DeviceDetails({ group: { latest, sessions, firstSeenAt } }: { readonly group: DeviceSessions }) {
  const { t } = useView();
  const device = useDevice();
  const place = locationText(latest.location);
  return (
    <>
      {latest.name && `${device(latest.userAgent)} · `}
      {place && `${place} · `}
      <span class="mono">{latest.lastIpAddress}</span> · {t.security.used} <Time at={latest.lastUsedAt} />
      {" · "}
      {t.security.firstSeen} <Time at={firstSeenAt} />
      {sessions.length > 1 && ` · ${t.security.sessionCount({ count: sessions.length })}`}
    </>
  );
}

function isHandheld(system: string | null): boolean {
  return system === "iPhone" || system === "iPad" || system === "Android";
}

export function BrowserSection({ viewModel: { browsers } }: SectionProps) {
  const { t } = useView();
  const device = useDevice();
  const nameOf = ({ name, userAgent }: SecurityViewModel["browsers"]["items"][number]) => name ?? device(userAgent);
  return (
    <Setting title={t.security.browsers} lead={t.security.browsersLead}>
      <Rows>
        {browsers.items.map((browser) => (
          <Row
            key={browser.id}
            tile={<Tile name={isHandheld(browser.device.system) ? "phone" : "laptop"} />}
            title={nameOf(browser)}
            details={
              <>
                {browser.location && `${locationText(browser.location)} · `}
                <span class="mono">{browser.lastIpAddress}</span> · <Until at={browser.expiresAt} />
              </>
            }
          >
            <Form action={SECURITY}>
              <input type="hidden" name="id" value={browser.id} />
              <Button
                name="step"
                value={forgetBrowser.step}
                label={`${t.security.forget}: ${[nameOf(browser), browser.ipAddress].filter(Boolean).join(", ")}`}
              >
                {t.security.forget}
              </Button>
            </Form>
          </Row>
        ))}
        {browsers.items.length === 0 && <Empty text={t.security.noBrowsers} />}
      </Rows>
    </Setting>
  );
}
