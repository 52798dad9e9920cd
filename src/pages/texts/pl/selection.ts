/** Polish: selected rows of lists, and actions on the selected rows. */
import { pluralIn } from "../../../base/plural.ts";
import type { SelectionTexts } from "../en/selection.ts";

const plural = pluralIn("pl");

export const selectionTexts: SelectionTexts = {
  selection: {
    select: (name) => `Zaznacz: ${name}`,
    rows: "Zaznaczone wiersze",
    all: "Zaznacz wszystko",
    back: "Wróć do listy",
    missing: "Ten wiersz już nie istnieje.",
    bounds: (count) =>
      plural(count, {
        one: "Zaznacz # wiersz.",
        few: "Zaznacz od 1 do # wierszy.",
        many: "Zaznacz od 1 do # wierszy.",
        other: "Zaznacz od 1 do # wiersza.",
      }),
    partial: (count) =>
      plural(count, {
        one: "# wiersz nie został zmieniony",
        few: "# wiersze nie zostały zmienione",
        many: "# wierszy nie zostało zmienionych",
        other: "# wiersza nie zostało zmienione",
      }),
    actions: {
      "remove-selected": {
        action: "Usuń",
        title: (count) =>
          plural(count, {
            one: "Usunąć # członka?",
            few: "Usunąć # członków?",
            many: "Usunąć # członków?",
            other: "Usunąć # członka?",
          }),
        text: "Te osoby natychmiast stracą dostęp do organizacji. Konta pozostaną.",
        done: (count) =>
          plural(count, {
            one: "Usunięto # członka.",
            few: "Usunięto # członków.",
            many: "Usunięto # członków.",
            other: "Usunięto # członka.",
          }),
      },
      "resend-selected": {
        action: "Wyślij ponownie",
        title: (count) =>
          plural(count, {
            one: "Wysłać ponownie # zaproszenie?",
            few: "Wysłać ponownie # zaproszenia?",
            many: "Wysłać ponownie # zaproszeń?",
            other: "Wysłać ponownie # zaproszenia?",
          }),
        text: "Każdy e‑mail zawiera nowy link. Poprzednie linki przestaną działać.",
        done: (count) =>
          plural(count, {
            one: "Wysłano ponownie # zaproszenie.",
            few: "Wysłano ponownie # zaproszenia.",
            many: "Wysłano ponownie # zaproszeń.",
            other: "Wysłano ponownie # zaproszenia.",
          }),
      },
      "revoke-selected": {
        action: "Odwołaj",
        title: (count) =>
          plural(count, {
            one: "Odwołać # zaproszenie?",
            few: "Odwołać # zaproszenia?",
            many: "Odwołać # zaproszeń?",
            other: "Odwołać # zaproszenia?",
          }),
        text: "Linki w e‑mailach przestaną działać.",
        done: (count) =>
          plural(count, {
            one: "Odwołano # zaproszenie.",
            few: "Odwołano # zaproszenia.",
            many: "Odwołano # zaproszeń.",
            other: "Odwołano # zaproszenia.",
          }),
      },
      "end-selected": {
        action: "Zakończ sesje",
        title: (count) =>
          plural(count, {
            one: "Zakończyć # sesję?",
            few: "Zakończyć # sesje?",
            many: "Zakończyć # sesji?",
            other: "Zakończyć # sesji?",
          }),
        text: "Urządzenia zostaną natychmiast wylogowane. Użytkownicy mogą zalogować się ponownie.",
        done: (count) =>
          plural(count, {
            one: "Zakończono # sesję.",
            few: "Zakończono # sesje.",
            many: "Zakończono # sesji.",
            other: "Zakończono # sesji.",
          }),
      },
      "disable-selected": {
        action: "Wyłącz",
        title: (count) =>
          plural(count, {
            one: "Wyłączyć # użytkownika?",
            few: "Wyłączyć # użytkowników?",
            many: "Wyłączyć # użytkowników?",
            other: "Wyłączyć # użytkownika?",
          }),
        text:
          "Wszystkie sesje tych użytkowników zakończą się natychmiast, a logowanie będzie odrzucane do " +
          "ponownego włączenia kont.",
        done: (count) =>
          plural(count, {
            one: "Wyłączono # użytkownika.",
            few: "Wyłączono # użytkowników.",
            many: "Wyłączono # użytkowników.",
            other: "Wyłączono # użytkownika.",
          }),
      },
      "sign-out-selected": {
        action: "Wyloguj wszędzie",
        title: (count) =>
          plural(count, {
            one: "Wylogować wszędzie # użytkownika?",
            few: "Wylogować wszędzie # użytkowników?",
            many: "Wylogować wszędzie # użytkowników?",
            other: "Wylogować wszędzie # użytkownika?",
          }),
        text: "Wszystkie sesje tych użytkowników zakończą się natychmiast. Użytkownicy mogą zalogować się ponownie.",
        done: (count) =>
          plural(count, {
            one: "Wylogowano wszędzie # użytkownika.",
            few: "Wylogowano wszędzie # użytkowników.",
            many: "Wylogowano wszędzie # użytkowników.",
            other: "Wylogowano wszędzie # użytkownika.",
          }),
      },
    },
  },
};
