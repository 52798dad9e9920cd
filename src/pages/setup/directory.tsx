import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { scimBaseUrl } from "../../flows/directories/directory-link.ts";
import { createSetupToken } from "../../flows/sso/setup-links/directory.ts";
import { authorizeSetupLink } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { CopyRow } from "../components/copy.tsx";
import { Button, Form } from "../components/form.tsx";
import { Rows, Section } from "../components/lists.tsx";
import { setupToken } from "../cookies.ts";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type Page, publicPage } from "../page.ts";
import { GuideFolds } from "../provisioning/guide-view.tsx";
import { NewKeyPanel } from "../provisioning/new-key.tsx";
import { useView } from "../view.tsx";
import { type SetupDeps, withSetup } from "./parts.tsx";
import { SETUP, SETUP_DIRECTORY } from "./paths.ts";
import { TaskFrame } from "./setup-frame.tsx";

/** `/setup/directory`: creates the one token of the directory, which is displayed once. */
export function setupDirectoryPage(deps: SetupDeps & SessionDeps & EmailDeps): Page {
  return publicPage({
    path: SETUP_DIRECTORY,
    readLimit: "public_reads",
    async get(call) {
      const authorized = await authorizeSetupLink(deps, setupToken(call.cookies), "directory");
      return await withSetup(deps, call, authorized, ({ link }, view) => {
        const body = <DirectoryBody isCreated={link.directoryTokenAt !== null} baseUrl={scimBaseUrl(deps)} />;
        return showPage(view, { title: view.t.ssoSetup.tasks.directory, body, islands: ["copy"] });
      });
    },
    async post(call) {
      const authorized = await authorizeSetupLink(deps, setupToken(call.cookies), "directory");
      return await withSetup(deps, call, authorized, async (setup, view) => {
        const { ssoSetup, serviceAccounts } = view.t;
        const created = await createSetupToken(deps, { setup, client: call.client });
        if (!created.ok) return refusedPage(view, created.error, { conflict: ssoSetup.tokenCreated });
        const body = (
          <TaskFrame title={serviceAccounts.keyTitle}>
            <NewKeyPanel secret={created.value.key} baseUrl={scimBaseUrl(deps)} place={SETUP} />
          </TaskFrame>
        );
        return showPage(view, { title: serviceAccounts.keyTitle, body, islands: ["copy"] });
      });
    },
  });
}

function DirectoryBody({ isCreated, baseUrl }: { readonly isCreated: boolean; readonly baseUrl: string }) {
  const { provisioning, ssoConnections, ssoSetup } = useView().t;
  return (
    <TaskFrame title={ssoSetup.tasks.directory} lead={ssoSetup.directoryLead}>
      <Rows>
        <CopyRow id="base-url" label={provisioning.baseUrl} text={baseUrl} />
      </Rows>
      {isCreated ? (
        <p class="note">{ssoSetup.tokenCreated}</p>
      ) : (
        <Form action={SETUP_DIRECTORY} class="actions">
          <Button kind="primary">{ssoSetup.createToken}</Button>
        </Form>
      )}
      <Section title={ssoConnections.instructions}>
        <GuideFolds />
      </Section>
    </TaskFrame>
  );
}
