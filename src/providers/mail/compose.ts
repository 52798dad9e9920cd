/** The blocks of every kind of email, in the words of a language. */
import type { Block, Fact } from "./blocks.ts";
import type { EmailKind, EmailKinds, EmailReason, EmailTexts } from "./texts/catalogue.ts";

/** Facts of a notice: of the request that caused the notice, its time only, or of a webhook or domain. */
type Facts = "request" | "identity" | "time" | "webhook" | "domain" | "transfer";

type Layout =
  | { readonly reason: "request"; readonly content: "code" }
  /** A button that leads to a page and contains no token. */
  | { readonly reason: "request" | "owner" | "data"; readonly content: "action" }
  | { readonly reason: "request" | "invitation"; readonly content: "link" }
  | NoticeLayout;

interface NoticeLayout {
  readonly reason: "security" | "webhook" | "owner";
  readonly content: Facts;
  /** The value with the address of the button. */
  readonly link: string;
  /** The value without which the button is absent. */
  readonly when?: string;
}

const SECURITY_LINK = "security_link";

const LAYOUTS: Readonly<Record<EmailKind, Layout>> = {
  email_code: { reason: "request", content: "code" },
  sign_up_code: { reason: "request", content: "code" },
  sign_up_refused: { reason: "request", content: "action" },
  email_verification: { reason: "request", content: "link" },
  email_change: { reason: "request", content: "link" },
  email_in_use: { reason: "request", content: "action" },
  email_change_notice: { reason: "security", content: "request", link: SECURITY_LINK },
  email_removed: { reason: "security", content: "request", link: SECURITY_LINK },
  email_reverted: { reason: "security", content: "request", link: "link" },
  password_reset: { reason: "request", content: "link" },
  invitation: { reason: "invitation", content: "link" },
  password_changed: { reason: "security", content: "request", link: "reset_link" },
  password_removed: { reason: "security", content: "request", link: "reset_link" },
  mfa_enabled: { reason: "security", content: "request", link: SECURITY_LINK },
  mfa_disabled: { reason: "security", content: "request", link: SECURITY_LINK },
  mfa_reset: { reason: "security", content: "time", link: SECURITY_LINK },
  recovery_codes_renewed: { reason: "security", content: "request", link: SECURITY_LINK },
  passkey_added: { reason: "security", content: "request", link: SECURITY_LINK },
  passkey_removed: { reason: "security", content: "time", link: SECURITY_LINK },
  new_browser: { reason: "security", content: "request", link: SECURITY_LINK },
  identity_linked: { reason: "security", content: "identity", link: SECURITY_LINK },
  identity_unlinked: { reason: "security", content: "identity", link: SECURITY_LINK },
  account_secured: { reason: "security", content: "request", link: SECURITY_LINK },
  credential_review: { reason: "security", content: "request", link: SECURITY_LINK },
  member_creations: { reason: "owner", content: "time", link: "link" },
  members_creations: { reason: "owner", content: "time", link: "link" },
  account_deletion: { reason: "security", content: "request", link: "link", when: "link" },
  organization_deletion: { reason: "owner", content: "request", link: "link" },
  data_export: { reason: "data", content: "action" },
  webhook_failing: { reason: "webhook", content: "webhook", link: "link" },
  webhook_disabled: { reason: "webhook", content: "webhook", link: "link" },
  domain_failing: { reason: "owner", content: "domain", link: "link" },
  domain_lost: { reason: "owner", content: "domain", link: "link" },
  domain_transferred: { reason: "owner", content: "transfer", link: "link" },
  sso_identity_conflict: { reason: "owner", content: "action" },
  api_key_expiring: { reason: "owner", content: "action" },
  directory_joined: { reason: "security", content: "time", link: "link" },
  directory_refused: { reason: "owner", content: "time", link: "link" },
  directory_role_withheld: { reason: "owner", content: "time", link: "link" },
  directory_deactivation_refused: { reason: "owner", content: "time", link: "link" },
  sso_break_glass_used: { reason: "owner", content: "action" },
  sso_paused: { reason: "owner", content: "action" },
  requirement_lifted: { reason: "owner", content: "action" },
  sso_certificate_expiring: { reason: "owner", content: "action" },
  sso_secret_expiring: { reason: "owner", content: "action" },
  sso_certificates_changed: { reason: "owner", content: "action" },
  sso_metadata_failed: { reason: "owner", content: "action" },
  sso_certificates_left_out: { reason: "owner", content: "action" },
  sso_setup_link: { reason: "invitation", content: "link" },
  sso_activation_requested: { reason: "owner", content: "action" },
  sso_linked: { reason: "security", content: "request", link: SECURITY_LINK },
  role_template_widened: { reason: "owner", content: "time", link: "link" },
  account_channels: { reason: "security", content: "time", link: "link" },
  channels_accepted: { reason: "owner", content: "time", link: "link" },
  join_requested: { reason: "owner", content: "action" },
  join_approved: { reason: "request", content: "action" },
  join_denied: { reason: "request", content: "action" },
  member_added: { reason: "security", content: "time", link: "link" },
  organization_ready: { reason: "invitation", content: "link" },
  organization_factor_enabled: { reason: "security", content: "request", link: SECURITY_LINK },
};

