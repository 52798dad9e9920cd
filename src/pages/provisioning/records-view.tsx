/** The users of a directory with their link, and the refused requests. */
import { EmptyBox, Pages, Tag, Time } from "../components/lists.tsx";
import { Cell, Table } from "../components/table.tsx";
import { useView } from "../view.tsx";
import { directoryPath } from "./paths.ts";
import type { DirectoryViewModel } from "./view-model.ts";

interface SectionProps {
  readonly viewModel: Pick<DirectoryViewModel, "requests" | "users">;
}

export function UsersSection({ viewModel: { users } }: SectionProps) {
  const { t } = useView();
  const { inactive, link, links, noUsers, sections, updated, user } = t.provisioning;
  if (!users) return null;
  return (
    <section class="stack" aria-label={sections.users}>
      {users.items.length === 0 ? (
        <EmptyBox icon="users" text={noUsers} />
      ) : (
        <Table label={sections.users} columns={[user, link, updated]}>
          {users.items.map((each) => (
            <tr key={each.id}>
              <Cell>
                <span title={each.document.userName}>{each.document.userName}</span>{" "}
                {!each.active && <Tag kind="warn">{inactive}</Tag>}
                {each.active && each.link === "none" && <Tag kind="bad">{t.provisioning.notLinked}</Tag>}
              </Cell>
              <Cell label={link}>{links[each.link]}</Cell>
              <Cell label={updated}>
                <Time at={each.updatedAt} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      <Pages {...users} path={directoryPath("users")} />
    </section>
  );
}

export function RequestsSection({ viewModel: { requests } }: SectionProps) {
  const { t } = useView();
  const { cause, noRequests, request, requestsLead, sections } = t.provisioning;
  const { requestId, time } = t.ssoConnections;
  if (!requests) return null;
  return (
    <section class="stack" aria-label={sections.requests}>
      <p class="soft">{requestsLead}</p>
      {requests.items.length === 0 ? (
        <EmptyBox icon="check" text={noRequests} />
      ) : (
        <Table label={sections.requests} columns={[request, cause, time]}>
          {requests.items.map((each) => (
            <tr key={each.id}>
              <Cell>
                <code>
                  {each.method} {each.path}
                </code>
                <p class="soft small">
                  {requestId} <code class="whole-id">{each.requestId}</code>
                </p>
              </Cell>
              <Cell label={cause}>
                <Tag kind="bad">{each.scimType ? `${each.status} ${each.scimType}` : each.status}</Tag>{" "}
                <span lang="en">{each.detail}</span>
              </Cell>
              <Cell label={time}>
                <Time at={each.at} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      <Pages {...requests} path={directoryPath("requests")} />
    </section>
  );
}
