import type { SubjectType } from "../../models/deletion/deletion.ts";
import { Row } from "../components/lists.tsx";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";

const DELETIONS = "/admin/deletions";
const NEW_DELETION = "/admin/deletions/new";

export interface DeletionSubject {
  readonly type: SubjectType;
  readonly id: string;
}

interface RowProps {
  readonly subject: DeletionSubject;
  /** Time of the erasure while a deletion is pending. */
  readonly deletionAt: Date | null;
}

/** The row of the page of a user or organization that leads to the deletion. */
export function DeletionRow({ subject, deletionAt }: RowProps) {
  const { t, dates } = useView();
  const { adminDeletions: texts } = t;
  const { type, id } = subject;
  const title = type === "user" ? texts.deleteUser : texts.deleteOrganization;
  if (deletionAt) {
    return (
      <Row title={title} details={texts.pendingUntil({ time: dates.minute(deletionAt) })}>
        <a class="button" href={DELETIONS}>
          {texts.title}
        </a>
      </Row>
    );
  }
  return (
    <Row title={title} details={type === "user" ? texts.deleteUserText : texts.deleteOrganizationText}>
      <a class="button bad" href={pathWith(NEW_DELETION, { type, id })}>
        {title}
      </a>
    </Row>
  );
}