export const KINDS = Object.keys(LAYOUTS) as readonly EmailKind[];

export function reasonOf(kind: EmailKind): EmailReason {
  return LAYOUTS[kind].reason;
}

export function blocksOf(kind: EmailKind, texts: EmailTexts): readonly Block[] {
  const layout = LAYOUTS[kind];
  const { title, lead, after } = texts.kinds[kind];
  const opening: readonly Block[] = [
    { kind: "title", text: title },
    { kind: "paragraph", text: texts.greeting },
    { kind: "paragraph", text: lead },
  ];
  const closing: Block = { kind: "after", text: after };
  const button = buttonOf(kind, texts);
  if (layout.content === "code") {
    const code: Block = { kind: "code", value: "{{code}}" };
    const link: Block = { kind: "button", label: button, link: "{{link}}", when: "link" };
    return [...opening, code, paragraph(texts.codeValidity), link, closing];
  }
  if (layout.content === "action") return [...opening, { kind: "button", label: button, link: "{{link}}" }, closing];
  if (layout.content === "link") {
    const block: Block = { kind: "button", label: button, link: "{{link}}", copy: texts.copyLink };
    return [...opening, block, paragraph(texts.linkValidity), closing];
  }
  return [
    ...opening,
    ...detailsOf(kind, texts),
    ...noticeBlocks(layout.content, texts),
    { kind: "button", label: button, link: `{{${layout.link}}}`, ...(layout.when ? { when: layout.when } : {}) },
    closing,
  ];
}

function buttonOf(kind: EmailKind, texts: EmailTexts): string {
  const text = texts.kinds[kind];
  return "button" in text ? text.button : "";
}

/** Facts and the number of merged notices: the partial `request` of templates. */
export function noticeBlocks(facts: Facts, texts: EmailTexts): readonly Block[] {
  return [{ kind: "facts", rows: rowsOf(facts, texts) }, moreChangesBlock()];
}

/** The partial `more_changes` of templates. */
export function moreChangesBlock(): Block {
  return { kind: "paragraph", text: "{{merged_text}}", when: "merged_text" };
}

function rowsOf(facts: Facts, { labels }: EmailTexts): readonly Fact[] {
  const time = { label: labels.time, value: "{{time}}" };
  if (facts === "time") return [time];
  if (facts === "webhook") {
    return [
      { label: labels.endpoint, value: "{{webhook_host}}" },
      { label: labels.since, value: "{{time}}" },
    ];
  }
  const domain = { label: labels.domain, value: "{{domain}}" };
  if (facts === "transfer") return [domain, time];
  if (facts === "domain") {
    return [
      domain,
      { label: labels.recordName, value: "{{record_name}}", when: "record_name" },
      { label: labels.recordValue, value: "{{record_value}}", when: "record_value" },
      { label: labels.since, value: "{{time}}" },
    ];
  }
  const provider = facts === "identity" ? [{ label: labels.provider, value: "{{provider}}" }] : [];
  return [
    ...provider,
    { label: labels.device, value: "{{device}}" },
    { label: labels.address, value: "{{ip_address}}", when: "ip_address" },
    { label: labels.location, value: "{{location}}", when: "location" },
    time,
    { label: labels.account, value: "{{account}}", when: "account" },
  ];
}

