import type { AddressEmailKinds } from "./shape.ts";

/** E-mails about the addresses of a user. */
export const addressEmails: AddressEmailKinds = {
  email_change: {
    subject: "Potwierdź adres e-mail w {{brand}}",
    preheader: "Ważność linku: {{valid_for}}. Otwórz go w przeglądarce, w której konto jest zalogowane.",
    title: "Potwierdź nowy adres",
    lead: "Potwierdź, że ten adres należy do Twojego konta w {{brand}}. Do tego czasu logujesz się bieżącym adresem.",
    button: "Potwierdź ten adres",
    after: "To nie Twoja prośba? Zignoruj tego e-maila: bez potwierdzenia adres nie będzie używany.",
  },
  email_in_use: {
    subject: "Twój adres w {{brand}}",
    preheader: "Adres należy już do konta. Nic się nie zmieniło.",
    title: "Twój adres jest już używany",
    lead: "Zażądano dodania tego adresu do konta w {{brand}}. Adres należy już do konta, więc nic się nie zmieniło.",
    button: "Zaloguj się",
    after:
      "To Twoja prośba? Zaloguj się tym adresem lub ustaw nowe hasło podczas logowania. Jeśli nie, zignoruj tego " +
      "e-maila.",
  },
  email_change_notice: {
    subject: "Adres e-mail Twojego konta w {{brand}}",
    preheader: "{{device}}, {{time}}. Jeśli to nie Ty, cofnij zmianę.",
    title: "Twój adres e\u2011mail",
    lead: "Adresy e-mail Twojego konta w {{brand}} zostały lub zostaną zmienione.",
    change:
      "Zażądano nowego adresu głównego{{#new_email}}: {{new_email}}{{/new_email}}. Po jego potwierdzeniu ten adres " +
      "nie będzie już należeć do konta.",
    addition:
      "Zażądano dodatkowego adresu{{#new_email}}: {{new_email}}{{/new_email}}. Po jego potwierdzeniu będzie można " +
      "się nim logować i resetować hasło.",
    replaced:
      "Adres główny został zmieniony{{#new_email}} na {{new_email}}{{/new_email}}. Tym adresem nadal można się " +
      "logować.",
    undo:
      "Jeśli to nie Ty, cofnij zmianę. Link działa jeden raz; czas od zmiany: {{undo_period}}. Wszystkie urządzenia " +
      "zostaną wylogowane, a hasło i sposoby logowania dodane od czasu żądania zostaną usunięte:",
    noUndo: "Ten adres nigdy nie został potwierdzony dla konta, więc nie trzeba nic robić.",
    button: "Sprawdź ustawienia zabezpieczeń",
    after: "Jeśli to Ty, możesz zignorować tego e-maila.",
  },
  email_removed: {
    subject: "Usunięto adres e-mail w {{brand}}",
    preheader: "{{device}}, {{time}}. Jeśli to nie Ty, zmień hasło.",
    title: "Usunięto adres e\u2011mail",
    lead: "Adres {{email}} został usunięty z konta w {{brand}}. Nie można się nim już logować.",
    button: "Sprawdź ustawienia zabezpieczeń",
    after: "Jeśli to Ty, możesz zignorować tego e-maila. Jeśli nie, natychmiast zmień hasło i powiadom administratora.",
  },
  email_reverted: {
    subject: "Cofnięto zmianę Twojego adresu w {{brand}}",
    preheader: "Ten adres jest znów adresem głównym. Ustaw nowe hasło.",
    title: "Cofnięto zmianę adresu",
    lead:
      "Ten adres jest znów adresem głównym Twojego konta. Wszystkie urządzenia zostały wylogowane, a hasło i sposoby " +
      "logowania dodane od czasu żądania zostały usunięte. Ustaw nowe hasło.",
    button: "Ustaw nowe hasło",
    after: "To nie Ty? Powiadom administratora.",
  },
};
