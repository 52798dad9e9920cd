/** The steps of `/device`: the code, the comparison of a code in the address, the request of the device, the result. */

import type { FoundDevice } from "../../flows/oauth/device/find-request.ts";
import type { Profile } from "../../models/user/profile.ts";
import { ApplicationHead } from "../components/application.tsx";
import { Check } from "../components/check.tsx";
import { Button, Field, FieldError, Form, type FormState } from "../components/form.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { SWITCH_FIELD } from "./consent-view.tsx";
import type { DescribedScope } from "./describe-scopes.ts";
import { approveRequest, compareCode, DEVICE, denyRequest, findDevice, switchForDevice } from "./device-actions.ts";
import { AccessSection } from "./requested-access.tsx";

/** Asks for the code on the display of the device. */
export function CodeBody({ state }: { readonly state: FormState }) {
  const { t } = useView();
  const { device } = t.oauth;
  return (
    <Stage>
      <StageHead title={device.title} icon="laptop" />
      <p>{device.lead}</p>
      <Form action={DEVICE}>
        <input type="hidden" name="step" value={findDevice.step} />
        <Field
          name="user_code"
          label={device.code}
          hint={device.codeHint}
          state={state}
          code="text"
          maxlength={32}
          autofocus
        />
        <Button kind="primary" wide>
          {t.common.continue}
        </Button>
      </Form>
    </Stage>
  );
}

/** A code from the address: the user compares the code with the device before the request is displayed. */
export function CompareBody({ userCode, state }: { readonly userCode: string; readonly state: FormState }) {
  const { t } = useView();
  const { device } = t.oauth;
  return (
    <Stage>
      <StageHead title={device.title} icon="laptop" />
      <p>{device.compare}</p>
      <ul class="codes compare mono">
        <li>
          <strong>{userCode}</strong>
        </li>
      </ul>
      <Form action={DEVICE}>
        <input type="hidden" name="step" value={compareCode.step} />
        <input type="hidden" name="user_code" value={userCode} />
        <Check name="seen" label={device.seen} state={state} />
        <FieldError id="seen" text={state.errors?.seen} announced />
        <Button kind="primary" wide>
          {t.common.continue}
        </Button>
      </Form>
    </Stage>
  );
}

interface RequestProps extends FoundDevice {
  readonly profile: Profile;
  readonly organizationId: string;
  /** The requested scopes in the language of the user. */
  readonly scopes: readonly DescribedScope[];
  /**
   * The organizations of the user that the application serves. Undefined: the session is in such an organization, and
   * the user decides.
   */
  readonly served: readonly string[] | undefined;
}

/** The requesting application and device, and the requested access. The refusal is the first button. */
export function RequestBody(props: RequestProps) {
  const { request, client, profile, organizationId, scopes, served } = props;
  const view = useView();
  const { t } = view;
  const { device } = t.oauth;
  const organization = profile.organizations.find(({ id }) => id === organizationId)?.name ?? "";
  const access = { scopes, resources: request.resources };
  return (
    <Stage>
      <ApplicationHead client={client} title={device.confirmTitle} redirectUri={undefined} />
      <p class="note warn">
        <Icon name="warning" />
        <span>{device.warning}</span>
      </p>
      <ul class="rows compact">
        <Fact icon="account" text={profile.displayName ?? profile.email} detail={profile.email} />
        <Fact icon="building" text={organization} detail={t.oauth.organizationHint} />
        <Fact icon="globe" text={request.ipAddress ?? "–"} detail={device.address} />
        <li>
          <span class="tile">
            <Icon name="clock" />
          </span>
          <span class="what">
            <strong>
              <Time at={request.createdAt} />
            </strong>
            <small>{device.requested}</small>
          </span>
        </li>
      </ul>
      {served ? <ServedOrganizations {...props} served={served} /> : <AccessSection {...props} access={access} />}
      <Form action={DEVICE}>
        <input type="hidden" name="request" value={request.id} />
        <div class="actions spread">
          <Button name="step" value={denyRequest.step}>
            {t.oauth.deny}
          </Button>
          {!served && (
            <Button kind="primary" name="step" value={approveRequest.step}>
              {t.oauth.allow}
            </Button>
          )}
        </div>
      </Form>
    </Stage>
  );
}

/** The application serves named organizations, and the session is in no such organization. */
function ServedOrganizations({ request, profile, served }: RequestProps & { readonly served: readonly string[] }) {
  const { t } = useView();
  const offered = profile.organizations.filter(({ id }) => served.includes(id));
  if (offered.length === 0) return <p>{t.oauth.notServed}</p>;
  return (
    <>
      <p>{t.oauth.selectServed}</p>
      {offered.map(({ id, name }) => (
        <Form key={id} action={DEVICE}>
          <input type="hidden" name="request" value={request.id} />
          <input type="hidden" name={SWITCH_FIELD} value={id} />
          <Button wide name="step" value={switchForDevice.step} label={t.account.switchTo({ name })}>
            {name}
          </Button>
        </Form>
      ))}
    </>
  );
}

function Fact({ icon, text, detail }: { readonly icon: IconName; readonly text: string; readonly detail: string }) {
  return (
    <li>
      <span class="tile">
        <Icon name={icon} />
      </span>
      <span class="what">
        <strong>{text}</strong>
        {detail !== text && <small>{detail}</small>}
      </span>
    </li>
  );
}

export function DecidedBody({ decision }: { readonly decision: "approved" | "denied" }) {
  const { t } = useView();
  const { device } = t.oauth;
  return (
    <Stage>
      <StageHead title={device[`${decision}Title`]} icon={decision === "approved" ? "check" : "laptop"} />
      <p>{device[decision]}</p>
      <a class="button wide" href="/account">
        {t.common.continue}
      </a>
    </Stage>
  );
}
