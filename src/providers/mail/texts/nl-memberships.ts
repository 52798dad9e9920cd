import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Uw rechten in {{organization_name}} zijn gewijzigd",
    preheader: "Bekijk wie nog meer toegang heeft tot uw account.",
    title: "U hebt meer rechten",
    lead:
      "U hebt nu meer rechten in {{organization_name}}. Ook deze verbindingen en sleutels bereiken uw account, " +
      "met de verantwoordelijke persoon tussen haakjes: {{channels}}.",
    button: "Beveiligingsinstellingen openen",
    after:
      "Als u niet meer kunt inloggen met uw bedrijfsaccount, log dan in met een eigen methode en koppel het " +
      "bedrijfsaccount in de beveiligingsinstellingen.",
  },
  channels_accepted: {
    subject: "Nieuwe rechten in {{organization_name}} zijn bevestigd",
    preheader: "Personen met minder rechten zijn verantwoordelijk voor wegen ernaartoe.",
    title: "Een toekenning is bevestigd",
    lead:
      "In {{organization_name}} zijn rechten toegekend, hoewel personen met minder rechten verantwoordelijk " +
      "zijn voor deze wegen ernaartoe: {{channels}}.",
    button: "Organisatie controleren",
    after: "Als u dit niet verwacht, maak de wijziging dan ongedaan of vervang de verbindingen en sleutels.",
  },
  role_template_widened: {
    subject: "De rol “{{role_name}}” heeft nieuwe rechten",
    preheader: "Leden van {{organization_name}} met de rol hebben de rechten nu.",
    title: "Een rol heeft nieuwe rechten",
    lead:
      "Het platform {{brand}} heeft rechten toegevoegd aan het sjabloon “{{role_name}}”, dat " +
      "{{organization_name}} gebruikt. Leden met de rol hebben vanaf nu deze rechten: {{added}}.",
    button: "Rol controleren",
    after: "Mogen leden deze rechten niet hebben? Neem de rol dan van de leden af of maak een eigen rol.",
  },
  join_requested: {
    subject: "Verzoek om lid te worden van {{organization_name}}",
    preheader: "{{address}} wil lid worden. Tijd om te beslissen: {{valid_for}}.",
    title: "Een verzoek om lid te worden van je organisatie",
    lead:
      "De gebruiker {{address}} wil bij {{brand}} lid worden van {{organization_name}}. Het adres hoort bij een " +
      "geverifieerd domein van de organisatie. Het verzoek eindigt na {{valid_for}}.",
    button: "Verzoek bekijken",
    after: "Ken je de gebruiker niet? Wijs het verzoek dan af.",
  },
  join_approved: {
    subject: "Je bent nu lid van {{organization_name}}",
    preheader: "Je verzoek om lid te worden is goedgekeurd.",
    title: "Je verzoek is goedgekeurd",
    lead:
      "Je verzoek om bij {{brand}} lid te worden van {{organization_name}} is goedgekeurd. Je kunt in je " +
      "account naar de organisatie overschakelen.",
    button: "Account openen",
    after: "Heb je dit niet gevraagd? Laat het je beheerder weten.",
  },
  join_denied: {
    subject: "Je verzoek om lid te worden van {{organization_name}} is afgewezen",
    preheader: "Je kunt het later opnieuw vragen.",
    title: "Je verzoek is afgewezen",
    lead:
      "Je verzoek om bij {{brand}} lid te worden van {{organization_name}} is afgewezen. Je kunt het " +
      "{{valid_for}} na je verzoek opnieuw vragen.",
    button: "Account openen",
    after: "Heb je nu toegang nodig? Vraag een lid van de organisatie om een uitnodiging.",
  },
};
