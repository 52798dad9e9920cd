/** Italian: pages of a sign-in to an application. */
import type { OAuthTexts } from "../en/oauth.ts";

export const oauthTexts: OAuthTexts = {
  oauth: {
    continueTo: "per continuare su",
    title: (name) => `Accedi a ${name}`,
    lead: (name) => `${name} vuole:`,
    notYou: "Non sei tu?",
    organizationHint: "L’accesso vale per questa organizzazione.",
    change: "Cambia",
    changeOrganization: "organizzazione",
    switchHint: "Scegli l’organizzazione. Passerai a questa organizzazione anche qui.",
    goesTo: (host) => `Tornerai a ${host}.`,
    removable: "Puoi rimuovere l’accesso in qualsiasi momento in “Applicazioni” nel tuo account.",
    policy: (name) => `Norme sulla privacy di ${name}`,
    terms: (name) => `Termini di servizio di ${name}`,
    allow: "Consenti",
    deny: "Rifiuta",
    otherAccount: "Usa un altro account",
    resource: "agire per tuo conto in questo servizio",
    otherScope: "usare un’autorizzazione dell’applicazione",
    offlineUntil: "Finché non rimuovi l’accesso",
    scopes: {
      openid: "confermare la tua identità",
      profile: "vedere il tuo nome, la tua immagine e la tua lingua",
      email: "vedere il tuo indirizzo email",
      organization: "vedere la tua organizzazione e il tuo ruolo al suo interno",
      offline_access: "mantenere l’accesso quando non usi l’applicazione",
    },
    passOnTitle: "Un momento",
    passOn: "Reindirizzamento all’applicazione in corso.",
    open: (name) => `Apri ${name}`,
    openHint: "L’applicazione si apre su questo dispositivo. Se non si apre, premi il pulsante.",
    openClose: "Dopo puoi chiudere questa finestra.",
    errorTitle: "Non è stato possibile completare l’accesso",
    errorText:
      "L’applicazione da cui provieni ha commesso un errore o la richiesta è troppo vecchia. Ricomincia " +
      "dall’applicazione.",
    logoutLead: (name, email) => `${name} chiede di farti uscire dall’account. Hai eseguito l’accesso come ${email}.`,
    applications: "Applicazioni",
    allowed: "Applicazioni autorizzate",
    applicationsLead: "Accedi a queste applicazioni con questo account. Un’applicazione vede solo i dati elencati.",
    none: "Non hai eseguito l’accesso ad altre applicazioni con questo account.",
    ours: "parte di questo servizio",
    takeBack: "Rimuovi",
    takeBackFrom: (name) => `Rimuovi ${name}`,
    takeBackTitle: (name) => `Rimuovere ${name}?`,
    takeBackText:
      "La sessione dell’applicazione verrà chiusa e l’applicazione perderà subito l’accesso. Al prossimo accesso " +
      "chiederà di nuovo l’autorizzazione.",
    since: (day) => `Autorizzazione: ${day}`,
    used: "Ultimo utilizzo",
    takenBack:
      "Applicazione rimossa. La sua sessione è stata chiusa e la prossima volta chiederà di nuovo l’autorizzazione.",
    logoutErrorTitle: "Non è stato possibile completare l’uscita",
    logoutErrorText: "L’applicazione da cui provieni ha commesso un errore. Nessuna sessione è stata chiusa.",
  },
};
