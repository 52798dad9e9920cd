/** Deutsch: die APIs und ihre Scopes, in der Konsole der Plattform. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("de");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "APIs",
    lead: "Anwendungen fordern mit Scopes Zugriff auf APIs an. Benutzer lesen deren Beschreibungen vor der Zustimmung.",
    none: "Noch keine. Ohne registrierte API sehen Benutzer nur die Namen der Scopes.",
    create: "Neue API",
    createAction: "API registrieren",
    full: "Es gibt schon 1.000 APIs. Löschen Sie eine, die niemand mehr benutzt.",
    taken: "Eine andere API hat diese Kennung.",
    identifier: "Kennung",
    identifierHint:
      "Die Adresse der API, wie Anwendungen sie im Parameter resource senden. Sie lässt sich später nicht ändern.",
    name: "Name",
    scopes: "Scopes",
    scopesLead: "Die Zustimmungsseite zeigt die Beschreibung in der Sprache des Benutzers, sonst die englische.",
    scopeCount: (total) => plural(total, { one: "# Scope", other: "# Scopes" }),
    noScope: "Die API hat noch keine Scopes.",
    addScope: "Scope hinzufügen",
    editScope: "Bearbeiten",
    editScopeNamed: (name) => `${name} bearbeiten`,
    scopeName: "Scope",
    scopeNameHint: "Wie Anwendungen ihn senden, zum Beispiel invoices:read.",
    description: (language) => `Beschreibung auf ${language}`,
    descriptionHint: "Ergänzt „Acme Wiki möchte: …“, zum Beispiel „Ihre Rechnungen einsehen“.",
    noDescription: "keine Beschreibung",
    scopeExists: "Die API hat schon einen Scope mit diesem Namen.",
    scopesFull: "Die API hat schon 100 Scopes. Löschen Sie einen, den niemand mehr benutzt.",
    scopeSaved: "Der Scope ist gespeichert. Die Zustimmungsseite zeigt die neue Beschreibung.",
    scopeDeleted: "Der Scope ist gelöscht.",
    deleteScope: "Löschen",
    deleteScopeNamed: (name) => `${name} löschen`,
    deleteScopeTitle: (name) => `Den Scope ${name} löschen?`,
    deleteScopeText: "Die Zustimmungsseite zeigt dann den Namen des Scopes. Token und Zustimmungen bleiben gültig.",
    settings: "Einstellungen",
    created: "Die API ist registriert. Fügen Sie die Scopes hinzu.",
    saved: "Die Änderungen sind gespeichert und wirksam.",
    deleted: "Die API ist gelöscht.",
    changedMeanwhile:
      "Ein anderer Benutzer hat die API geändert. Prüfen Sie die API, und versuchen Sie es noch einmal.",
    access: "Zugang",
    algorithm: "Signatur der Access-Tokens",
    algorithmHint: "RS256, wenn die API das andere Verfahren nicht prüft. Neue Tokens haben die neue Signatur.",
    dpop: "Besitznachweis (DPoP)",
    dpopOptions: { allowed: "Erlaubt", required: "Erforderlich" },
    dpopHint: "Mit „Erforderlich“ erhalten Anwendungen nur Tokens, die an ihren Schlüssel gebunden sind.",
    disable: "Deaktivieren",
    disableDetails: "Anwendungen erhalten keinen neuen Zugriff auf diese API. Bestehender Zugriff bleibt gültig.",
    disableTitle: (name) => `${name} deaktivieren?`,
    disableText:
      "Anwendungen erhalten bis zur Aktivierung keinen neuen Zugriff auf diese API. Bestehender Zugriff bleibt gültig.",
    disabledNow: "Die API ist deaktiviert.",
    enable: "Aktivieren",
    enableDetails: "Die API ist deaktiviert: Anwendungen erhalten keinen neuen Zugriff.",
    enabledNow: "Die API ist aktiviert.",
    remove: "Löschen",
    removeDetails: "Anwendungen behalten ihren Zugriff; Benutzer sehen die Namen der Scopes.",
    removeTitle: (name) => `${name} löschen?`,
    removeText:
      "Die Beschreibungen der Scopes werden gelöscht. Anwendungen behalten ihren Zugriff. Das Löschen ist endgültig.",
    rules: {
      identifier: "Verwenden Sie eine https-Adresse aus höchstens 500 Zeichen ohne Fragment.",
    },
    scopeRules: {
      name: "1 bis 100 druckbare Zeichen ohne Leerzeichen, Anführungszeichen und \\; kein Scope dieses Dienstes.",
      description: "Eine Zeile aus höchstens 200 Zeichen, ohne unsichtbare Zeichen.",
    },
  },
};
