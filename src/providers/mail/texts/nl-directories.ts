import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "De directorysleutel “{{key_name}}” verloopt binnenkort",
    preheader: "Resterende tijd: {{valid_for}}. Vervang de sleutel op tijd.",
    title: "Een directorysleutel verloopt binnenkort",
    lead:
      "De API-sleutel van het serviceaccount “{{key_name}}” verloopt over {{valid_for}}. Daarna kan je directory " +
      "geen gebruikers maken of deactiveren: wie je bedrijf verlaat, houdt toegang.",
    button: "Sleutel vervangen",
    after: "Maak op de pagina een tweede sleutel en voer die in je directory in. Trek daarna de oude sleutel in.",
  },
  directory_joined: {
    subject: "Je account hoort nu bij {{organization_name}}",
    preheader: "De directory van de organisatie heeft je toegevoegd.",
    title: "Je bent aan een organisatie toegevoegd",
    lead:
      "De directory van {{organization_name}} heeft je account bij {{brand}} als lid toegevoegd. Je wachtwoord, je " +
      "andere inlogmethoden en je andere organisaties blijven ongewijzigd. De organisatie kan het lidmaatschap " +
      "beëindigen, niet je account.",
    button: "Account openen",
    after: "Ken je de organisatie niet? Dan kun je de organisatie in je account verlaten.",
  },
  directory_refused: {
    subject: "Een wijziging door je directory is geweigerd",
    preheader: "De laatste eigenaar en gebruikers voor noodtoegang blijven actief.",
    title: "Een wijziging door je directory is geweigerd",
    lead:
      "De directory van {{organization_name}} probeerde bij {{brand}} de laatste eigenaar of een gebruiker voor " +
      "noodtoegang te deactiveren of te verwijderen. De gebruiker blijft actief, zodat de organisatie toegankelijk " +
      "blijft.",
    button: "Directory controleren",
    after: "Moet de gebruiker weg? Maak dan eerst een ander lid eigenaar of wijzig de gebruikers voor noodtoegang.",
  },
};
