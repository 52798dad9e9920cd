/** Spanish: the applications that use this service for sign-in, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { OAuthClientTexts } from "../en/oauth-clients.ts";

const plural = pluralIn("es");

export const oauthClientTexts: OAuthClientTexts = {
  clients: {
    title: "Aplicaciones",
    count: (total) => plural(total, { one: "# aplicación", many: "# de aplicaciones", other: "# aplicaciones" }),
    search: "Nombre o ID de cliente",
    noMatch: (q) => `Ninguna aplicación coincide con «${q}».`,
    none: "Aún no hay aplicaciones. Registra la primera aplicación que use este servicio para iniciar sesión.",
    create: "Nueva aplicación",
    createAction: "Registrar aplicación",
    full: "Ya hay 1000 aplicaciones. Elimina alguna que no se use.",
    on: "activada",
    off: "desactivada",
    firstPartyTag: "propia",
    readOnly: "Editar la configuración requiere la verificación en dos pasos.",
    edit: "Editar configuración",
    stepUpAgain:
      "Esta acción requiere la verificación en dos pasos. Verifica tu identidad en una pestaña nueva y después envía " +
      "este formulario.",
    stepUp: "Verificar de nuevo",
    settings: "Configuración",
    saved: "Los cambios se guardaron y están en uso.",
    created: "Se registró la aplicación.",
    deleted: "Se eliminó la aplicación. Sus tokens ya no funcionan.",
    presetsTitle: "Tipo de aplicación",
    presets: {
      web: {
        title: "Aplicación web",
        lead: "Un servidor inicia la sesión de los usuarios y guarda un secreto.",
      },
      spa: {
        title: "Aplicación de una sola página",
        lead: "Un sitio web inicia la sesión de los usuarios con JavaScript, sin secreto.",
      },
      native: {
        title: "Aplicación nativa",
        lead: "Una aplicación en un teléfono o un ordenador, sin secreto.",
      },
      machine: { title: "Máquina", lead: "Un servidor llama a las API en su propio nombre, sin usuarios." },
    },
    folds: {
      basics: "Datos básicos",
      basicsLead: "Nombre y direcciones",
      tokens: "Tokens",
      tokensLead: "Concesiones, ámbitos y API",
      advanced: "Opciones avanzadas",
      advancedLead: "Autenticación, PKCE y cierre de sesión",
    },
    name: "Nombre",
    nameHint: "Los usuarios ven el nombre al iniciar sesión.",
    clientId: "ID de cliente",
    logo: "Dirección del logo",
    logoHint: "Se muestra al iniciar sesión. Sin logo, los usuarios ven las iniciales.",
    home: "Dirección de la página de inicio",
    origin: "Registro",
    origins: {
      registered: "Por un administrador",
      dynamic: "Por la propia aplicación",
      document: "Por un documento de metadatos",
    },
    originTags: { dynamic: "autorregistrada", document: "por documento" },
    policy: "Dirección de la política de privacidad",
    terms: "Dirección de las condiciones del servicio",
    type: "Tipo",
    types: { web: "Aplicación web", native: "Aplicación nativa" },
    method: "Autenticación del cliente",
    methods: {
      none: "Ninguna (cliente público)",
      client_secret_basic: "Secreto, por HTTP Basic",
      client_secret_post: "Secreto, en el formulario",
      private_key_jwt: "Clave propia (private_key_jwt)",
    },
    methodHint: "HTTP Basic y el formulario se aceptan por igual. Un secreto nuevo se muestra una sola vez.",
    pkce: "PKCE",
    pkceOptions: { true: "Obligatorio", false: "Opcional: las solicitudes sin PKCE necesitan un nonce" },
    pkceHint:
      "Elige «opcional» solo para un servidor cuya biblioteca no admita PKCE. Un cliente público siempre lo necesita.",
    pushed: "Solicitudes de autorización enviadas (PAR)",
    pushedOptions: { true: "Obligatorias", false: "Opcionales" },
    pushedHint:
      "La aplicación envía primero la solicitud desde su servidor. " +
      "Elige «Obligatorias» solo si su biblioteca admite PAR.",
    dpop: "Prueba de posesión (DPoP)",
    dpopOptions: { true: "Obligatoria", false: "Opcional" },
    dpopHint:
      "Un token robado no sirve sin la clave de la aplicación. Elige «Obligatoria» solo si su biblioteca admite DPoP.",
    dpopNonce: "Nonce en las pruebas (DPoP)",
    dpopNonceOptions: { true: "Obligatorio", false: "Opcional" },
    dpopNonceHint:
      "Una prueba solo vale con un nonce de este servicio y no puede crearse por adelantado. " +
      "Elige «Obligatorio» solo si la biblioteca repite las solicitudes con el nonce.",
    idTokenClaims: "Claims en el token de ID",
    idTokenClaimsOptions: {
      scope: "Nombre, correo electrónico y organización, según el ámbito",
      none: "Solo el ID de usuario",
    },
    idTokenAlgorithm: "Firma del token de ID",
    idTokenAlgorithmHint:
      "Todas las bibliotecas verifican RS256. ES256 y EdDSA tienen firmas más cortas y consumen menos CPU.",
    idTokenClaimsHint:
      "La mayoría de las bibliotecas leen el nombre y el correo del token de ID. UserInfo siempre devuelve ambos.",
    sector: "Sector",
    sectorHint:
      "Un host como example.com: los usuarios tienen un ID distinto en cada sector. Vacío: un solo ID. Un cambio " +
      "reemplaza todos los ID.",
    keys: "Claves públicas",
    keysHint: "Solo para private_key_jwt: el JSON Web Key Set de la aplicación.",
    jwksUri: "Dirección de las claves públicas",
    jwksUriHint: "Usa la dirección en lugar del campo «Claves públicas».",
    profile: "Perfil de seguridad",
    profileOptions: { none: "Ninguno", fapi2: "FAPI 2.0" },
    profileHint: "FAPI 2.0 exige private_key_jwt, PAR y DPoP. Elígelo solo si la biblioteca los admite todos.",
    signedRequests: "Solicitudes firmadas (JAR)",
    signedRequestsOptions: { true: "Obligatorias", false: "Opcionales" },
    signedRequestsHint: "La aplicación firma cada solicitud de autorización con una de sus claves.",
    rotation: "Tokens de actualización",
    rotationOptions: { true: "Se sustituyen en cada uso", false: "No cambian hasta que caducan" },
    rotationHint: "Un cliente público necesita la sustitución.",
    exchanges: "Canjes de tokens",
    exchangesHint:
      "Una lista JSON. Una API de la aplicación (from) llama a la siguiente API (to) para el mismo usuario.",
    redirectUris: "URI de redirección",
    postLogoutUris: "URI de redirección tras cerrar sesión",
    linesHint: "Una dirección por línea.",
    redirectHint:
      "Una por línea: https, o http en este equipo (localhost, 127.0.0.1, [::1]). Nativas: también " +
      "com.example.app:/path.",
    postLogoutHint: "Una dirección por línea, con las mismas reglas.",
    lineError: (line, reason) => `Línea ${line}: ${reason}`,
    addressProblems: {
      too_long: "La dirección es demasiado larga. Usa 500 caracteres como máximo.",
      not_absolute: "La dirección está incompleta. Usa una dirección como https://app.example.com/callback.",
      unsafe_scheme: "Este esquema no está permitido.",
      fragment: "Quita el fragmento (la parte a partir de #).",
      user_information: "Quita el nombre de usuario y la contraseña.",
      host: "Usa un nombre de host o una dirección IP, sin caracteres especiales ni punto final.",
      not_https: "Usa https. Solo una aplicación nativa puede usar su propio esquema.",
      http_not_loopback: "Usa https. http solo se permite en este equipo: localhost, 127.0.0.1 o [::1].",
      not_reversed_domain: "Usa como esquema un nombre de dominio invertido, por ejemplo, com.example.app:/callback.",
      duplicate: "La lista contiene esta dirección dos veces.",
    },
    backchannel: "Dirección de cierre de sesión por canal posterior",
    backchannelHint: "La dirección recibe una notificación cuando termina una sesión.",
    grants: "Concesiones permitidas",
    grantTypes: {
      authorization_code: "Iniciar la sesión de los usuarios (authorization_code)",
      refresh_token: "Renovar sus tokens (refresh_token)",
      client_credentials: "Actuar en su propio nombre (client_credentials)",
      "urn:ietf:params:oauth:grant-type:device_code":
        "Iniciar la sesión de los usuarios en dispositivos sin navegador (device_code)",
      "urn:ietf:params:oauth:grant-type:token-exchange":
        "Canjear los tokens recibidos para la siguiente API (token-exchange)",
      "urn:ietf:params:oauth:grant-type:jwt-bearer":
        "Aceptar el acceso concedido por proveedores de identidad de clientes (jwt-bearer)",
    },
    scopes: "Ámbitos",
    ownScopes: "Ámbitos propios",
    ownScopesHint: "Separados por espacios, por ejemplo, invoices:read.",
    resources: "API a las que puede llamar",
    audiences: "API que ofrece (introspección)",
    audiencesHint:
      "La aplicación puede consultar por introspección los tokens para estas direcciones. Una dirección por línea.",
    firstParty: "Propia: no se pide el consentimiento de los usuarios",
    secrets: "Secretos",
    secretsLead: "Puede haber dos secretos válidos a la vez, para que puedas reemplazar un secreto sin interrupciones.",
    secret: "Secreto",
    newSecret: "Nuevo secreto",
    displayedOnce: "El secreto solo se muestra ahora. Cópialo en la configuración de la aplicación.",
    kept: "Listo",
    noSecret: "No hay ningún secreto. La aplicación no puede autenticarse.",
    twoSecrets: "Ya hay dos secretos. Primero elimina uno.",
    deleteSecret: "Eliminar secreto",
    deleteSecretTitle: (name, created) => `¿Eliminar el secreto de ${name}, creado el ${created}?`,
    deleteSecretText:
      "La aplicación ya no podrá usar este secreto. Asegúrate de que la aplicación use el otro secreto.",
    secretDeleted: "Se eliminó el secreto.",
    access: "Acceso",
    disable: "Inhabilitar",
    disableDetails:
      "Todos los tokens de la aplicación dejan de ser válidos. Los usuarios no podrán iniciar sesión hasta que se " +
      "habilite la aplicación.",
    disableTitle: (name) => `¿Inhabilitar ${name}?`,
    disableText:
      "Todos los tokens de esta aplicación dejarán de ser válidos de inmediato. Para emitir tokens nuevos, tendrás " +
      "que habilitar la aplicación.",
    disabledNow: "Se inhabilitó la aplicación. Sus tokens ya no son válidos.",
    enable: "Habilitar",
    enableDetails:
      "La aplicación está inhabilitada y no recibe tokens. Los tokens anteriores seguirán sin ser válidos.",
    enabledNow: "Se habilitó la aplicación. Los tokens anteriores siguen sin ser válidos.",
    remove: "Eliminar",
    removeDetails: "También se eliminarán los consentimientos de los usuarios.",
    removeTitle: (name) => `¿Eliminar ${name}?`,
    removeText:
      "Todos los tokens de la aplicación dejarán de ser válidos de inmediato y se eliminarán los consentimientos. " +
      "Esta acción no se puede deshacer.",
    rules: {
      exchanges: "Usa una lista JSON de hasta 20 canjes diferentes, cada uno con from, to y scopes.",
      id_token_signed_response_alg: "FAPI 2.0 necesita ES256 o EdDSA.",
      jwks_uri: "Usa una dirección https y deja vacío el campo de las claves.",
      profile: "FAPI 2.0 necesita private_key_jwt.",
      refresh_token_rotation: "Un cliente público necesita la sustitución en cada uso.",
      require_signed_request_object: "Las solicitudes firmadas necesitan claves públicas.",
      redirect_uris:
        "Usa hasta 20 direcciones https distintas, sin fragmento. Para iniciar sesión se necesita al menos una.",
      post_logout_redirect_uris: "Usa hasta 20 direcciones https distintas, sin fragmento.",
      resources: "Usa hasta 20 direcciones absolutas distintas, sin fragmento.",
      audiences: "Usa hasta 20 direcciones absolutas distintas, sin fragmento.",
      backchannel_logout_uri: "Usa una dirección https.",
      logo_url: "Usa una dirección https.",
      scopes:
        "Usa hasta 50 nombres distintos de 100 caracteres imprimibles como máximo, sin comillas ni barras invertidas.",
      grant_types:
        "Renovar tokens requiere iniciar la sesión de usuarios, y actuar en su propio nombre requiere una aplicación " +
        "que se autentique.",
      policy_uri: "Usa una dirección https.",
      tos_uri: "Usa una dirección https.",
      client_uri: "Usa una dirección https.",
      require_pkce: "Una aplicación sin autenticación necesita PKCE. Elige «obligatorio».",
      sector: "Usa un nombre de host en minúsculas al que pertenezcan todas las URI de redirección.",
      keys:
        "Usa un JSON Web Key Set con entre una y ocho claves públicas para private_key_jwt, y deja el campo vacío " +
        "para los demás métodos.",
    },
  },
  connect: {
    action: "Conectar",
    title: (name) => `Conectar ${name}`,
    lead: "Copia estos valores y uno de los ejemplos en tu aplicación.",
    values: "Valores",
    issuer: "Emisor (issuer)",
    redirectUri: "URI de redirección",
    secretHidden: "El secreto se mostró una sola vez. Si se perdió, crea uno nuevo en la configuración.",
    environment: "Variables de entorno de los ejemplos",
    endpoints: "Endpoints",
    endpointsLead:
      "La mayoría de las bibliotecas solo necesitan el emisor y obtienen los endpoints mediante Discovery.",
    discovery: "Discovery",
    code: "Ejemplos",
    codeLead: "Cada ejemplo está completo y lee las variables de entorno anteriores.",
    install: (library) => `Instalación de ${library}`,
    callback: (path) => `La URI de redirección termina en ${path}.`,
    variable: (name) => `Define ${name} con un texto aleatorio de 32 caracteres o más.`,
    withoutPkce:
      "Esta biblioteca no admite PKCE. En la configuración, en «Opciones avanzadas», establece PKCE como «opcional».",
    unfit: "no apta para esta aplicación",
    browserOnly:
      "Esta biblioteca se ejecuta en un navegador e inicia la sesión de los usuarios sin secreto. Registra una " +
      "aplicación de una sola página.",
    unsupported: {
      public: "Esta biblioteca necesita un secreto. Registra una aplicación web.",
      secret: "Esta biblioteca no usa secretos.",
      keys: "Este ejemplo se autentica con un secreto. Elige un secreto como método de autenticación.",
      machine: "Esta biblioteca inicia la sesión de los usuarios. La aplicación actúa en su propio nombre.",
      machine_keys: "Este ejemplo se autentica con un secreto. Elige un secreto como método de autenticación.",
    },
    settings: "Configuración",
  },
};
