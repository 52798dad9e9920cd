/** Scopes and resource servers in words, for the consent page and the list of applications. */
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import type { Profile } from "../../models/user/profile.ts";
import { applicationName } from "../components/application.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { textAt } from "../page.ts";
import { useView, type View } from "../view.tsx";
import type { DescribedScope } from "./describe-scopes.ts";

export interface RequestedAccess {
  readonly scopes: readonly DescribedScope[];
  readonly resources: readonly string[];
}

interface DescribedAccess {
  readonly key: string;
  readonly icon: IconName;
  /** Undefined for a scope without a description: the page displays the name of the scope. */
  readonly text: string | undefined;
  readonly name?: string;
  readonly details?: string | undefined;
  /** The data that the scope discloses beside its description. */
  readonly discloses?: readonly string[];
}

const ICONS: Readonly<Record<string, IconName>> = {
  openid: "shield",
  profile: "account",
  email: "mail",
  organization: "building",
  offline_access: "clock",
};

/** `details`: the value of the user that a scope discloses, by scope. */
export function describeAccess(
  { t }: View,
  { scopes, resources }: RequestedAccess,
  details: Readonly<Record<string, string>> = {},
): readonly DescribedAccess[] {
  return [
    ...scopes.map(({ name, description, discloses = [] }) => ({
      key: name,
      icon: Object.hasOwn(ICONS, name) ? (ICONS[name] ?? "key") : "key",
      text: description,
      name,
      details: textAt(details, name),
      discloses,
    })),
    ...resources.map((resource) => ({
      key: resource,
      icon: "plug" as const,
      text: t.oauth.resource,
      details: resource,
    })),
  ];
}

interface AccessSectionProps {
  readonly client: OAuthClient;
  readonly profile: Profile;
  /** The organization of the access. */
  readonly organizationId: string;
  readonly access: RequestedAccess;
}

/** What the application asks for, with the values of the user that the scopes disclose. */
export function AccessSection({ client, profile, organizationId, access }: AccessSectionProps) {
  const view = useView();
  const { t } = view;
  const organization = profile.organizations.find(({ id }) => id === organizationId)?.name ?? "";
  const details = { email: profile.email, organization, offline_access: t.oauth.offlineUntil };
  return (
    <>
      <h2>{t.oauth.lead({ name: applicationName(view, identityOf(client)) })}</h2>
      <AccessRows access={describeAccess(view, access, details)} />
    </>
  );
}

/** A list with an icon and a description for each scope and resource server. */
function AccessRows({ access }: { readonly access: readonly DescribedAccess[] }) {
  const { t } = useView();
  return (
    <ul class="rows compact">
      {access.map(({ key, icon, text, name, details, discloses = [] }) => (
        <li key={key}>
          <span class="tile">
            <Icon name={icon} />
          </span>
          <span class="what">
            <strong class="sentence">{text ?? t.oauth.otherScope}</strong>
            {(details ?? (text === undefined && name)) && <small>{details ?? <code>{name}</code>}</small>}
            {discloses.map((line) => (
              <small key={line} class="sentence">
                {line}
              </small>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A list without icons, for a row of the list of applications. */
export function AccessList({ access }: { readonly access: readonly DescribedAccess[] }) {
  const { t } = useView();
  return (
    <ul class="access">
      {access.map(({ key, text, name, details }) => (
        <li key={key}>
          <span class="sentence">{text ?? t.oauth.otherScope}</span> {details ?? (text === undefined && name)}
        </li>
      ))}
    </ul>
  );
}
