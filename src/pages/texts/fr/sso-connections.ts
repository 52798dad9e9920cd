/** French: connections of organizations to identity providers. */
import type { SsoConnectionTexts } from "../en/sso-connections.ts";

export const ssoConnectionTexts: SsoConnectionTexts = {
  ssoConnections: {
    title: "Connexions",
    lead: "Les membres se connectent avec leur compte d’entreprise auprès de votre fournisseur d’identité.",
    none: "Aucune connexion pour le moment. Choisissez d’abord votre fournisseur d’identité.",
    create: "Nouvelle connexion",
    newLead: "Choisissez votre fournisseur d’identité. La page suivante contient les instructions.",
    otherProvider: "Autre fournisseur d’identité",
    full: "Votre organisation a déjà le maximum de 10 connexions. Supprimez d’abord une connexion.",
    created: "La connexion est créée. Suivez les étapes de cette page.",
    saved: "La connexion est enregistrée.",
    lastSignIn: "Dernière utilisation\u00A0:",
    noSignIn: "Pas encore utilisée",
    statuses: { draft: "Brouillon", active: "Activée", inactive: "Désactivée" },
    sections: { overview: "Configuration", mapping: "Données des utilisateurs", attempts: "Tentatives" },
    provider: "Configurer le fournisseur d’identité",
    providerLead:
      "Suivez ces instructions dans la console du fournisseur d’identité. Les libellés sont ceux de la version " +
      "anglaise.",
    instructions: "Instructions détaillées",
    guide: {
      open: (path) => `Ouvrez «\u202F${path}\u202F».`,
      select: (field, value) => `Sous «\u202F${field}\u202F», sélectionnez «\u202F${value}\u202F».`,
      choose: (value) => `Sélectionnez «\u202F${value}\u202F».`,
      enter: (field) => `Saisissez cette adresse sous «\u202F${field}\u202F»\u00A0:`,
      copy: (field, target) =>
        `Copiez «\u202F${field}\u202F» dans le champ «\u202F${target}\u202F» à l’étape 2 de cette page.`,
      repeat: (field, target) => `Copiez «\u202F${field}\u202F» dans le champ «\u202F${target}\u202F».`,
    },
    addresses: "Toutes les adresses de la connexion",
    values: "Saisir les valeurs",
    name: "Nom de la connexion",
    nameHint: "Les membres voient ce nom lorsqu’ils se connectent.",
    issuerHint: (format) => `Format\u00A0: ${format}`,
    clientSecret: "Secret client",
    tokenAuth: "Authentification de ce service",
    tokenAuths: { client_secret: "Secret client", private_key_jwt: "Paire de clés (private_key_jwt)" },
    secretStored: "Un secret est enregistré. Laissez le champ vide pour le conserver.",
    secretNew: "Le secret est enregistré sous forme chiffrée et ne sera plus affiché.",
    clearSecret: "Supprimer le secret enregistré",
    secretExpiry: "Expiration du secret",
    secretExpiryHint:
      "La date affichée par le fournisseur d’identité. Les propriétaires reçoivent un e‑mail 30, 14 et 7 jours, " +
      "puis 1 jour avant.",
    secretEnds: (date: string) =>
      `Le secret client est valable jusqu’au ${date}. Créez un nouveau secret chez le fournisseur d’identité.`,
    secretEnded: (date: string) => `Le secret client a expiré le ${date}. Saisissez un nouveau secret.`,
    noConfigKey: "Ce service ne peut enregistrer ni secrets ni clés. Adressez-vous à l’exploitant de ce service.",
    keysLead: "Le fournisseur d’identité charge les clés publiques à cette adresse.",
    keyStatuses: { next: "Suivante", current: "Utilisée", previous: "Précédente" },
    addKey: "Créer la clé suivante",
    promoteKey: "Utiliser la clé suivante",
    removeKey: "Retirer la clé précédente",
    keyAdded: "La clé suivante est publiée. Utilisez-la lorsque le fournisseur d’identité l’a chargée.",
    keyPromoted: "La clé suivante est utilisée. La clé précédente reste publiée.",
    keyRemoved: "La clé précédente est retirée.",
    unlinkText:
      "Des utilisateurs sont associés à cette connexion. La modification dissocie tous les utilisateurs et met fin à " +
      "leurs sessions.",
    unlink: "Dissocier tous les utilisateurs",
    domains: "Valider un domaine",
    domainsLead:
      "Seules les adresses de vos domaines validés peuvent se connecter. Un domaine sans attribution est valable " +
      "pour toutes les connexions activées.",
    openToAll: "Toutes les connexions activées",
    onlyHere: "Cette connexion uniquement",
    onlyOther: "Autre connexion",
    assign: "Attribuer",
    assignNamed: (domain) => `Attribuer\u00A0: ${domain}`,
    release: "Supprimer l’attribution",
    releaseNamed: (domain) => `Supprimer l’attribution\u00A0: ${domain}`,
    assigned: "Le domaine est attribué à cette connexion.",
    released: "L’attribution est supprimée.",
    manageDomains: "Gérer les domaines",
    activation: "Activer la connexion",
    activationLead:
      "Les membres peuvent utiliser une connexion activée tant que la politique permet l’authentification unique.",
    conditions: {
      values: "Émetteur (issuer) et ID client",
      credential: "Secret client ou paire de clés",
      domain: "Domaine validé",
      test: "Test réussi avec les paramètres actuels",
    },
    met: "Fait",
    missing: "À faire",
    activate: "Activer",
    activated: "La connexion est activée.",
    notReady: "La connexion ne peut pas encore être activée. Effectuez les étapes de cette page.",
    deactivate: "Désactiver",
    deactivateTitle: (name) => `Désactiver ${name}\u202F?`,
    deactivateText: "La connexion ne pourra plus être utilisée. Ses sessions prendront fin immédiatement.",
    deactivated: "La connexion est désactivée. Ses sessions ont pris fin.",
    remove: "Supprimer la connexion",
    removeLead: "Supprime les paramètres, les associations avec les utilisateurs et la liste des tentatives.",
    removeTitle: (name) => `Supprimer ${name}\u202F?`,
    removeText:
      "Les paramètres, les associations avec les utilisateurs et la liste des tentatives seront supprimés. Les " +
      "sessions prendront fin immédiatement.",
    removed: "La connexion est supprimée.",
    mapping: "Données de la réponse (claims)",
    mappingLead: "Noms des claims dans la réponse du fournisseur d’identité. Ils doivent correspondre exactement.",
    claims: {
      subject_from: "ID permanent de l’utilisateur",
      email_from: "Adresse e‑mail",
      first_name_from: "Prénom",
      last_name_from: "Nom de famille",
      display_name_from: "Nom complet",
      groups_from: "Groupes",
    },
    subjectHint: "Une valeur qui ne change jamais et n’appartient jamais à un autre utilisateur.",
    claimsFrom: "Source des claims",
    claimsFroms: { id_token: "Jeton d’identité (ID token)", userinfo: "Point de terminaison UserInfo" },
    attributes: "Autres attributs",
    attributesHint: "Une ligne par attribut\u00A0: nom = claim. 16 au maximum.",
    factor: "Second facteur",
    factorLead: "Connexions avec validation en deux étapes auprès du fournisseur d’identité.",
    mfaTrust: "Valeurs reconnues de acr ou amr",
    mfaHint:
      "Une ligne par valeur. Avec une valeur reconnue, la connexion vaut validation en deux étapes. " +
      "Laissez vide pour n’en reconnaître aucune.",
    request: "Requête",
    requestLead: "Paramètres dont seuls certains fournisseurs d’identité ont besoin.",
    scopesHint: "Séparés par des espaces, avec openid.",
    parameters: "Autres paramètres",
    parametersHint: "Une ligne par paramètre\u00A0: nom = valeur. 10 au maximum.",
    skew: "Écart d’horloge accepté en secondes",
    idpInitiated: "Permettre de commencer depuis le portail du fournisseur d’identité",
    rules: {
      issuer:
        "Saisissez l’émetteur exactement comme le fournisseur d’identité l’affiche\u00A0: un seul locataire, https, " +
        "sans paramètres.",
      client_id: "Saisissez l’ID client du fournisseur d’identité.",
      client_secret: "Saisissez le secret client du fournisseur d’identité, 1\u202F024 caractères au maximum.",
      client_secret_expires_on: "Saisissez une date.",
      claim: "Saisissez le nom d’un claim, 255 caractères au maximum.",
      attributes: "Écrivez chaque ligne sous la forme nom = claim, avec des noms différents, 16 au maximum.",
      mfa_trust: "Saisissez au maximum 10 valeurs de 255 caractères.",
      scopes: "Séparez les champs d’application par un seul espace. Le champ openid est nécessaire.",
      extra_parameters: "Écrivez chaque ligne sous la forme nom = valeur, sans paramètre du protocole, 10 au maximum.",
      clock_skew_seconds: "Saisissez un nombre entier de 0 à 300.",
    },
    attemptsLead: "Jusqu’à 200 tentatives de connexion des 30 derniers jours.",
    noAttempts: "Aucune tentative pour le moment. Les connexions réussies et refusées apparaîtront ici.",
    time: "Date",
    result: "Résultat",
    requestId: "ID de la requête",
    succeeded: "Réussie",
    refused: "Refusée",
    reasons: {
      state: "La tentative a expiré ou a commencé dans un autre navigateur. L’utilisateur peut recommencer.",
      discovery: "La configuration du fournisseur d’identité n’a pas pu être chargée. Vérifiez l’émetteur.",
      provider_error:
        "Le fournisseur d’identité a refusé la connexion. Vérifiez que l’application est attribuée à l’utilisateur.",
      issuer: "La réponse vient d’un autre émetteur. Saisissez l’émetteur exact.",
      token_request: "Le fournisseur d’identité a refusé l’ID client ou le secret. Saisissez un secret actuel.",
      id_token: "Le jeton d’identité n’est pas valide. Vérifiez l’ID client, l’algorithme de signature et l’horloge.",
      nonce: "Le jeton d’identité appartient à une autre tentative. L’utilisateur peut recommencer.",
      userinfo: "UserInfo n’a pas pu être lu, ou concerne un autre utilisateur.",
      subject: "L’ID permanent ou l’adresse e‑mail manque. Vérifiez les claims.",
      domain: "L’adresse n’appartient à aucun domaine validé de cette connexion. Validez le domaine.",
      email_not_verified: "Le fournisseur d’identité indique que l’adresse n’est pas vérifiée.",
      disabled: "L’utilisateur est désactivé.",
      not_a_member: "L’utilisateur n’est plus membre. Invitez-le de nouveau.",
      identity_conflict: "L’adresse appartient à un utilisateur associé à un autre compte du fournisseur d’identité.",
      link_required:
        "Un utilisateur avec ce rôle ne peut pas être associé par son adresse. Il peut associer le compte " +
        "d’entreprise sur la page Sécurité de son compte.",
      not_invited: "L’utilisateur n’a pas d’invitation et la politique n’admet pas de nouveaux utilisateurs.",
      step_up: "Le fournisseur d’identité n’a pas confirmé de nouveau l’utilisateur avec un second facteur reconnu.",
      too_large: "La réponse est trop grande ou sa lecture a pris trop de temps.",
      not_xml: "La réponse n’est pas un document XML SAML 2.0 valide.",
      structure: "La réponse contient des éléments que SAML 2.0 n’autorise pas, ou n’a pas exactement une assertion.",
      status:
        "Le fournisseur d’identité a refusé la connexion. Vérifiez que l’application est attribuée à l’utilisateur.",
      signature:
        "La signature est absente ou non valide. Faites signer l’assertion par le fournisseur d’identité " +
        "avec RSA-SHA256.",
      key: "La signature provient d’une autre clé. Rechargez les métadonnées ou saisissez le certificat actuel.",
      decryption: "L’assertion n’a pas pu être déchiffrée, ou son chiffrement diffère des paramètres.",
      destination: "La réponse indique une autre destination. Vérifiez l’URL ACS chez le fournisseur d’identité.",
      recipient: "L’assertion indique un autre destinataire. Vérifiez l’URL ACS chez le fournisseur d’identité.",
      audience:
        "L’assertion est destinée à un autre service. Vérifiez l’identifiant d’entité (audience) chez le " +
        "fournisseur d’identité.",
      in_response_to:
        "La réponse ne correspond à aucune tentative en cours. L’utilisateur doit commencer sur la page de " +
        "connexion du service.",
      time: "La réponse a expiré ou les horloges diffèrent. Vérifiez l’horloge du fournisseur d’identité.",
      condition: "L’assertion contient une condition que le service ne connaît pas.",
      replayed: "Le fournisseur d’identité a réutilisé l’identifiant d’une assertion antérieure.",
      implementations_disagree:
        "Deux implémentations lisent la réponse différemment. Adressez-vous à l’exploitant du service.",
      changed: "Les paramètres ont changé pendant la tentative. L’utilisateur peut recommencer.",
    },
    warnings: {
      address_taken:
        "La nouvelle adresse de l’utilisateur appartient à un autre utilisateur. L’utilisateur conserve son adresse.",
    },
    console: {
      noConnections: "L’organisation n’a pas de connexions.",
      noDomains: "L’organisation n’a pas de domaines.",
      connection: "Connexion",
      lastSignIn: "Dernière utilisation",
      lastCheck: "Dernière vérification",
      claimed: "Demande en conflit",
      transfer: "Transférer le domaine",
      transferTitle: (domain) => `Transférer ${domain}`,
      transferText:
        "Une autre organisation détient le domaine. Après le transfert, cette organisation détient " +
        "le domaine. Les propriétaires des deux organisations reçoivent un e‑mail qui n’indique pas le motif.",
      reason: "Motif",
      reasonHint: "Pour le journal d’audit de la plateforme, 500 caractères au maximum.",
      transferred: "Cette organisation détient désormais le domaine.",
      noConflict: "Aucune autre organisation ne détient le domaine.",
    },
  },
};
