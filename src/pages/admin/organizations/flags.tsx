/** Feature flags of an organization, and exceptions from the general setting. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listOrganizationFlags, type OrganizationFlag } from "../../../flows/feature-flags/administer.ts";
import { Button, Form } from "../../components/form.tsx";
import { Empty, Pages, Row, Rows, Section, Tag } from "../../components/lists.tsx";
import { pageNumber } from "../../page.ts";
import { useView } from "../../view.tsx";
import { overrideFlag } from "./actions.ts";
import { organizationPath, type ReadSection } from "./sections.tsx";

const OVERRIDES = ["default", "on", "off"] as const;
const FLAGS_PER_PAGE = 10;

export const readFlags: ReadSection = async ({ deps, call, organization: { id: organizationId }, acts }) => {
  const page = clampPage(pageNumber(call.query), FLAGS_PER_PAGE);
  const flags = await listOrganizationFlags(deps, { caller: call.admin, organizationId, page });
  return <FlagsSection organizationId={organizationId} flags={flags} acts={acts} />;
};

interface FlagsProps {
  readonly organizationId: string;
  readonly flags: Listing<OrganizationFlag>;
  readonly acts: boolean;
}

function FlagsSection({ organizationId, flags, acts }: FlagsProps) {
  const { t } = useView();
  const place = organizationPath(organizationId, "flags");
  return (
    <Section title={t.organizations.flags} lead={t.organizations.flagsLead}>
      <Rows>
        {flags.items.map((item) => (
          <FlagRow key={item.flag.key} item={item} place={place} acts={acts} />
        ))}
        {flags.items.length === 0 && <Empty text={t.flags.none} />}
      </Rows>
      <Pages {...flags} path={place} />
    </Section>
  );
}

interface FlagRowProps {
  readonly item: OrganizationFlag;
  readonly place: string;
  readonly acts: boolean;
}

function FlagRow({ item: { flag, override, value }, place, acts }: FlagRowProps) {
  const { t } = useView();
  const { key, description } = flag;
  const text = t.organizations.override[override];
  return (
    <Row
      title={
        <>
          <span class="mono">{key}</span> <Tag kind={value ? "good" : "plain"}>{value ? t.flags.on : t.flags.off}</Tag>
        </>
      }
      details={description}
    >
      {acts ? (
        <Form action={place} class="inline">
          <input type="hidden" name="key" value={key} />
          <select name="override" aria-label={t.organizations.overrideOf({ key })}>
            {OVERRIDES.map((each) => (
              <option key={each} value={each} selected={each === override}>
                {t.organizations.override[each]}
              </option>
            ))}
          </select>
          <Button name="step" value={overrideFlag.step} label={t.organizations.saveOverride({ key })}>
            {t.common.save}
          </Button>
        </Form>
      ) : (
        <span class="soft">{text}</span>
      )}
    </Row>
  );
}
