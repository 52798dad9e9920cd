/** French. Sentences state the result and the next step; no exclamation marks. */
import { pluralIn } from "../../../base/plural.ts";
import type { AccountTexts } from "../en/account.ts";

const plural = pluralIn("fr");

export const accountTexts: AccountTexts = {
  account: {
    title: "Compte",
    profile: "Profil",
    upload: "Importer une photo",
    changePicture: "Changer de photo",
    cropTitle: "Recadrer la photo",
    cropHint: "Faites glisser la photo ou utilisez les touches fléchées pour choisir la partie affichée.",
    zoom: "Niveau de zoom",
    usePicture: "Utiliser la photo",
    uploading: "Importation…",
    pictureHint: "PNG, JPEG, WebP, GIF ou AVIF, 5\u00A0Mo au maximum.",
    pictureRefused: "Fichier illisible. Importez un fichier PNG, JPEG, WebP, GIF ou AVIF de 5\u00A0Mo au maximum.",
    name: "Nom",
    signIn: "Connexion",
    verified: "confirmée",
    unverified: "non confirmée",
    emailDetails: "L’adresse avec laquelle vous vous connectez",
    unverifiedDetails: "Ouvrez le lien que nous avons envoyé ou demandez-en un nouveau",
    verify: "Confirmer",
    offerTitle: "Connectez-vous plus vite la prochaine fois",
    offerLead:
      "Ajoutez une clé d’accès et connectez-vous avec votre empreinte digitale, votre visage ou le verrouillage de " +
      "l’écran au lieu du mot de passe.",
    offerLater: "Plus tard",
    passwordSet: "Modifiez-le si quelqu’un d’autre risque de le connaître",
    passwordMissing: "Votre compte n’a pas de mot de passe. Demandez un lien pour en définir un.",
    changePassword: "Modifier le mot de passe",
    setPassword: "Définir un mot de passe",
    currentPassword: "Mot de passe actuel",
    wrongPassword: "Le mot de passe est incorrect.",
    passwordLead: "La modification du mot de passe vous déconnecte de tous vos autres appareils.",
    firstPasswordLead: "Un mot de passe permet aussi de vous connecter. Vos autres sessions seront fermées.",
    removePassword: "Supprimer le mot de passe",
    removePasswordLead:
      "Vous vous connecterez ensuite avec une clé d’accès. Un lien par e‑mail permet de redéfinir un mot de passe.",
    removePasswordNeeds:
      "Ajoutez d’abord une clé d’accès synchronisée ou une seconde clé d’accès, et confirmez votre adresse e‑mail.",
    passwordRemoved: "Votre mot de passe a été supprimé.",
    passwordChanged: "Votre mot de passe a été modifié. Vos autres sessions sont fermées.",
    languageLead: "La langue des pages et des e‑mails.",
    saveLanguage: "Enregistrer la langue",
    languageChanged: "La langue a été modifiée.",
    timeZone: "Fuseau horaire",
    timeZoneLead: "Le fuseau horaire des pages et des e‑mails.",
    noTimeZone: "Non défini\u00A0: UTC",
    saveTimeZone: "Enregistrer le fuseau horaire",
    timeZoneChanged: "Le fuseau horaire a été modifié.",
    organizations: "Organisations",
    switch: "Changer",
    switchTo: (name) => `Passer à ${name}`,
    switched: (name) => `Organisation active\u00A0: ${name}.`,
    saved: "Enregistré.",
    afterVerified: "Votre adresse e‑mail est confirmée.",
    welcome: (name) => `Vous avez rejoint ${name}.`,
    joined: "Vous avez rejoint l’organisation. Passez à l’organisation ci-dessous.",
    ownerHint:
      "Vous exécutez le service en local\u202F? Attribuez-vous le rôle de propriétaire pour ouvrir la console\u00A0:",
    devMail: "Les e‑mails restent sur cette machine\u00A0: afficher les e‑mails",
  },
  emails: {
    title: "Adresses e‑mail",
    lead:
      "Connectez-vous avec n’importe quelle adresse confirmée. Les notifications sont envoyées à l’adresse " +
      "principale.",
    primary: "Principale",
    primaryDetails: "Les notifications sont envoyées à cette adresse",
    pendingAddition: "Ouvrez le lien que nous avons envoyé à cette adresse",
    pendingChange: "Ouvrez le lien que nous avons envoyé à cette adresse pour en faire votre adresse principale",
    change: "Modifier l’adresse principale",
    changeLead:
      "Nous envoyons un lien à la nouvelle adresse. Tant que vous n’ouvrez pas le lien, vous vous connectez avec " +
      "votre adresse actuelle.",
    add: "Ajouter une adresse",
    addLead:
      "Nous envoyons un lien à l’adresse. Une fois le lien ouvert, vous pouvez vous connecter avec cette adresse.",
    address: "Nouvelle adresse e‑mail",
    send: "Envoyer le lien",
    makePrimary: "Définir comme principale",
    makePrimaryOf: (email) => `Définir comme principale : ${email}`,
    primaryLead:
      "Les notifications seront envoyées à cette adresse. Votre adresse actuelle reçoit un lien pour annuler la " +
      "modification.",
    removeTitle: (email) => `Supprimer ${email}`,
    removeLead: "Vous ne pourrez plus vous connecter avec cette adresse. Les deux adresses reçoivent une notification.",
    requested: "Nous avons envoyé un lien à l’adresse. Ouvrez le lien dans ce navigateur.",
    changed: "Vos adresses e‑mail ont été modifiées.",
    removed: "L’adresse a été supprimée.",
    conflict: "Opération impossible\u00A0: l’adresse figure déjà dans votre compte, ou vous avez déjà six adresses.",
    forbidden: "Confirmez d’abord votre adresse actuelle.",
    signInAgain: "Déconnectez-vous, puis reconnectez-vous pour continuer.",
  },
  changeEmail: {
    title: "Confirmez votre nouvelle adresse",
    lead: (email) =>
      `Vous êtes connecté en tant que ${email}. Cliquez sur le bouton pour confirmer que la nouvelle adresse vous ` +
      "appartient.",
    signInFirst: "Connectez-vous au compte pour lequel cette adresse a été demandée, puis confirmez l’adresse.",
    otherUser: "Ce lien est associé à un autre compte. Connectez-vous au compte pour lequel l’adresse a été demandée.",
    dead: "Le lien a expiré ou a déjà été utilisé. Demandez un nouveau lien dans votre compte.",
  },
  undoEmail: {
    title: "Annuler la modification de votre adresse",
    lead:
      "Si vous n’avez pas demandé cette modification, annulez-la\u00A0: votre ancienne adresse redevient l’adresse " +
      "principale.",
    effects:
      "Tous les appareils sont déconnectés. Le mot de passe et toutes les méthodes de connexion ajoutées depuis la " +
      "demande sont supprimés.",
    action: "Annuler la modification",
    doneTitle: "La modification est annulée",
    done: "Définissez un nouveau mot de passe grâce à un lien envoyé à votre adresse.",
    dead:
      "Le lien a expiré ou a déjà été utilisé. Si la sécurité de votre compte est menacée, prévenez votre " +
      "administrateur.",
  },
  notMe: {
    title: "Sécuriser votre compte",
    lead: "À utiliser si vous n’êtes pas à l’origine de la connexion signalée par e‑mail.",
    effects:
      "Tous les appareils sont déconnectés. Le mot de passe, les navigateurs de confiance ainsi que toutes les " +
      "méthodes de connexion et modifications ajoutées depuis cette connexion sont supprimés.",
    action: "Ce n’était pas moi",
    doneTitle: "Votre compte est sécurisé",
    done:
      "Tous les appareils sont déconnectés. Définissez un nouveau mot de passe grâce à un lien envoyé à votre " +
      "adresse.",
    dead:
      "Le lien a expiré ou a déjà été utilisé. Si la sécurité de votre compte est menacée, prévenez votre " +
      "administrateur.",
  },
  security: {
    title: "Sécurité",
    factor: "Validation en deux étapes",
    factorLead: "Demande en plus un code d’une application lorsque vous vous connectez.",
    factorOn:
      "La validation en deux étapes est activée. Après votre mot de passe, un code d’une application est demandé.",
    factorOff: "La validation en deux étapes est désactivée. Seul votre mot de passe est demandé à la connexion.",
    app: "Application d’authentification",
    appOff: "Désactivée. Toute application qui génère des codes à six chiffres convient.",
    on: "activée",
    since: (day) => `Depuis le ${day}`,
    setUp: "Configurer",
    turnOff: "Désactiver",
    recoveryCodes: "Codes de récupération",
    codesLeft: (left) =>
      plural(left, { one: "# restant sur 10", many: "# restants sur 10", other: "# restants sur 10" }),
    fewLeft: "presque épuisés",
    newCodes: "Nouveaux codes",
    passkeys: "Clés d’accès",
    passkeysLead: "Connectez-vous avec votre empreinte digitale, votre visage ou le verrouillage de l’écran.",
    passkey: "Clé d’accès",
    synced: "Synchronisée",
    rename: "Renommer",
    newName: "Nouveau nom",
    passkeyRenamed: "La clé d’accès a été renommée.",
    passkeyHint: "Une clé d’accès vous permet de vous connecter sans mot de passe.",
    addPasskey: "Ajouter une clé d’accès",
    passkeyAdded: "Votre clé d’accès a été ajoutée. Utilisez-la lors de votre prochaine connexion.",
    passkeyRemoved: "La clé d’accès a été supprimée.",
    passkeyFailed: "La clé d’accès n’a pas été ajoutée. Réessayez ou utilisez un autre appareil.",
    passkeyRegistered: "Cet appareil a déjà une clé d’accès pour votre compte.",
    needsScripts: "JavaScript est désactivé. Activez JavaScript pour ajouter une clé d’accès.",
    needsWebAuthn: "Ce navigateur n’est pas compatible avec les clés d’accès.",
    removePasskeyTitle: (name, added) => `Supprimer «\u202F${name}\u202F» (ajout\u00A0: ${added})\u202F?`,
    removePasskeyText:
      "Vous ne pourrez plus vous connecter avec cette clé d’accès. Supprimez-la également sur votre appareil.",
    added: "Ajoutée",
    used: "dernière utilisation",
    sessions: "Sessions actives",
    sessionsLead: "Déconnectez les sessions que vous ne reconnaissez pas, puis modifiez votre mot de passe.",
    firstSeen: "première utilisation",
    sessionCount: (count) => plural(count, { one: "# session", many: "# de sessions", other: "# sessions" }),
    sessionRenamed: "La session a été renommée.",
    unknownBrowser: "Navigateur inconnu",
    browserOn: (browser, system) => `${browser} sur ${system}`,
    endOthers: "Se déconnecter partout ailleurs",
    endOthersText: "Vous serez immédiatement déconnecté de tous vos autres appareils.",
    endApplications:
      "Mettre fin à l’accès des applications connectées. Vous devrez vous reconnecter à ces applications.",
    revokeKeys:
      "Révoquer les clés API que vous avez créées. Les programmes qui les utilisent cesseront de fonctionner.",
    sessionEnded: "La session est fermée.",
    sessionsEnded: "Vous êtes déconnecté de tous vos autres appareils.",
    browsers: "Navigateurs de confiance",
    browsersLead: "Ces navigateurs ne demandent pas la seconde étape.",
    noBrowsers:
      "Aucun navigateur de confiance. Cochez «\u202FFaire confiance à ce navigateur pendant 30 jours\u202F» la " +
      "prochaine fois que vous saisirez un code.",
    forget: "Oublier",
    browserRemoved: "Ce navigateur n’est plus de confiance. La connexion demandera de nouveau la seconde étape.",
    identities: "Fournisseurs associés",
    identitiesLead: "Comptes d’autres fournisseurs avec lesquels vous pouvez vous connecter.",
    noIdentities: "Aucun fournisseur associé.",
    linkProvider: (provider) => `Associer ${provider}`,
    unlink: "Dissocier",
    unlinkTitle: (provider) => `Dissocier ${provider}\u202F?`,
    unlinkLead: (provider) =>
      `Vous ne pourrez plus vous connecter avec ${provider}. Vous recevrez un e‑mail au sujet de cette modification.`,
    unlinked: "Le fournisseur a été dissocié.",
    lastMethod: "C’est votre dernier moyen de vous connecter. Ajoutez d’abord une clé d’accès ou un mot de passe.",
    factorRemoved: "La validation en deux étapes est désactivée.",
    factorDone: "Votre application d’authentification est configurée. Conservez vos codes de récupération en lieu sûr.",
    needsPassword: "Votre compte n’a pas de mot de passe. Définissez d’abord un mot de passe.",
    factorAlready:
      "Votre application d’authentification est activée. Si vous n’avez pas vu vos codes de récupération, créez de " +
      "nouveaux codes.",
    codesRenewed: "Vos nouveaux codes de récupération sont valables. Conservez-les en lieu sûr.",
  },
  authenticator: {
    title: "Configurer une application d’authentification",
    install: "Installez une application d’authentification",
    installLead:
      "Installez une application sur votre téléphone, par exemple Google Authenticator, Microsoft Authenticator ou " +
      "1Password.",
    scan: "Scannez le code QR avec l’application",
    enter: "Saisissez le code",
    enterLead: "L’application affiche maintenant six chiffres.",
    qr: "Code QR du secret\u202F; le secret figure également ci-dessous sous forme de texte",
    qrTitle: "Code QR",
    open: "Ouvrir dans l’application d’authentification",
    key: "Clé",
    type: "Ou saisissez la clé\u00A0:",
    code: "Code de l’application",
    passwordHint: "Obligatoire, car votre connexion remonte à un certain temps.",
    action: "Activer",
  },
  recovery: {
    title: "Vos codes de récupération",
    lead:
      "Vous avez perdu votre téléphone\u202F? Chaque code remplace une fois l’application. Ils ne seront plus " +
      "affichés.",
    copy: "Copier",
    copied: "Copié",
    download: "Télécharger",
    print: "Imprimer",
    file: "codes-de-recuperation",
    kept: "Je les ai enregistrés",
  },
  turnOff: {
    title: "Désactiver la validation en deux étapes",
    lead:
      "Seul votre mot de passe sera demandé à la connexion. Les codes de récupération et les navigateurs de " +
      "confiance ne seront plus valables.",
    action: "Désactiver",
  },
  newCodes: {
    title: "Nouveaux codes de récupération",
    lead: "Vos codes actuels ne fonctionneront plus.",
    action: "Créer de nouveaux codes",
  },
  team: {
    title: "Équipe",
    notYours: "Seuls les propriétaires et les administrateurs de l’organisation peuvent voir ses membres.",
    invite: "Inviter des personnes",
    inviteLead: "La personne invitée reçoit un lien par e‑mail. Le lien est valable sept jours.",
    role: "Rôle",
    sendInvitation: "Envoyer l’invitation",
    invited: "L’invitation vient d’être envoyée.",
    open: "invitation en attente",
    sent: "envoyée",
    resend: "Renvoyer",
    resendTo: (email) => `Renvoyer\u00A0: ${email}`,
    resent: "Un nouveau lien vient d’être envoyé. L’ancien ne fonctionne plus.",
    revoke: "Révoquer",
    revokeTitle: (email) => `Révoquer l’invitation envoyée à ${email}\u202F?`,
    revokeText: "Le lien contenu dans l’e‑mail ne fonctionnera plus.",
    revoked: "L’invitation a été révoquée.",
    used: "L’invitation a été acceptée ou révoquée entre-temps.",
    alreadyThere: "Cette adresse est celle d’un membre ou fait l’objet d’une invitation en attente.",
    members: (count) => plural(count, { one: "# membre", many: "# de membres", other: "# membres" }),
    search: "Nom ou e‑mail",
    find: "Rechercher",
    noMatch: (q) => `Aucun membre ne correspond à «\u202F${q}\u202F».`,
    you: "vous",
    factor: "validation en deux étapes",
    joined: "a rejoint l’organisation",
    roleChanged: "Le rôle a été modifié.",
    removeTitle: (name) => `Retirer ${name}\u202F?`,
    removeText: "Le membre perd immédiatement l’accès à cette organisation. Son compte est conservé.",
    removed: "Le membre a été retiré de l’organisation.",
    leave: "Quitter",
    leaveNamed: (name) => `Quitter ${name}\u202F?`,
    leaveText: "Vous perdez immédiatement l’accès à l’organisation et vous êtes déconnecté. Votre compte est conservé.",
    left: "Vous avez quitté l’organisation et vous êtes déconnecté.",
    lastOwner: "Une organisation doit avoir au moins un propriétaire. Nommez d’abord un autre membre propriétaire.",
  },
  devMail: {
    title: "E‑mails de test",
    lead: "E‑mails en mode intégré, du plus récent au plus ancien.",
    none: "Aucun e‑mail pour le moment. Créez un compte pour recevoir le premier e‑mail.",
    html: "En HTML",
  },
};
