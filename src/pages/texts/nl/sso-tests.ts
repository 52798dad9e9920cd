/** Dutch: tests of connections, linked company accounts. */
import type { SsoTestTexts } from "../en/sso-tests.ts";

export const ssoTestTexts: SsoTestTexts = {
  companyAccounts: {
    title: "Bedrijfsaccounts",
    lead: "Accounts bij de identiteitsprovider van je organisatie waarmee je inlogt.",
    unlinkTitle: "Bedrijfsaccount ontkoppelen?",
    unlinkText: "Sessies van het bedrijfsaccount eindigen meteen. Je blijft lid.",
    unlinked: "Het bedrijfsaccount is ontkoppeld.",
    notLinked: "Niet gekoppeld",
    link: "Koppelen",
    linkTitle: "Dit bedrijfsaccount koppelen?",
    linkText: (organization) => `Vanaf nu log je met het bedrijfsaccount in bij ${organization}.`,
    subject: "Vaste ID",
    email: "E-mailadres",
    linkFailed: "Het bedrijfsaccount is niet gekoppeld. Begin opnieuw of neem contact op met je beheerder.",
    linkTaken: "Dit bedrijfsaccount is gekoppeld aan een ander account. Neem contact op met je beheerder.",
    linkDone: "Het bedrijfsaccount is gekoppeld.",
    continueTo: (name) => `Doorgaan naar ${name}`,
    stepUpLead: "Voor deze actie moet je opnieuw bevestigen dat jij het bent. Bevestig met je bedrijfsaccount.",
    stepUpFailed:
      "De tweede factor is niet bevestigd met je bedrijfsaccount. Probeer het opnieuw of neem contact op met je " +
      "beheerder.",
    stepUpNever:
      "Voor deze actie is een tweede factor nodig, en je organisatie vertrouwt geen tweede factor van je " +
      "bedrijfsaccount. Vraag een beheerder om de vertrouwde waarden van acr of amr (mfa_trust) bij de " +
      "verbinding in te vullen.",
  },
  ssoTests: {
    title: "Verbinding testen",
    lead: "Met een test log je in bij de identiteitsprovider. Voor leden verandert er niets.",
    start: "Verbinding nu testen",
    again: "Opnieuw testen",
    go: "Doorgaan naar de identiteitsprovider",
    incomplete: "Vul eerst issuer, client-ID en geheim of sleutel in.",
    last: "Laatste test:",
    passed: "De test is geslaagd.",
    failed: "De test is mislukt. Herstel de mislukte controle en test opnieuw.",
    outdated: "De instellingen zijn na deze test gewijzigd. Test opnieuw.",
    outcomes: {
      pass: "Geslaagd",
      warning: "Waarschuwing",
      fail: "Mislukt",
      skipped: "Overgeslagen",
    },
    checks: {
      discovery: "Configuratie geladen",
      state: "Zelfde browser",
      provider_error: "Inloggen bij de identiteitsprovider",
      issuer: "Issuer zoals ingevuld",
      token_request: "Client-ID en geheim of sleutel geaccepteerd",
      nonce: "Antwoord hoort bij de test",
      id_token: "ID-token geldig",
      userinfo: "UserInfo gelezen",
      subject: "Vaste ID aanwezig",
      email: "E-mailadres aanwezig",
      email_verified: "Adres geverifieerd door de identiteitsprovider",
      domain: "Adres in een geverifieerd domein",
      groups: "Groepen aanwezig",
      mfa: "Tweede factor bij de identiteitsprovider",
    },
    hints: {
      email: "De claim bevat geen e-mailadres. Controleer de claims.",
      domain: "Het adres hoort bij geen geverifieerd domein van deze verbinding: deze gebruiker kan niet inloggen.",
      groups: "Het antwoord bevat geen groepen of niet alle groepen.",
      mfa: "Noch acr noch amr heeft een vertrouwde waarde.",
    },
    effect: "Effect van inloggen",
    effects: {
      sign_in: "De gebruiker logt in.",
      link: "De gebruiker logt in en het bedrijfsaccount wordt gekoppeld.",
      create: "Er wordt een nieuwe gebruiker aangemaakt.",
      refused: "Het inloggen wordt geweigerd.",
    },
    mapping: "Gegevens van de gebruiker",
    received: "Ontvangen claims",
    subject: "Vaste ID",
    role: "Rol",
    twoStep: "Verificatie in twee stappen",
    yes: "Ja",
    no: "Nee",
  },
};
