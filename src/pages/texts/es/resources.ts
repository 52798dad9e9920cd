/** Spanish: the APIs and their scopes, in the platform console. */
import { pluralIn } from "../../../base/plural.ts";
import type { ResourceTexts } from "../en/resources.ts";

const plural = pluralIn("es");

export const resourceTexts: ResourceTexts = {
  resources: {
    title: "API",
    lead:
      "Las aplicaciones solicitan acceso a las API mediante ámbitos. Los usuarios leen las descripciones antes de " +
      "permitir el acceso.",
    none: "Aún no hay API. Sin una API registrada, los usuarios solo ven los nombres de los ámbitos.",
    create: "Nueva API",
    createAction: "Registrar API",
    full: "Ya hay 1000 API. Elimina alguna que no se use.",
    taken: "Otra API tiene este identificador.",
    identifier: "Identificador",
    identifierHint:
      "La dirección de la API, tal como la envían las aplicaciones en el parámetro resource. No podrás cambiarla más " +
      "adelante.",
    name: "Nombre",
    scopes: "Ámbitos",
    scopesLead:
      "La página de consentimiento muestra la descripción en el idioma del usuario o, si no existe, la descripción " +
      "en inglés.",
    scopeCount: (total) => plural(total, { one: "# ámbito", many: "# de ámbitos", other: "# ámbitos" }),
    noScope: "La API aún no tiene ámbitos.",
    addScope: "Añadir ámbito",
    editScope: "Editar",
    editScopeNamed: (name) => `Editar ${name}`,
    scopeName: "Ámbito",
    scopeNameHint: "Tal como lo envían las aplicaciones, por ejemplo, invoices:read.",
    permission: "Permiso",
    permissionHint:
      "Solo los usuarios con un rol que contiene el permiso reciben el ámbito, por ejemplo, invoices.approve. " +
      "Vacío: todos.",
    isPublic: "Las aplicaciones sin registro pueden recibir el ámbito",
    publicTag: "público",
    sensitive: "Cada autorización pide el consentimiento",
    sensitiveTag: "consentimiento siempre",
    description: (language) => `Descripción en ${language}`,
    descriptionHint: "Completa la frase «Acme Wiki quiere: …», por ejemplo, «ver tus facturas».",
    noDescription: "sin descripción",
    scopeExists: "La API ya tiene un ámbito con este nombre.",
    scopesFull: "La API ya tiene 100 ámbitos. Elimina alguno que no se use.",
    scopeSaved: "Se guardó el ámbito. La página de consentimiento muestra la nueva descripción.",
    scopeDeleted: "Se eliminó el ámbito.",
    deleteScope: "Eliminar",
    deleteScopeNamed: (name) => `Eliminar ${name}`,
    deleteScopeTitle: (name) => `¿Eliminar el ámbito ${name}?`,
    deleteScopeText:
      "A partir de ahora, la página de consentimiento mostrará el nombre del ámbito. Los tokens y los " +
      "consentimientos siguen siendo válidos.",
    settings: "Configuración",
    created: "Se registró la API. Añade los ámbitos.",
    saved: "Los cambios se guardaron y están en uso.",
    deleted: "Se eliminó la API.",
    changedMeanwhile: "Otro usuario cambió la API. Revísala e inténtalo de nuevo.",
    access: "Acceso",
    algorithm: "Firma de los tokens de acceso",
    algorithmHint: "RS256, a menos que la API verifique el otro algoritmo. Los tokens nuevos llevan la nueva firma.",
    dpop: "Prueba de posesión (DPoP)",
    dpopOptions: { allowed: "Permitida", required: "Obligatoria" },
    dpopHint: "Con «obligatoria», las aplicaciones solo reciben tokens vinculados a su clave.",
    lifetime: "Duración de los tokens de acceso, en segundos",
    lifetimeHint: "De 60 a 3600. Vacío: la duración de las sesiones.",
    minAcr: "Inicio de sesión exigido",
    minAcrOptions: {
      none: "Cualquier inicio de sesión",
      aal1: "Un factor (aal1)",
      aal2: "Dos factores (aal2)",
      phr: "Llave de acceso (phr)",
    },
    openTo: "Disponible para",
    openToOptions: { registered: "Aplicaciones registradas", any: "Todas las aplicaciones, para ámbitos públicos" },
    organizations: "Organizaciones",
    organizationsHint: "Un ID por línea. Vacío: todas las organizaciones.",
    claims: "Claims de los tokens de acceso",
    claimNames: {
      email: "Correo electrónico",
      name: "Nombre",
      organization: "Organización",
      roles: "Roles",
      permissions: "Permisos",
      groups: "Grupos",
    },
    disable: "Inhabilitar",
    disableDetails:
      "Las aplicaciones no obtienen nuevos accesos a esta API. Los accesos existentes siguen siendo válidos.",
    disableTitle: (name) => `¿Inhabilitar ${name}?`,
    disableText:
      "Las aplicaciones no obtendrán nuevos accesos a esta API hasta que la habilites. Los accesos existentes siguen " +
      "siendo válidos.",
    disabledNow: "Se inhabilitó la API.",
    enable: "Habilitar",
    enableDetails: "La API está inhabilitada: las aplicaciones no obtienen nuevos accesos.",
    enabledNow: "Se habilitó la API.",
    remove: "Eliminar",
    removeDetails: "Las aplicaciones conservan el acceso; los usuarios ven los nombres de los ámbitos.",
    removeTitle: (name) => `¿Eliminar ${name}?`,
    removeText:
      "Se eliminarán las descripciones de los ámbitos. Las aplicaciones conservan el acceso. Esta acción no se puede " +
      "deshacer.",
    rules: {
      token_lifetime_seconds: "Usa un número entero de 60 a 3600 o deja el campo vacío.",
      identifier: "Usa una dirección https de 500 caracteres como máximo, sin fragmento.",
      organizations: "Usa ID de organizaciones, 1000 como máximo, o deja el campo vacío.",
    },
    scopeRules: {
      permission: "Usa un nombre como invoices.approve; ningún permiso de este servicio.",
      name:
        "Usa de 1 a 100 caracteres imprimibles, sin espacios, comillas ni barras invertidas. No uses ningún ámbito " +
        "de este servicio.",
      description: "Usa una línea de 200 caracteres como máximo, sin caracteres invisibles.",
    },
  },
};
