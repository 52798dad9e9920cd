/** The settings of a policy in groups, and the text of each value. */

import type { ClientIdentity } from "../../models/conditions/client-identity.ts";
import type { PolicyMethod, PolicySettings } from "../../vocabulary/policy-settings.ts";
import { applicationName } from "../components/application.tsx";
import type { Texts } from "../texts/catalogue.ts";
import type { View } from "../view.tsx";

export type Setting = keyof PolicySettings;

export const GROUPS = [
  ["signIn", ["mfa", "mfaGraceDays", "methods", "trustedBrowsers", "signInNotices"]],
  ["sessions", ["sessionMaxHours", "sessionIdleMinutes"]],
  ["network", ["allowedIps"]],
  ["members", ["inviteDomains", "domainJoin"]],
  ["applications", ["thirdPartyClients", "approvedClients", "deviceFlow"]],
  ["passwords", ["passwordMinLength", "passwordCheck"]],
] as const satisfies readonly (readonly [keyof Texts["policies"]["groups"], readonly Setting[]])[];

/** Applications by id. */
export type NamedClients = ReadonlyMap<string, ClientIdentity>;

export function methodName({ t, site }: Pick<View, "site" | "t">, method: PolicyMethod): string {
  if (method === "password" || method === "passkey" || method === "email_otp") return t.directory.methods[method];
  return site.identityProviders.name(method);
}

/** The text of the value of a setting. */
export function settingText(
  { t, dates, site }: Pick<View, "dates" | "site" | "t">,
  settings: PolicySettings,
  setting: Setting,
  clients: NamedClients,
): string {
  const texts = t.policies;
  switch (setting) {
    case "mfa":
      return texts.mfa[settings.mfa];
    case "mfaGraceDays":
      return settings.mfaGraceDays === 0 ? texts.noDays : texts.days({ count: settings.mfaGraceDays });
    case "methods":
      return settings.methods?.map((method) => methodName({ t, site }, method)).join(", ") ?? texts.allMethods;
    case "sessionMaxHours":
      return settings.sessionMaxHours === null ? texts.byService : texts.hours({ count: settings.sessionMaxHours });
    case "sessionIdleMinutes":
      return settings.sessionIdleMinutes === null
        ? texts.byService
        : texts.minutes({ count: settings.sessionIdleMinutes });
    case "allowedIps":
      return settings.allowedIps.length === 0 ? texts.everyNetwork : dates.list(settings.allowedIps);
    case "inviteDomains":
      return settings.inviteDomains.length === 0 ? texts.everyDomain : dates.list(settings.inviteDomains);
    case "approvedClients":
      return settings.approvedClients.map((id) => nameIn({ t }, clients, id)).join(", ") || texts.noApplications;
    case "passwordMinLength":
      return settings.passwordMinLength === null
        ? texts.byService
        : texts.characters({ count: settings.passwordMinLength });
    case "domainJoin":
      return texts.domainJoin[settings.domainJoin];
    case "thirdPartyClients":
      return texts.thirdPartyClients[settings.thirdPartyClients];
    default:
      return texts[setting][settings[setting] ? "on" : "off"];
  }
}

/** A deleted application has its id alone. */
function nameIn(view: Pick<View, "t">, clients: NamedClients, id: string): string {
  const client = clients.get(id);
  return client ? applicationName(view, client) : id;
}
