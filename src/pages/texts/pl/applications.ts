/** Polski: aplikacje z dostępem do organizacji i decyzje o aplikacjach. */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "Aplikacje",
    lead: "Aplikacje z dostępem dla członków tej organizacji.",
    notYours: "Aplikacje widzą tylko administratorzy organizacji.",
    requestsTitle: "Prośby członków",
    requestsLead: "Członkowie poprosili o te aplikacje. Sprawdź adres, zanim zatwierdzisz aplikację.",
    noRequest: "Żadna prośba nie czeka na decyzję.",
    usedTitle: "Aplikacje z dostępem",
    none: "Żadna aplikacja nie ma dostępu dla członków tej organizacji.",
    end: "Zakończ dostęp",
    decisionsTitle: "Decyzje",
    decisionsLead: "Decyzje obowiązują, gdy zasady organizacji dopuszczają tylko zatwierdzone aplikacje.",
    approve: "Zatwierdź",
    deny: "Odrzuć",
    approved: "Aplikacja została zatwierdzona.",
    denied: "Aplikacja została odrzucona.",
    ended: "Dostęp aplikacji został zakończony.",
    endText:
      "Wszyscy członkowie zostaną wylogowani z aplikacji, a zatwierdzenie zostanie wycofane. Jeśli " +
      "zasady dopuszczają aplikację, członkowie mogą ponownie zezwolić na dostęp.",
    approvalAsk: "Poproś administratora",
    approvalBack: "Wróć do aplikacji",
    statuses: { approved: "zatwierdzona", denied: "odrzucona" },
    changed: "zmieniona po zatwierdzeniu",
    requestOf: (name) => `prośba od: ${name}`,
    endNamed: (name) => `Zakończ dostęp aplikacji ${name}`,
    endTitle: (name) => `Zakończyć dostęp aplikacji ${name}?`,
    approveNamed: (name) => `Zatwierdź aplikację ${name}`,
    denyNamed: (name) => `Odrzuć aplikację ${name}`,
    approvalTitle: (name) => `Aplikacja ${name} wymaga zatwierdzenia`,
    approvalText: (organization) =>
      `${organization} dopuszcza tylko zatwierdzone aplikacje. Poproś administratora o zatwierdzenie tej ` +
      "aplikacji.",
    approvalRequested: (organization) =>
      `Prośba czeka na administratora organizacji ${organization}. Po zatwierdzeniu zaloguj się w ` +
      "aplikacji ponownie.",
  },
};
