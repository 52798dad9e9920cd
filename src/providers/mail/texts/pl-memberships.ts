import type { MembershipEmailKinds } from "./shape.ts";

/** E-mails about roles of an organization and requests to join. */
export const membershipEmails: MembershipEmailKinds = {
  account_channels: {
    subject: "Twoje uprawnienia w {{organization_name}} się zmieniły",
    preheader: "Sprawdź, kto jeszcze ma dostęp do Twojego konta.",
    title: "Masz więcej uprawnień",
    lead:
      "Masz teraz więcej uprawnień w {{organization_name}}. Do Twojego konta prowadzą też te połączenia i " +
      "klucze, w nawiasie osoba odpowiedzialna: {{channels}}.",
    button: "Otwórz ustawienia zabezpieczeń",
    after:
      "Jeśli logowanie kontem firmowym już nie działa, zaloguj się własną metodą i połącz konto firmowe w " +
      "ustawieniach zabezpieczeń.",
  },
  channels_accepted: {
    subject: "Potwierdzono nowe uprawnienia w {{organization_name}}",
    preheader: "Za drogi do nich odpowiadają osoby z mniejszymi uprawnieniami.",
    title: "Potwierdzono nadanie uprawnień",
    lead:
      "W {{organization_name}} nadano uprawnienia, choć za te drogi do nich odpowiadają osoby z mniejszymi " +
      "uprawnieniami: {{channels}}.",
    button: "Sprawdź organizację",
    after: "Jeśli się tego nie spodziewasz, cofnij zmianę albo zastąp połączenia i klucze.",
  },
  role_template_widened: {
    subject: "Rola „{{role_name}}” ma nowe uprawnienia",
    preheader: "Członkowie organizacji {{organization_name}} z tą rolą mają już te uprawnienia.",
    title: "Rola ma nowe uprawnienia",
    lead:
      "Platforma {{brand}} dodała uprawnienia do szablonu „{{role_name}}”, którego używa organizacja " +
      "{{organization_name}}. Członkowie z tą rolą mają odtąd uprawnienia: {{added}}.",
    button: "Sprawdź rolę",
    after: "Jeśli członkowie nie powinni mieć tych uprawnień, odbierz im rolę lub utwórz własną rolę.",
  },
  join_requested: {
    subject: "Prośba o dołączenie do organizacji {{organization_name}}",
    preheader: "{{address}} chce zostać członkiem. Czas na decyzję: {{valid_for}}.",
    title: "Prośba o dołączenie do Twojej organizacji",
    lead:
      "Użytkownik {{address}} prosi o dołączenie do organizacji {{organization_name}} w usłudze {{brand}}. Adres " +
      "należy do zweryfikowanej domeny organizacji. Czas na decyzję: {{valid_for}}.",
    button: "Sprawdź prośbę",
    after: "Jeśli nie znasz użytkownika, odrzuć prośbę.",
  },
  join_approved: {
    subject: "Jesteś teraz członkiem organizacji {{organization_name}}",
    preheader: "Twoja prośba o dołączenie została przyjęta.",
    title: "Twoja prośba została przyjęta",
    lead:
      "Twoja prośba o dołączenie do organizacji {{organization_name}} w usłudze {{brand}} została " +
      "przyjęta. Na swoim koncie możesz przełączyć się na tę organizację.",
    button: "Otwórz konto",
    after: "To nie Twoja prośba? Powiadom administratora.",
  },
  join_denied: {
    subject: "Prośba o dołączenie do organizacji {{organization_name}} została odrzucona",
    preheader: "Możesz poprosić ponownie później.",
    title: "Twoja prośba została odrzucona",
    lead:
      "Twoja prośba o dołączenie do organizacji {{organization_name}} w usłudze {{brand}} została " +
      "odrzucona. Czas do kolejnej prośby, licząc od poprzedniej: {{valid_for}}.",
    button: "Otwórz konto",
    after: "Jeśli potrzebujesz dostępu teraz, poproś członka organizacji o zaproszenie.",
  },
};
