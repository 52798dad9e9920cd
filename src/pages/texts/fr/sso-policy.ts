/** French: the policy of organizations for single sign-on. */
import type { SsoPolicyTexts } from "../en/sso-policy.ts";

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
      "domaine vérifié et, dans les dernières 24 heures, une connexion d’un propriétaire ou d’un " +
      "administrateur par cette voie. Votre compte doit avoir une adresse vérifiée et un second facteur ou " +
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
    saved: "La politique est enregistrée.",
    ownersOnly: "Seuls les propriétaires peuvent modifier la politique.",
  },
};
