import type { ReviewItem } from "../../flows/steps/credentials/open-review.ts";
import type { RecentChange } from "../../models/credential-review/recent-changes.ts";
import { Row, Rows, Tag, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";

interface ListProps {
  readonly items: readonly ReviewItem[];
  /** The organization of the session, whose pages the session opens; undefined: by a mailed link. */
  readonly organizationId?: string;
}

/** What was set up before a reset of the password, newest first, and the changes that the end leaves. */
export function ReviewList({ items, organizationId }: ListProps) {
  const { t } = useView();
  const ended = items.filter(({ change }) => change === undefined);
  const changes = items.flatMap(({ change }) => (change ? [change] : []));
  return (
    <>
      {ended.length > 0 && (
        <Rows>
          {ended.map((item) => (
            <ItemRow key={`${item.kind} ${item.name} ${item.setUpAt.toISOString()}`} item={item} />
          ))}
        </Rows>
      )}
      {changes.length > 0 && (
        <>
          <h2>{t.credentialReview.remainTitle}</h2>
          <p class="soft">{t.credentialReview.remainText}</p>
          <Rows>
            {changes.map((change) => (
              <ChangeRow key={change.id} change={change} isLinked={change.organizationId === organizationId} />
            ))}
          </Rows>
        </>
      )}
    </>
  );
}

function ItemRow({ item: { kind, name, setUpAt, held } }: { readonly item: ReviewItem }) {
  const { t } = useView();
  return (
    <Row
      title={
        <>
          {name ?? t.accessItems[kind]} {held && <Tag kind="bad">{t.credentialReview.held}</Tag>}
        </>
      }
      details={
        <>
          {name !== null && `${t.accessItems[kind]} · `}
          <Time at={setUpAt} />
        </>
      }
    />
  );
}

function pageOf({ kind, id }: RecentChange): string {
  if (kind === "members") return `/team/members/${id}`;
  return kind === "connections" ? `/team/single-sign-on/${id}` : "/team/single-sign-on";
}

/** `isLinked`: the session is in the organization of the change; else `/account` switches first. */
function ChangeRow({ change, isLinked }: { readonly change: RecentChange; readonly isLinked: boolean }) {
  const { t } = useView();
  const { kind, name, organizationName, setUpAt } = change;
  return (
    <Row
      title={name}
      details={
        <>
          {t.accessItems[kind]} · {organizationName} · <Time at={setUpAt} />
        </>
      }
    >
      <a class="button" href={isLinked ? pageOf(change) : "/account"}>
        {isLinked ? t.creations.open : t.credentialReview.openIn({ name: organizationName })}
      </a>
    </Row>
  );
}
