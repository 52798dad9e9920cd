/** French: the policy of organizations for single sign-on. */
import { pluralIn } from "../../../base/plural.ts";
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

const plural = pluralIn("fr");

export const ssoPolicyTexts: SsoPolicyTexts = {
  ssoPolicy: {
    title: "Politique",
    signIn: "Connexion",
    signInLead: "La politique s’applique à toutes les connexions de l’organisation.",
    mode: "Authentification unique",
    open: "Modifier la politique",
    modes: {
      off: "Désactivée\u00A0: les connexions peuvent seulement être testées",
      optional: "Facultative\u00A0: les membres peuvent utiliser l’authentification unique",
      required: "Obligatoire\u00A0: les membres doivent utiliser l’authentification unique",
    },
    emergency:
      "Tant que l’authentification unique est obligatoire, vous gardez un accès d’urgence avec votre mot " +
      "de passe et votre second facteur, une heure à chaque fois.",
    notReady:
      "L’authentification unique ne peut pas encore devenir obligatoire. Il faut une connexion active, un " +
      "domaine validé et, dans les dernières 24 heures, une connexion d’un propriétaire ou d’un " +
      "administrateur par cette voie. Votre compte doit avoir une adresse validée et un second facteur ou " +
      "une clé d’accès.",
    jit: "Utilisateurs qui ne sont pas membres",
    jits: {
      on: "Créer le compte et l’adhésion à la première connexion",
      invited_only: "Admettre les utilisateurs invités",
      off: "N’admettre personne",
    },
    guests: "Membres avec des adresses d’autres domaines",
    guestRules: {
      own_methods: "Conservent leurs méthodes de connexion",
      required: "Utilisent aussi l’authentification unique",
    },
    guestsHint: "S’applique dès que l’authentification unique est obligatoire.",
    ownFactor: "Second facteur de ce service",
    ownFactors: { off: "Non exigé", on: "Exigé" },
    ownFactorHint:
      "Après l’authentification unique, les membres confirment aussi un code d’une application d’authentification, " +
      "pour cette organisation uniquement.",
    roles: "Rôles",
    rolesLead: "Aucune règle n’accorde le rôle de propriétaire ni ne modifie un propriétaire.",
    defaultRole: "Rôle sans règle correspondante",
    sync: "Appliquer les règles",
    syncs: { always: "À chaque connexion", first: "Seulement au début de l’adhésion" },
    rules: "Règles",
    rulesHint:
      "L’attribut est groups ou un autre attribut de la connexion. Le rôle correspondant le plus élevé s’applique. " +
      "Enregistrez pour obtenir d’autres règles vides.",
    rule: (number) => `Règle ${number}`,
    from: "Attribut",
    value: "Valeur",
    badRules: "Saisissez l’attribut et la valeur de chaque règle. 50 règles au maximum.",
    start: "Obligatoire à partir de",
    startKept: (time) => `Comme défini\u00A0: ${time}`,
    startNow: "Immédiatement",
    startIn: (count) => plural(count, { one: "Dans # jour", many: "Dans # de jours", other: "Dans # jours" }),
    breakGlass: "Accès d’urgence",
    breakGlassHint: "Propriétaires avec une adresse validée et un second facteur ou une clé d’accès. Au plus 5.",
    noBreakGlass: "Aucun propriétaire n’a encore d’adresse validée et de second facteur ou de clé d’accès.",
    preview: "Aperçu",
    previewTitle: "Effet des paramètres",
    covered: (count) =>
      plural(count, {
        one: "# membre doit utiliser l’authentification unique.",
        many: "# de membres doivent utiliser l’authentification unique.",
        other: "# membres doivent utiliser l’authentification unique.",
      }),
    withoutIdentity: (count) =>
      plural(count, {
        one: "# de ces membres ne s’est pas encore connecté par authentification unique\u00A0:",
        many: "# de ces membres ne se sont pas encore connectés par authentification unique\u00A0:",
        other: "# de ces membres ne se sont pas encore connectés par authentification unique\u00A0:",
      }),
    allLinked: "Tous ces membres se sont déjà connectés par authentification unique.",
    firstMembers: "La liste contient les 100 premières adresses.",
    pausedUntil: (time) => `L’exploitant de ce service a suspendu l’obligation jusqu’au ${time}.`,
    console: {
      title: "Obligation d’authentification unique",
      off: "L’organisation n’exige pas l’authentification unique.",
      on: "L’authentification unique est obligatoire.",
      since: (time) => `L’authentification unique est obligatoire à partir du ${time}.`,
      until: (time) => `L’obligation est suspendue jusqu’au ${time}.`,
      pause: "Suspendre pendant 24 heures",
      text:
        "Les membres concernés peuvent utiliser leurs propres méthodes de connexion pendant 24 heures. Les " +
        "propriétaires reçoivent un e‑mail avec le motif.",
      reasonHint: "Affiché aux propriétaires, 500 caractères au plus.",
      paused: "L’obligation est suspendue pendant 24 heures.",
      end: "Mettre fin à la suspension",
      ended: "L’obligation s’applique de nouveau.",
    },
    saved: "La politique est enregistrée.",
    ownersOnly: "Seuls les propriétaires peuvent modifier la politique.",
  },
};
