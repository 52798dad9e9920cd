/** German: the policies of an organization. */
import { pluralIn } from "../../../base/plural.ts";
import type { PolicyTexts } from "../en/policies.ts";

const plural = pluralIn("de");

export const policyTexts: PolicyTexts = {
  policies: {
    title: "Richtlinien",
    lead:
      "Regeln für alle Mitglieder, nur in dieser Organisation. Richtlinien verschärfen die Einstellungen dieses " +
      "Dienstes.",
    notYours: "Nur Inhaber und Administratoren der Organisation können die Richtlinien sehen.",
    notIncluded: "Ihr Tarif enthält keine Richtlinien. Wenden Sie sich an den Betreiber dieses Dienstes.",
    ownersOnly: "Nur Inhaber und Mitglieder mit einer Rolle für Richtlinien können die Richtlinien ändern.",
    change: "Richtlinien ändern",
    groups: {
      signIn: "Anmeldung",
      sessions: "Sitzungen",
      network: "Netzwerk",
      members: "Mitglieder",
      applications: "Anwendungen",
      passwords: "Passwörter",
    },
    names: {
      mfa: "Zwei-Faktor-Anmeldung",
      mfaGraceDays: "Frist für die Einrichtung",
      methods: "Anmeldemethoden",
      trustedBrowsers: "Vertrauenswürdige Browser",
      signInNotices: "E‑Mails über neue Browser",
      sessionMaxHours: "Maximale Sitzungsdauer",
      sessionIdleMinutes: "Maximale Inaktivität",
      allowedIps: "Zugelassene Netzwerke",
      inviteDomains: "Domains eingeladener Adressen",
      domainJoin: "Beitritt über eine bestätigte Domain",
      thirdPartyClients: "Anwendungen anderer Anbieter",
      approvedClients: "Freigegebene Anwendungen",
      deviceFlow: "Anmeldung an Geräten mit Code",
      passwordMinLength: "Mindestlänge des Passworts",
      passwordCheck: "Häufige Passwörter",
    },
    mfa: {
      optional: "Freiwillig",
      required: "Pflicht",
      phishing_resistant: "Passkey ist Pflicht",
    },
    mfaHint: "Ein Mitglied ohne zweiten Faktor kann nur den zweiten Faktor einrichten.",
    days: (count) => plural(count, { one: "# Tag", other: "# Tage" }),
    noDays: "Ohne Frist: Die Regel gilt sofort",
    daysHint: "Tage für Mitglieder ohne zweiten Faktor, ab dem Beginn der Regel oder der Mitgliedschaft.",
    allMethods: "Alle Methoden dieses Dienstes",
    methodsHint: "Ohne Auswahl sind alle Methoden zugelassen. Single Sign-on ist immer zugelassen.",
    trustedBrowsers: {
      on: "Ersetzen den zweiten Faktor",
      off: "Ersetzen den zweiten Faktor nicht",
    },
    signInNotices: {
      on: "Immer",
      off: "Nicht bei Anmeldungen mit Single Sign-on",
    },
    hours: (count) => plural(count, { one: "# Stunde", other: "# Stunden" }),
    minutes: (count) => plural(count, { one: "# Minute", other: "# Minuten" }),
    byService: "Wie vom Dienst festgelegt",
    hoursHint: "Stunden ab der Anmeldung, 1 bis 2160. Leer: wie vom Dienst festgelegt.",
    minutesHint: "Minuten ohne Nutzung, 5 bis 43200. Leer: wie vom Dienst festgelegt.",
    everyNetwork: "Jedes Netzwerk",
    networksHint: (address) =>
      `Je Zeile eine Adresse oder ein Bereich wie 192.0.2.0/24. Leer: jedes Netzwerk. Ihre Adresse ist ${address}.`,
    everyDomain: "Jede Domain",
    domainsHint: "Je Zeile eine Domain wie acme.com. Leer: jede Domain. Mitglieder bleiben Mitglieder.",
    domainJoin: {
      off: "Aus",
      ask: "Nach Zustimmung eines Administrators",
      join: "Ohne Zustimmung",
    },
    thirdPartyClients: {
      any: "Alle",
      approved: "Nur freigegebene Anwendungen",
      none: "Keine",
    },
    noApplications: "Keine",
    applicationsHint: "Anwendungen, die Mitglieder bereits nutzen.",
    deviceFlow: {
      on: "Zugelassen",
      off: "Nicht zugelassen",
    },
    characters: (count) => plural(count, { one: "# Zeichen", other: "# Zeichen" }),
    lengthHint: "12 bis 64 Zeichen, für das nächste Passwort. Leer: wie vom Dienst festgelegt.",
    passwordCheck: {
      on: "Werden abgelehnt",
      off: "Wie vom Dienst festgelegt",
    },
    start: "Beginn",
    startHint: "Bis zum Beginn gelten die bisherigen Richtlinien.",
    pending: (time) => `Ab ${time} gelten neue Richtlinien.`,
    cancelPending: "Neue Richtlinien verwerfen",
    cancelled: "Die neuen Richtlinien sind verworfen. Die bisherigen Richtlinien gelten weiter.",
    saved: "Die Richtlinien sind gespeichert.",
    now: "Jetzt",
    next: "Neu",
    policy: "Richtlinie",
    review: "Änderung prüfen",
    unchanged: "Es ändert sich nichts.",
    appliesNow: "Die Änderung gilt, sobald Sie bestätigen.",
    appliesFrom: (time) => `Die Änderung gilt ab ${time}.`,
    effect: "Wirkung auf Mitglieder",
    affected: (count) =>
      plural(count, { one: "Die Änderung betrifft # Mitglied.", other: "Die Änderung betrifft # Mitglieder." }),
    unaffected: "Die Änderung betrifft derzeit kein Mitglied.",
    ended: (count) => plural(count, { one: "# Sitzung endet.", other: "# Sitzungen enden." }),
    member: "Mitglied",
    rules: {
      mfa: "Hat den zweiten Faktor nicht",
      methods: "Hat keine zugelassene Anmeldemethode",
      session: "Eine Sitzung endet",
      allowed_ips: "Zuletzt außerhalb der zugelassenen Netzwerke",
      invite_domains: "Hat eine Adresse einer anderen Domain und bleibt Mitglied",
      device_flow: "Nutzt eine Anwendung für Geräte und kann kein weiteres Gerät verbinden",
      passwords: "Für das nächste Passwort gilt die neue Regel",
      third_party_clients: "Eine Anwendung verliert den Zugriff",
      trusted_browsers: "Bestätigt den zweiten Faktor auch in vertrauenswürdigen Browsern",
    },
    affectedBy: "Wirkung",
    firstMembers: "Die Liste enthält die ersten 100 Adressen.",
    lockOuts: {
      policy_address: "Ihre Adresse liegt außerhalb der zugelassenen Netzwerke. Sie würden sich selbst aussperren.",
      policy_methods: "Sie können keine der zugelassenen Anmeldemethoden nutzen. Sie würden sich selbst aussperren.",
      policy_passkey: "Sie haben keinen Passkey. Fügen Sie zuerst unter Sicherheit einen Passkey hinzu.",
      policy_join_role:
        "Benutzer der Domain würden als Administratoren beitreten. " +
        "Nur ein Administrator oder Inhaber kann dies zulassen.",
      policy_owners: "Unter diesen Richtlinien könnte sich kein Inhaber anmelden.",
    },
    noEmergency:
      "Legen Sie zuerst in der Richtlinie für Single Sign-on einen Inhaber mit Notfallzugang fest. Danach können " +
      "Sie die Änderung bestätigen.",
    accept: "Änderung trotzdem anwenden. Ein Inhaber mit Notfallzugang kann die Änderung rückgängig machen.",
    apply: "Änderung anwenden",
    back: "Zurück zum Formular",
    badNumber: "Geben Sie eine ganze Zahl innerhalb der Grenzen ein.",
    badNetworks:
      "Geben Sie Adressen oder Bereiche wie 192.0.2.0/24 ein, höchstens 64. Ein Bereich aller Adressen ist nicht " +
      "zulässig.",
    badDomains: "Geben Sie Domains wie acme.com ein, höchstens 50.",
  },
};
