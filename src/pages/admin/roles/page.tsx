/** `/admin/roles`: the templates of roles, which every organization can assign. */
import { listTemplates } from "../../../flows/roles/read-roles.ts";
import type { ListedRole } from "../../../models/organization-role/organization-role.ts";
import { resultText } from "../../action.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty, Rows } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import type { Page } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, showConsole } from "../console.tsx";
import { templateActions } from "./actions.ts";
import { TEMPLATES, templatePath } from "./paths.ts";

export function templatesPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: TEMPLATES,
    async get(call: ConsoleCall) {
      const { admin, view } = call;
      const templates = await listTemplates(deps, admin);
      const { title } = view.t.templates;
      const done = resultText(view, templateActions, call.result);
      const body = <TemplatesBody templates={templates} acts={mayAct(admin)} />;
      return showConsole(call, { at: TEMPLATES, title, body, done });
    },
  });
}

function TemplatesBody({ templates, acts }: { readonly templates: readonly ListedRole[]; readonly acts: boolean }) {
  const { t } = useView();
  const { create, lead, none, title } = t.templates;
  return (
    <>
      <header class="head">
        <div>
          <h1>{title}</h1>
          <p>{lead}</p>
        </div>
        {acts && (
          <a class="button primary" href={`${TEMPLATES}/new`}>
            <Icon name="plus" />
            {create}
          </a>
        )}
      </header>
      {templates.length === 0 ? (
        <Rows>
          <Empty text={none} />
        </Rows>
      ) : (
        <TemplateTable templates={templates} />
      )}
    </>
  );
}

function TemplateTable({ templates }: { readonly templates: readonly ListedRole[] }) {
  const { t, dates } = useView();
  const { members, permissions, role } = t.customRoles;
  return (
    <Table label={t.templates.title} columns={[role, permissions, members]}>
      {templates.map((each) => (
        <tr key={each.id}>
          <Cell>
            <a class="whole" href={templatePath(each.id)}>
              {each.name}
            </a>
            <small>{each.description || <code>{each.key}</code>}</small>
          </Cell>
          <Cell label={permissions}>
            <span class="num">{dates.number(each.permissions.length)}</span>
          </Cell>
          <Cell label={members}>
            <span class="num">{dates.number(each.memberCount)}</span>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
