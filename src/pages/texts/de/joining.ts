/** German: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Beitreten",
    joinOf: (name) => `Beitreten: ${name}`,
    ask: "Beitritt anfragen",
    askOf: (name) => `Beitritt anfragen: ${name}`,
    openTo: (domain) => `Offen für Ihre Adresse in ${domain}`,
    asks: (domain) => `Mit Ihrer Adresse in ${domain} können Sie anfragen; ein Mitglied entscheidet`,
    requested: "Angefragt",
    denied: "Abgelehnt",
    deniedHint: "Bitten Sie ein Mitglied um eine Einladung, oder fragen Sie 30 Tage nach Ihrer Anfrage erneut",
    sent: "Ihre Anfrage ist gesendet. Sie erhalten eine E‑Mail mit der Entscheidung.",
    unavailable:
      "Sie können dieser Organisation nicht mehr beitreten, oder die Organisation hat zu viele offene Anfragen.",
    title: "Beitrittsanfragen",
    lead: "Benutzer mit einer bestätigten Adresse in einer Domain der Organisation möchten Mitglied werden.",
    approve: "Annehmen",
    approveOf: (name) => `${name} annehmen`,
    deny: "Ablehnen",
    denyOf: (name) => `${name} ablehnen`,
    denyTitle: (name) => `Die Anfrage von ${name} ablehnen?`,
    denyText: "Der Benutzer erhält eine E‑Mail und kann 30 Tage nach der Anfrage erneut anfragen.",
    asked: "angefragt",
    approved: "Der Benutzer ist jetzt Mitglied und erhält eine E‑Mail.",
    deniedNow: "Die Anfrage ist abgelehnt. Der Benutzer erhält eine E‑Mail.",
    outdated:
      "Über die Anfrage wurde bereits entschieden, oder der Benutzer kann über die Domain nicht mehr beitreten.",
  },
  ownOrganizations: {
    lead: "Sie werden Inhaber. Ihre Sitzung bleibt in der bisherigen Organisation.",
    created: "Die Organisation ist angelegt. Wechseln Sie unten zu der Organisation.",
    taken: "Dieses Kürzel ist schon vergeben. Wählen Sie ein anderes Kürzel.",
    tooMany: "Sie besitzen bereits so viele Organisationen, wie dieser Dienst zulässt.",
    unverified: "Bestätigen Sie zuerst Ihre E‑Mail-Adresse.",
  },
};
