/** French. Sentences state the result and the next step; no exclamation marks. */
import { pluralIn } from "../../../base/plural.ts";
import type { SignInTexts } from "../en/sign-in.ts";

const plural = pluralIn("fr");

export const signInTexts: SignInTexts = {
  common: {
    language: "Langue",
    until: (day) => `jusqu’au ${day}`,
    email: "Adresse e‑mail",
    password: "Mot de passe",
    yourName: "Votre nom",
    optional: "(facultatif)",
    or: "ou",
    showPassword: "Afficher le mot de passe",
    busy: "Un instant…",
    saving: "Enregistrement…",
    sending: "Envoi…",
    save: "Enregistrer",
    remove: "Supprimer",
    cancel: "Annuler",
    typeName: (name) => `Pour confirmer, saisissez «\u202F${name}\u202F»`,
    continue: "Continuer",
    backToSignIn: "Revenir à la connexion",
    thisDevice: "Cet appareil",
    current: "Active",
    skip: "Passer au contenu",
    navigation: "Compte",
    pages: "Pagination",
    pageBefore: "Précédent",
    pageAfter: "Suivant",
    pageOf: (page, last) => `Page ${page} sur ${last}`,
    storedNow: "Valeur enregistrée\u00A0:",
    ticked: "cochée",
    empty: "non cochée",
    changedSince:
      "Une autre personne a modifié ces paramètres\u202F; les vôtres ne sont pas enregistrés. Les valeurs actuelles " +
      "figurent à côté des champs.",
    loadCurrent: "Charger les paramètres actuels",
    copyFailed: "Le navigateur bloque la copie. Le texte est sélectionné\u00A0: copiez-le manuellement.",
  },
  roles: { owner: "Propriétaire", admin: "Administrateur", member: "Membre" },
  password: {
    rule: (least) =>
      plural(least, {
        one: "Au moins # caractère. Quelques mots se retiennent mieux que des symboles.",
        many: "Au moins # de caractères. Quelques mots se retiennent mieux que des symboles.",
        other: "Au moins # caractères. Quelques mots se retiennent mieux que des symboles.",
      }),
    tooShort: "Choisissez un mot de passe d’au moins 12 caractères.",
    tooLong: "Choisissez un mot de passe de 256 caractères au maximum.",
    common: "Ce mot de passe est trop courant. Choisissez-en un autre.",
    basedOn: (stem) => `Trop facile à deviner\u00A0: basé sur «\u202F${stem}\u202F».`,
    strengths: ["Trop court", "Faible", "Bon", "Excellent"],
  },
  problems: {
    passwordMissing: "Saisissez un mot de passe.",
    emailMissing: "Saisissez votre adresse e-mail.",
    rateLimited: (span) => `Trop de tentatives. Réessayez dans ${span}.`,
    email: "Saisissez une adresse e-mail, par exemple ada@example.com.",
    name: "Utilisez de 1 à 120 caractères, sans lien ni saut de ligne.",
    code: "Ce code est incorrect. Saisissez le code affiché par l’application et vérifiez l’heure de votre appareil.",
    authentication_required: "Connectez-vous pour continuer.",
    conflict: "Ces données ont été modifiées entre-temps. Actualisez la page, puis réessayez.",
    csrf_failed:
      "Ce formulaire est resté ouvert trop longtemps ou ne vient pas de ce site. Revenez en arrière, actualisez la " +
      "page et réessayez.",
    forbidden: "Votre rôle ne permet pas cette action. Adressez-vous à un propriétaire de votre organisation.",
    internal_error: "Une erreur s’est produite de notre côté. Réessayez dans une minute.",
    invalid_input: "Un champ du formulaire est vide ou incorrect. Vérifiez le formulaire et envoyez-le à nouveau.",
    license_required: "Cette fonctionnalité nécessite une licence. Adressez-vous à l’exploitant de ce service.",
    mfa_required: "Confirmez votre identité pour continuer.",
    not_found: "Vérifiez l’adresse ou revenez à l’accueil.",
    payment_required: "Votre offre ne comprend pas cette fonctionnalité. Adressez-vous à l’exploitant de ce service.",
    rate_limited: "Trop de tentatives. Réessayez plus tard.",
    switched: "Vous avez changé d’organisation. Revenez en arrière, actualisez la page et réessayez.",
  },
  signIn: {
    busy: "Connexion…",
    title: "Connexion",
    action: "Se connecter",
    lastUsed: "Dernière utilisée",
    welcomeBack: "Heureux de vous revoir",
    notYou: "Ce n’est pas vous\u202F?",
    anotherAddress: "Utiliser une autre adresse",
    remember: "Mémoriser cette adresse e‑mail",
    forgot: "Mot de passe oublié\u202F?",
    resetPassword: "Réinitialiser le mot de passe",
    passkey: "Utiliser une clé d’accès",
    passkeyFailed: "La clé d’accès n’a pas été acceptée. Réessayez ou utilisez une autre méthode de connexion.",
    mailCode: "Recevoir un code par e‑mail",
    continueWith: (provider) => `Continuer avec ${provider}`,
    newHere: "Pas encore de compte\u202F?",
    register: "Créer un compte",
    wrong: "Adresse e-mail ou mot de passe incorrect. Réessayez ou connectez-vous avec un code reçu par e-mail.",
    otherWay: "Utiliser une autre méthode",
    afterReset: "Votre mot de passe a été modifié. Connectez-vous avec le nouveau mot de passe.",
    afterVerified: "Votre adresse e-mail est confirmée. Connectez-vous pour continuer.",
    afterJoined: "Vous avez rejoint l’organisation. Connectez-vous pour continuer.",
    socialFailed: "La connexion n’a pas abouti. Réessayez ou utilisez une autre méthode de connexion.",
    socialConflict:
      "Un compte existe déjà avec cette adresse e-mail. Connectez-vous avec votre mot de passe ou un code.",
  },
  mailCode: {
    title: "Consultez vos e‑mails",
    lead: (email) =>
      `Si l’adresse ${email} est associée à un compte, un code à six chiffres vient d’être envoyé. Il est valable ` +
      "dix minutes.",
    code: "Code reçu par e‑mail",
    wrong: "Le code est incorrect ou a expiré. Réessayez ou demandez un nouveau code.",
    again: "Renvoyer un code",
    noCode: "Pas de code au bout de 30 secondes\u202F? Vérifiez vos spams ou demandez un nouveau code.",
    newCodeIn: (seconds) => `Nouveau code dans ${seconds}\u00A0s`,
    sentAgain: "Si l’adresse est associée à un compte, un nouveau code vient d’être envoyé.",
    askTitle: "Connexion avec un code",
    askLead: "Nous envoyons un code à six chiffres à votre adresse e-mail.",
    over: "Le code a expiré. Demandez un nouveau code.",
  },
  challenge: {
    title: "Confirmez votre identité",
    lead: "Saisissez les six chiffres affichés par votre application d’authentification.",
    recoveryLead: "Saisissez l’un de vos codes de récupération. Chaque code ne fonctionne qu’une fois.",
    code: "Code de l’application",
    recoveryCode: "Code de récupération",
    trust: "Faire confiance à ce navigateur pendant 30 jours",
    useRecovery: "Utiliser plutôt un code de récupération",
    useApp: "Utiliser plutôt l’application d’authentification",
    over: "Recommencer",
    expired: "La connexion a expiré. Reconnectez-vous.",
    wrong: "Le code est incorrect ou la connexion a expiré. Essayez le code suivant ou recommencez.",
  },
  continued: {
    lead: "La page suivante s’affiche automatiquement.",
  },
  stepUp: {
    passkeyLead: "Cette action nécessite une nouvelle confirmation. Utilisez votre clé d’accès.",
    needsScripts: "JavaScript est désactivé. Activez JavaScript pour utiliser votre clé d’accès.",
    title: "Confirmez votre identité",
    lead:
      "Cette action nécessite une nouvelle confirmation. Saisissez les six chiffres affichés par votre application " +
      "d’authentification.",
    recoveryLead:
      "Cette action nécessite une nouvelle confirmation. Saisissez l’un de vos codes de récupération. Chaque code ne " +
      "fonctionne qu’une fois.",
  },
  protect: {
    title: "Protégez d’abord votre compte",
    lead:
      "Cette action nécessite la validation en deux étapes. Ajoutez une clé d’accès ou configurez une " +
      "application\u202F; " +
      "vous reviendrez ensuite à l’action.",
    app: "Configurer une application d’authentification",
  },
  register: {
    busy: "Création de votre compte…",
    title: "Créer un compte",
    organization: "Organisation",
    organizationMissing: "Saisissez le nom de votre organisation.",
    organizationHint: "Votre entreprise, équipe ou projet. Vous pourrez inviter d’autres personnes plus tard.",
    action: "Créer un compte",
    accept: "En créant un compte, vous acceptez\u00A0:",
    terms: "Conditions d’utilisation",
    privacy: "Politique de confidentialité",
    haveOne: "Vous avez déjà un compte\u202F?",
    signIn: "Se connecter",
    taken: "Un compte existe déjà avec cette adresse. Connectez-vous ou réinitialisez le mot de passe.",
  },
  forgot: {
    title: "Réinitialiser votre mot de passe",
    lead: "Saisissez votre adresse e-mail. Nous vous envoyons un lien pour choisir un nouveau mot de passe.",
    action: "Envoyer le lien",
    sentTitle: "Consultez vos e‑mails",
    sent:
      "Si l’adresse est associée à un compte, un lien valable une heure vient d’être envoyé. Pensez à vérifier vos " +
      "spams.",
    again: "Utiliser une autre adresse",
  },
  reset: {
    title: "Choisir un nouveau mot de passe",
    lead: "Vous serez déconnecté de tous vos appareils, puis vous vous reconnecterez avec le nouveau mot de passe.",
    password: "Nouveau mot de passe",
    action: "Modifier le mot de passe",
    dead: "Le lien a expiré ou a déjà été utilisé. Demandez un nouveau lien.",
    again: "Demander un nouveau lien",
  },
  link: {
    dead: "Ce lien ne fonctionne plus",
    another:
      "Vous avez ouvert un autre lien depuis, et cette page correspond désormais au nouveau lien. Ouvrez à nouveau " +
      "le " +
      "premier lien.",
  },
  verify: {
    title: "Confirmez votre adresse e‑mail",
    lead: "Cliquez sur le bouton pour confirmer que cette adresse vous appartient.",
    notYou: "Vous n’avez pas créé de compte\u202F? Fermez cette page, rien ne changera.",
    action: "Confirmer l’adresse",
    dead: "Le lien a expiré ou a déjà été utilisé. Connectez-vous pour demander un nouveau lien.",
    deadSignedIn: "Le lien a expiré ou a déjà été utilisé. Demandez un nouveau lien.",
    waitingTitle: "Consultez vos e‑mails",
    waiting: (email) =>
      `Nous avons envoyé un lien à ${email}. Ouvrez-le pour confirmer que cette adresse vous appartient.`,
    again: "Envoyer un nouveau lien",
    sentAgain: "Un nouveau lien vient d’être envoyé.",
  },
  invitation: {
    title: (organization) => `Rejoindre ${organization}`,
    byName: (name, organization, role) => `${name} vous invite à rejoindre ${organization}. Rôle\u00A0: ${role}.`,
    by: (organization, role) => `Vous êtes invité à rejoindre ${organization}. Rôle\u00A0: ${role}.`,
    details: (email, until) => `Pour ${email}. Valable jusqu’au ${until}.`,
    join: "Rejoindre",
    joinNew: "Créer un compte et rejoindre",
    signIn: (email) => `Se connecter en tant que ${email}`,
    wrongUser: (caller, email) => `Vous êtes connecté en tant que ${caller}. L’invitation est destinée à ${email}.`,
    switchUser: "Se déconnecter et utiliser l’autre compte",
    dead: "L’invitation a expiré, ou son auteur n’est plus autorisé à inviter. Demandez une nouvelle invitation.",
    used: "L’invitation a été acceptée ou révoquée. Si vous avez rejoint l’organisation, connectez-vous.",
  },
  signOut: {
    title: "Déconnexion",
    lead: (email) => `Vous êtes connecté en tant que ${email}.`,
    action: "Se déconnecter",
    done: "Vous êtes déconnecté.",
  },
  error: {
    title: "L’opération a échoué",
    text: "La demande n’a pas pu aboutir. Revenez en arrière et réessayez.",
    notFound: "Page introuvable",
    failed: "Une erreur s’est produite de notre côté",
    requestId: "Si vous demandez de l’aide, indiquez cet ID de requête\u00A0:",
    details: "Détails",
    home: "Revenir à l’accueil",
    inTitle: (title) => `Erreur\u00A0: ${title}`,
  },
};
