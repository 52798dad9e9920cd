/** French. Pages of a sign-in to an application. */
import type { OAuthTexts } from "../en/oauth.ts";

export const oauthTexts: OAuthTexts = {
  oauth: {
    continueTo: "pour accéder à",
    title: (name) => `Se connecter à ${name}`,
    lead: (name) => `${name} souhaite\u00A0:`,
    notYou: "Ce n’est pas vous\u202F?",
    organizationHint: "L’accès concerne cette organisation.",
    change: "Changer",
    changeOrganization: "d’organisation",
    switchHint: "Choisissez l’organisation. Vous changez également d’organisation sur ce site.",
    goesTo: (host) => `Vous serez redirigé vers ${host}.`,
    removable:
      "Vous pouvez retirer l’accès à tout moment sous «\u202FApplications connectées\u202F» dans votre compte.",
    home: (name) => `Page d’accueil de ${name}`,
    policy: (name) => `Politique de confidentialité de ${name}`,
    terms: (name) => `Conditions d’utilisation de ${name}`,
    documentHost: "Adresse de l’application",
    responseHost: "Vos données sont envoyées à",
    unregistered: "Cette application n’est pas enregistrée ici. Vérifiez que vous connaissez l’adresse.",
    unverified:
      "Personne n’a vérifié cette application. Son nom et son image peuvent être faux. Continuez uniquement si vous " +
      "êtes à l’origine de cette demande.",
    unverifiedName: (name) => `${name} (non vérifié)`,
    leaveTitle: "Continuer vers une autre adresse\u202F?",
    leaveText: "Personne n’a vérifié ici l’adresse de cette application. Continuez uniquement si vous la connaissez.",
    leaveTo: (host) => `Continuer vers ${host}`,
    anyProgram:
      "Tout programme de votre ordinateur peut se faire passer pour cette application. Continuez uniquement si " +
      "vous avez vous-même lancé cette connexion.",
    allow: "Autoriser",
    deny: "Refuser",
    otherAccount: "Utiliser un autre compte",
    resource: "agir en votre nom auprès de ce service",
    otherScope: "utiliser une autorisation de l’application",
    offlineUntil: "Jusqu’à ce que vous retiriez l’accès",
    scopes: {
      openid: "confirmer votre identité",
      profile: "consulter votre nom, votre photo et votre langue",
      email: "consulter votre adresse e‑mail",
      organization: "consulter votre organisation et le rôle que vous y avez",
      offline_access: "conserver l’accès en votre absence",
    },
    device: {
      title: "Connecter un appareil",
      lead: "Saisissez le code affiché par votre appareil.",
      code: "Code de l’appareil",
      codeHint: "Huit lettres, par exemple WDJB-MJHT",
      compare: "Comparez ce code avec celui de votre appareil.",
      seen: "Ce code est affiché sur l’appareil devant moi",
      mustSee: "Confirmez que vous voyez ce code sur votre appareil.",
      unknown: "Aucun appareil n’attend avec ce code. Vérifiez le code ou recommencez sur l’appareil.",
      confirmTitle: (name: string) => `Se connecter à ${name} sur un appareil`,
      warning: "Quelqu’un vous a envoyé ce code\u202F? Alors arrêtez-vous ici.",
      address: "Adresse réseau de l’appareil",
      requested: "Heure de la demande",
      approvedTitle: "Appareil connecté",
      approved: "Revenez à votre appareil. La connexion s’y poursuit.",
      deniedTitle: "Appareil refusé",
      denied: "L’appareil n’obtient aucun accès.",
    },
    passOnTitle: "Un instant",
    passOn: "Redirection vers l’application en cours.",
    open: (name) => `Ouvrir ${name}`,
    openHint: "L’application s’ouvre sur cet appareil. Si elle ne s’ouvre pas, cliquez sur le bouton.",
    openClose: "Vous pourrez ensuite fermer cette fenêtre.",
    errorTitle: "La connexion n’a pas pu aboutir",
    errorText:
      "L’application qui vous a redirigé ici a commis une erreur, ou la demande est trop ancienne. Recommencez " +
      "depuis l’application.",
    logoutLead: (name, email) => `${name} demande à vous déconnecter. Vous êtes connecté en tant que ${email}.`,
    applications: "Applications connectées",
    allowed: "Applications autorisées",
    applicationsLead:
      "Vous vous connectez à ces applications avec ce compte. Une application ne voit que les données indiquées.",
    none: "Vous ne vous êtes connecté à aucune autre application avec ce compte.",
    ours: "fait partie de ce service",
    takeBack: "Retirer",
    takeBackFrom: (name) => `Retirer l’accès\u00A0: ${name}`,
    takeBackTitle: (name) => `Retirer l’accès à votre compte pour ${name}\u202F?`,
    takeBackText:
      "L’application est déconnectée et perd immédiatement l’accès. Elle demandera une nouvelle autorisation à la " +
      "prochaine connexion.",
    since: (day) => `Depuis le ${day}`,
    used: "Dernière utilisation",
    takenBack:
      "Accès retiré. L’application est déconnectée et demandera une nouvelle autorisation à la prochaine connexion.",
    logoutErrorTitle: "La déconnexion n’a pas pu aboutir",
    logoutErrorText: "L’application qui vous a redirigé ici a commis une erreur. Personne n’a été déconnecté.",
  },
};
