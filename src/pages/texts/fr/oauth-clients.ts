/** French: the applications that use this service for sign-in, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { OAuthClientTexts } from "../en/oauth-clients.ts";

const plural = pluralIn("fr");

export const oauthClientTexts: OAuthClientTexts = {
  clients: {
    title: "Applications",
    count: (total) => plural(total, { one: "# application", many: "# d’applications", other: "# applications" }),
    search: "Nom ou ID client",
    noMatch: (q) => `Aucune application ne correspond à «\u202F${q}\u202F».`,
    none:
      "Aucune application pour le moment. Enregistrez la première application qui utilise ce service pour la " +
      "connexion.",
    create: "Nouvelle application",
    createAction: "Enregistrer l’application",
    full: "Il existe déjà 1\u202F000 applications. Supprimez une application inutilisée.",
    on: "activée",
    off: "désactivée",
    firstPartyTag: "interne",
    readOnly: "La modification des paramètres nécessite la validation en deux étapes.",
    edit: "Modifier les paramètres",
    stepUpAgain:
      "Cette action nécessite la validation en deux étapes. Confirmez votre identité dans un nouvel onglet, puis " +
      "envoyez ce formulaire.",
    stepUp: "Confirmer votre identité",
    settings: "Paramètres",
    saved: "Les modifications sont enregistrées et appliquées.",
    created: "L’application est enregistrée.",
    deleted: "L’application a été supprimée. Ses jetons ne fonctionnent plus.",
    presetsTitle: "Type d’application",
    presets: {
      web: { title: "Application web", lead: "Un serveur connecte les utilisateurs et conserve un secret." },
      spa: {
        title: "Application monopage",
        lead: "Un site web connecte les utilisateurs avec JavaScript, sans secret.",
      },
      native: { title: "Application native", lead: "Une application sur téléphone ou ordinateur, sans secret." },
      machine: {
        title: "Communication entre machines",
        lead: "Un serveur appelle des API en son propre nom, sans utilisateur.",
      },
    },
    folds: {
      basics: "Informations générales",
      basicsLead: "Nom et adresses",
      tokens: "Jetons",
      tokensLead: "Types d’autorisation, champs d’application et API",
      advanced: "Paramètres avancés",
      advancedLead: "Authentification, PKCE et déconnexion",
    },
    name: "Nom",
    nameHint: "Les utilisateurs voient ce nom lors de la connexion.",
    clientId: "ID client",
    logo: "Adresse du logo",
    logoHint: "Affiché lors de la connexion. Sans logo, les utilisateurs voient les initiales.",
    home: "Adresse de la page d’accueil",
    origin: "Enregistrement",
    origins: {
      registered: "Par un administrateur",
      dynamic: "Par l’application elle-même",
      document: "Par un document de métadonnées",
    },
    originTags: { dynamic: "auto-enregistrée", document: "par document" },
    policy: "Adresse de la politique de confidentialité",
    terms: "Adresse des conditions d’utilisation",
    type: "Type d’application",
    types: { web: "Application web", native: "Application native" },
    method: "Authentification du client",
    methods: {
      none: "Aucune (client public)",
      client_secret_basic: "Secret, par HTTP Basic",
      client_secret_post: "Secret, dans le formulaire",
      private_key_jwt: "Clé propre à l’application (private_key_jwt)",
    },
    methodHint:
      "HTTP Basic et le formulaire sont acceptés de la même façon. Un nouveau secret n’est affiché qu’une fois.",
    pkce: "PKCE",
    pkceOptions: { true: "Obligatoire", false: "Facultatif\u00A0: les requêtes sans PKCE doivent contenir un nonce" },
    pkceHint:
      "Choisissez «\u202FFacultatif\u202F» uniquement pour un serveur dont la bibliothèque ne prend pas en charge " +
      "PKCE. Un client public a toujours besoin de PKCE.",
    pushed: "Requêtes d’autorisation poussées (PAR)",
    pushedOptions: { true: "Obligatoires", false: "Facultatives" },
    pushedHint:
      "L’application envoie d’abord la requête depuis son serveur. " +
      "Choisissez «\u202FObligatoires\u202F» uniquement si sa bibliothèque prend en charge PAR.",
    dpop: "Preuve de possession (DPoP)",
    dpopOptions: { true: "Obligatoire", false: "Facultative" },
    dpopHint:
      "Un jeton volé est inutilisable sans la clé de l’application. " +
      "Choisissez «\u202FObligatoire\u202F» uniquement si sa bibliothèque prend en charge DPoP.",
    dpopNonce: "Nonce dans les preuves (DPoP)",
    dpopNonceOptions: { true: "Obligatoire", false: "Facultatif" },
    dpopNonceHint:
      "Une preuve n’est valable qu’avec un nonce de ce service et ne peut pas être créée à l’avance. " +
      "Choisissez «\u202FObligatoire\u202F» uniquement si la bibliothèque renvoie les requêtes avec le nonce.",
    idTokenClaims: "Claims du jeton d’identité",
    idTokenClaimsOptions: {
      scope: "Nom, adresse e‑mail et organisation, selon le champ d’application",
      none: "Uniquement l’ID de l’utilisateur",
    },
    idTokenAlgorithm: "Signature du jeton d’identité",
    idTokenAlgorithmHint:
      "Toutes les bibliothèques vérifient RS256. ES256 et EdDSA ont des signatures plus courtes et consomment moins " +
      "de processeur.",
    idTokenClaimsHint:
      "La plupart des bibliothèques lisent le nom et l’adresse e‑mail dans le jeton d’identité. UserInfo renvoie " +
      "toujours les deux.",
    sector: "Secteur",
    sectorHint:
      "Un hôte tel que example.com\u00A0: les utilisateurs ont un ID différent dans chaque secteur. Vide\u00A0: un " +
      "seul ID. Une modification remplace tous les ID.",
    keys: "Clés publiques",
    keysHint: "Uniquement pour private_key_jwt\u00A0: le JSON Web Key Set de l’application.",
    jwksUri: "Adresse des clés publiques",
    jwksUriHint: "Utilisez l’adresse à la place du champ «\u202FClés publiques\u202F».",
    profile: "Profil de sécurité",
    profileOptions: { none: "Aucun", fapi2: "FAPI 2.0" },
    profileHint:
      "FAPI 2.0 exige private_key_jwt, PAR et DPoP. " +
      "Choisissez-le uniquement si la bibliothèque les prend tous en charge.",
    signedRequests: "Requêtes signées (JAR)",
    signedRequestsOptions: { true: "Obligatoires", false: "Facultatives" },
    signedRequestsHint: "L’application signe chaque demande d’autorisation avec l’une de ses clés.",
    rotation: "Jetons d’actualisation",
    rotationOptions: { true: "Remplacés à chaque utilisation", false: "Inchangés jusqu’à leur expiration" },
    rotationHint: "Un client public exige le remplacement.",
    exchanges: "Échanges de jetons",
    exchangesHint:
      "Une liste JSON. Une API de l’application (from) appelle l’API suivante (to) pour le même utilisateur.",
    redirectUris: "URI de redirection",
    postLogoutUris: "URI de redirection après la déconnexion",
    linesHint: "Une adresse par ligne.",
    redirectHint:
      "Une par ligne\u00A0: https, ou http sur cette machine (localhost, 127.0.0.1, [::1]). Application " +
      "native\u00A0: également com.example.app:/chemin.",
    postLogoutHint: "Une adresse par ligne, selon les mêmes règles.",
    lineError: (line, reason) => `Ligne ${line}\u00A0: ${reason}`,
    addressProblems: {
      too_long: "L’adresse est trop longue. Utilisez 500 caractères au maximum.",
      not_absolute: "L’adresse est incomplète. Utilisez une adresse telle que https://app.example.com/callback.",
      unsafe_scheme: "Ce schéma n’est pas autorisé.",
      fragment: "Supprimez le fragment (la partie à partir de #).",
      user_information: "Supprimez le nom d’utilisateur et le mot de passe.",
      host: "Utilisez un nom d’hôte ou une adresse IP, sans caractères spéciaux ni point final.",
      not_https: "Utilisez https. Seule une application native peut utiliser son propre schéma.",
      http_not_loopback:
        "Utilisez https. http n’est autorisé que sur cette machine\u00A0: localhost, 127.0.0.1 ou [::1].",
      not_reversed_domain: "Utilisez un nom de domaine inversé comme schéma, par exemple com.example.app:/callback.",
      duplicate: "La liste contient deux fois cette adresse.",
    },
    backchannel: "Adresse de déconnexion back-channel",
    backchannelHint: "L’adresse reçoit une notification lorsqu’une session se ferme.",
    grants: "Types d’autorisation permis",
    grantTypes: {
      authorization_code: "Connecter les utilisateurs (authorization_code)",
      refresh_token: "Renouveler ses jetons (refresh_token)",
      client_credentials: "Agir en son propre nom (client_credentials)",
      "urn:ietf:params:oauth:grant-type:device_code":
        "Connecter les utilisateurs sur des appareils sans navigateur (device_code)",
      "urn:ietf:params:oauth:grant-type:token-exchange":
        "Échanger les jetons reçus contre un accès à l’API suivante (token-exchange)",
      "urn:ietf:params:oauth:grant-type:jwt-bearer":
        "Accepter l’accès accordé par les fournisseurs d’identité des clients (jwt-bearer)",
    },
    scopes: "Champs d’application (scopes)",
    ownScopes: "Vos propres champs d’application",
    ownScopesHint: "Séparés par des espaces, par exemple invoices:read.",
    resources: "API que l’application peut appeler",
    audiences: "API que l’application fournit (introspection)",
    audiencesHint: "L’application peut inspecter les jetons destinés à ces adresses. Une adresse par ligne.",
    firstParty: "Application interne\u00A0: l’autorisation des utilisateurs n’est pas demandée",
    secrets: "Secrets client",
    secretsLead: "Deux secrets peuvent être valables en même temps, pour remplacer un secret sans interruption.",
    secret: "Secret client",
    newSecret: "Nouveau secret",
    displayedOnce: "Le secret n’est affiché que maintenant. Copiez-le dans la configuration de l’application.",
    kept: "Terminé",
    noSecret: "Il n’y a pas de secret. L’application ne peut pas s’authentifier.",
    twoSecrets: "Il y a déjà deux secrets. Supprimez d’abord un secret.",
    deleteSecret: "Supprimer le secret",
    deleteSecretTitle: (name, created) => `Supprimer le secret de l’application ${name}, créé le ${created}\u202F?`,
    deleteSecretText: "L’application ne pourra plus utiliser ce secret. Assurez-vous qu’elle utilise l’autre secret.",
    secretDeleted: "Le secret a été supprimé.",
    access: "Accès",
    disable: "Désactiver",
    disableDetails:
      "Tous les jetons de l’application sont révoqués. Les utilisateurs ne peuvent pas se connecter tant que " +
      "l’application n’est pas réactivée.",
    disableTitle: (name) => `Désactiver ${name}\u202F?`,
    disableText:
      "Tous les jetons de cette application sont immédiatement révoqués. Pour obtenir de nouveaux jetons, " +
      "l’application devra être réactivée.",
    disabledNow: "L’application est désactivée. Ses jetons sont révoqués.",
    enable: "Réactiver",
    enableDetails: "L’application est désactivée et n’obtient aucun jeton. Les jetons antérieurs restent révoqués.",
    enabledNow: "L’application est réactivée. Les jetons antérieurs restent révoqués.",
    remove: "Supprimer",
    removeDetails: "Les autorisations accordées par les utilisateurs sont également supprimées.",
    removeTitle: (name) => `Supprimer ${name}\u202F?`,
    removeText:
      "Tous les jetons de l’application sont immédiatement révoqués et les autorisations sont supprimées. Cette " +
      "action est irréversible.",
    rules: {
      exchanges: "Utilisez une liste JSON de 20 échanges différents au maximum, chacun avec from, to et scopes.",
      id_token_signed_response_alg: "FAPI 2.0 exige ES256 ou EdDSA.",
      jwks_uri: "Utilisez une adresse https et laissez vide le champ des clés.",
      profile: "FAPI 2.0 exige private_key_jwt.",
      refresh_token_rotation: "Un client public exige le remplacement à chaque utilisation.",
      require_signed_request_object: "Les requêtes signées exigent des clés publiques.",
      redirect_uris:
        "Utilisez jusqu’à 20 adresses https différentes sans fragment. La connexion en nécessite au moins une.",
      post_logout_redirect_uris: "Utilisez jusqu’à 20 adresses https différentes sans fragment.",
      resources: "Utilisez jusqu’à 20 adresses absolues différentes sans fragment.",
      audiences: "Utilisez jusqu’à 20 adresses absolues différentes sans fragment.",
      backchannel_logout_uri: "Utilisez une adresse https.",
      logo_url: "Utilisez une adresse https.",
      scopes:
        "Utilisez jusqu’à 50 noms différents de 100 caractères imprimables au maximum, sans guillemets ni barres " +
        "obliques inverses.",
      grant_types:
        "Le renouvellement nécessite la connexion d’utilisateurs, et agir en son propre nom nécessite une " +
        "application qui s’authentifie.",
      policy_uri: "Utilisez une adresse https.",
      tos_uri: "Utilisez une adresse https.",
      client_uri: "Utilisez une adresse https.",
      require_pkce: "Une application sans authentification a besoin de PKCE. Choisissez «\u202FObligatoire\u202F».",
      sector: "Utilisez un nom d’hôte en minuscules auquel appartient chaque URI de redirection.",
      keys:
        "Utilisez un JSON Web Key Set d’une à huit clés publiques pour private_key_jwt, et rien pour les autres " +
        "méthodes.",
    },
  },
  connect: {
    action: "Connecter",
    title: (name) => `Connecter ${name}`,
    lead: "Copiez ces valeurs et l’un des exemples dans votre application.",
    values: "Valeurs",
    issuer: "Émetteur (issuer)",
    redirectUri: "URI de redirection",
    secretHidden:
      "Le secret a été affiché une seule fois. S’il est perdu, créez un nouveau secret dans les paramètres.",
    environment: "Variables d’environnement des exemples",
    endpoints: "Points de terminaison",
    endpointsLead:
      "La plupart des bibliothèques n’ont besoin que de l’émetteur et découvrent elles-mêmes les points de " +
      "terminaison.",
    discovery: "Découverte (discovery)",
    code: "Exemples",
    codeLead: "Chaque exemple est complet et lit les variables d’environnement ci-dessus.",
    install: (library) => `Installation\u00A0: ${library}`,
    callback: (path) => `L’URI de redirection se termine par ${path}.`,
    variable: (name) => `Définissez ${name} avec un texte aléatoire d’au moins 32 caractères.`,
    withoutPkce:
      "Cette bibliothèque ne prend pas en charge PKCE. Réglez PKCE sur «\u202FFacultatif\u202F» dans les " +
      "paramètres, sous «\u202FParamètres avancés\u202F».",
    unfit: "ne convient pas à cette application",
    browserOnly:
      "Cette bibliothèque s’exécute dans un navigateur et connecte les utilisateurs sans secret. Enregistrez une " +
      "application monopage.",
    unsupported: {
      public: "Cette bibliothèque a besoin d’un secret. Enregistrez une application web.",
      secret: "Cette bibliothèque n’utilise pas de secret.",
      keys: "Cet exemple s’authentifie avec un secret. Choisissez un secret comme méthode d’authentification.",
      machine: "Cette bibliothèque connecte des utilisateurs. L’application agit en son propre nom.",
      machine_keys: "Cet exemple s’authentifie avec un secret. Choisissez un secret comme méthode d’authentification.",
    },
    settings: "Paramètres",
  },
};
