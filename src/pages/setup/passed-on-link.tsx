/** A link that is passed on to a colleague. */
import { describeSetupLink } from "../../flows/sso/setup-links/begin.ts";
import { type PassedOnLink, passLinkOn } from "../../flows/sso/setup-links/pass-on.ts";
import { authorizeSetupLink } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { CopyResults, CopyRow } from "../components/copy.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Rows } from "../components/lists.tsx";
import { clearedSetupCookie, setupToken } from "../cookies.ts";
import { showPage } from "../html.tsx";
import type { PageCall } from "../page.ts";
import { publicActionsOf } from "../public-action.ts";
import { useView } from "../view.tsx";
import { endedLink, type SetupDeps, setupView } from "./parts.tsx";

interface PassOnInput {
  readonly deps: SetupDeps;
  readonly call: PageCall;
}

/** The new link is displayed once; this browser has no access any more. */
export const passOnByLink = publicActionsOf<PassOnInput>()({
  step: "pass-on",
  async run({ deps, call }) {
    const setup = await authorizeSetupLink(deps, setupToken(call.cookies));
    if (!setup.ok) return await endedLink(deps, call);
    const view = await setupView(deps, call, setup.value);
    const { link } = setup.value;
    const passed = await passLinkOn(deps, { setup: setup.value, client: call.client });
    if (!passed.ok) return await endedLink(deps, call);
    const { organizationName } = await describeSetupLink(deps, link);
    const title = view.t.ssoSetup.wizard.colleagueTitle;
    const body = <PassedOnBody passed={passed.value} organization={organizationName} />;
    return showPage(view, { title, body, islands: ["copy"], cookies: [clearedSetupCookie(deps.config)] });
  },
});

interface PassedOnProps {
  readonly passed: PassedOnLink;
  readonly organization: string;
}

/** The mail is written in the own program of the person: the service sends no mail to an address of a link. */
function PassedOnBody({ passed: { url, expiresAt }, organization }: PassedOnProps) {
  const { t, dates } = useView();
  const { linkTitle, title, wizard } = t.ssoSetup;
  const until = dates.minute(expiresAt);
  const subject = encodeURIComponent(title({ organization }));
  const body = encodeURIComponent(wizard.mailBody({ link: url, until }));
  return (
    <Stage>
      <StageHead title={wizard.colleagueTitle} icon="users" />
      <p>{wizard.passedOn({ until })}</p>
      <Rows>
        <CopyRow id="setup-link" label={linkTitle} text={url} />
      </Rows>
      <a class="button primary wide" href={`mailto:?subject=${subject}&body=${body}`}>
        {wizard.writeMail}
      </a>
      <CopyResults />
    </Stage>
  );
}