/** The paragraphs of kinds with values of their own. */
function detailsOf(kind: EmailKind, texts: EmailTexts): readonly Block[] {
  const { kinds } = texts;
  if (kind === "credential_review") {
    const { end } = kinds.credential_review;
    return [itemsBlock(kind, texts), { kind: "link", text: end, link: "{{end_link}}" }];
  }
  if (kind === "member_creations") return [itemsBlock(kind, texts)];
  if (kind === "account_secured") return securedBlocks(kinds.account_secured);
  if (kind === "account_deletion") return deletionBlocks(kinds.account_deletion);
  if (kind === "email_change_notice") return addressBlocks(kinds.email_change_notice);
  if (kind === "new_browser") return [{ kind: "link", text: kinds.new_browser.notMe, link: "{{not_me_link}}" }];
  if (kind === "domain_transferred") {
    const { gained, givenUp } = kinds.domain_transferred;
    return [paragraph(gained, "is_gained"), paragraph(givenUp, "is_given_up")];
  }
  if (kind !== "webhook_disabled") return [];
  const { gone, backlog } = kinds.webhook_disabled;
  return [paragraph(gone, "is_gone"), paragraph(backlog, "is_backlog")];
}

/** The undo link comes before the button, and is absent for an address without a controlling proof. */
function addressBlocks(texts: EmailKinds["email_change_notice"]): readonly Block[] {
  return [
    paragraph(texts.change, "is_change"),
    paragraph(texts.addition, "is_addition"),
    paragraph(texts.replaced, "is_switch"),
    paragraph(texts.ended, "has_ended"),
    { kind: "link", text: texts.undo, link: "{{undo_link}}", when: "undo_link" },
    paragraph(texts.noUndo, "no_undo"),
  ];
}

function deletionBlocks(texts: EmailKinds["account_deletion"]): readonly Block[] {
  return [
    paragraph(texts.byAdministrator, "by_administrator"),
    paragraph(texts.pending, "link"),
    paragraph(texts.immediate, "is_immediate"),
  ];
}

function securedBlocks(texts: EmailKinds["account_secured"]): readonly Block[] {
  return [
    paragraph(texts.secondFactor, "second_factor"),
    paragraph(texts.password, "password"),
    {
      kind: "list",
      lead: texts.removed,
      when: "has_removed",
      section: "removed",
      item: `${itemNames(texts.items)}{{#name}}${texts.named}{{/name}}`,
      more: { when: "more_removed_text", text: "{{more_removed_text}}" },
    },
    {
      kind: "list",
      lead: texts.joined,
      when: "has_members",
      section: "members",
      item: texts.member,
      more: { when: "more_members", text: texts.moreMembers },
    },
    { kind: "link", text: texts.members, link: "{{members_link}}", when: "has_members" },
  ];
}

function itemsBlock(kind: "credential_review" | "member_creations", { kinds, accessItems }: EmailTexts): Block {
  return {
    kind: "list",
    lead: kinds[kind].listed,
    when: "has_items",
    section: "items",
    item: `${itemNames(accessItems)}{{#name}}${kinds.account_secured.named}{{/name}}`,
    more: { when: "more_items_text", text: "{{more_items_text}}" },
  };
}

/** An item has one flag, such as `is_api_keys`. */
function itemNames(items: Readonly<Record<string, string>>): string {
  return Object.entries(items)
    .map(([name, text]) => `{{#is_${name}}}${text}{{/is_${name}}}`)
    .join("");
}

function paragraph(text: string, when?: string): Block {
  return when === undefined ? { kind: "paragraph", text } : { kind: "paragraph", text, when };
}
