import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./fr-access.ts";
import { addressEmails } from "./fr-addresses.ts";
import { directoryEmails } from "./fr-directories.ts";
import { domainEmails } from "./fr-domains.ts";
import { leavingEmails } from "./fr-leaving.ts";
import { membershipEmails } from "./fr-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("fr");

export const emailTexts: EmailTexts = {
  greeting: "Bonjour{{#name}} {{name}}{{/name}},",
  codeValidity: "Le code ne fonctionne qu’une fois et est valable {{valid_for}}.",
  linkValidity: "Le lien ne fonctionne qu’une fois et est valable {{valid_for}}.",
  copyLink: "Si le bouton ne fonctionne pas, ouvrez cette adresse\u00A0:",
  labels: {
    device: "Appareil",
    address: "Adresse IP",
    location: "Lieu",
    time: "Date",
    account: "Compte",
    provider: "Fournisseur",
    endpoint: "Point de terminaison",
    since: "Depuis",
    domain: "Domaine",
    recordName: "Nom de l’enregistrement TXT",
    recordValue: "Valeur de l’enregistrement TXT",
  },
  unknownBrowser: "Navigateur inconnu",
  browserOn: "{{browser}} sur {{system}}",
  unknownBrowserOn: "Navigateur inconnu sur {{system}}",
  moreChanges: (merged) =>
    plural(merged, {
      one: "# autre modification de ce type a été effectuée depuis l’e-mail précédent à ce sujet.",
      many: "# d’autres modifications de ce type ont été effectuées depuis l’e-mail précédent à ce sujet.",
      other: "# autres modifications de ce type ont été effectuées depuis l’e-mail précédent à ce sujet.",
    }),
  reasons: {
    request: "Vous recevez cet e-mail, car cette adresse a été saisie sur {{brand}}.",
    invitation:
      "Vous recevez cet e-mail, car un membre d’une organisation sur {{brand}} a envoyé une invitation à cette " +
      "adresse.",
    security:
      "Vous recevez cette notification, car elle concerne la sécurité de votre compte. Elle ne peut pas être " +
      "désactivée.",
    webhook: "Vous recevez cette notification, car vous êtes responsable de ce webhook sur {{brand}}.",
    owner: "Vous recevez cette notification, car vous êtes propriétaire d’une organisation sur {{brand}}.",
    data: "Vous recevez cet e-mail, car une copie de vos données a été demandée sur {{brand}}.",
  },
  providedBy: "Proposé par {{brand}}",
  links: { support: "Aide", privacy: "Confidentialité", terms: "Conditions d’utilisation" },
  accessItems,
  kinds: {
    ...accessEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    ...leavingEmails,
    email_code: {
      subject: "Votre code de connexion {{brand}}",
      preheader: "Le code est valable {{valid_for}}. Ne le communiquez à personne.",
      title: "Votre code de connexion",
      lead: "Saisissez ce code pour vous connecter à {{brand}}\u00A0:",
      after:
        "Vous n’avez pas essayé de vous connecter\u202F? Ignorez cet e-mail\u00A0: personne ne peut se connecter " +
        "sans le code. Ne le communiquez à personne.",
    },
    email_verification: {
      subject: "Confirmez votre adresse e-mail pour {{brand}}",
      preheader: "Terminez la création de votre compte. Le lien est valable {{valid_for}}.",
      title: "Confirmez votre adresse e\u2011mail",
      lead:
        "Cette adresse a été utilisée pour créer un compte {{brand}}. Confirmez-la pour terminer la création de " +
        "votre compte.",
      button: "Confirmer cette adresse",
      after:
        "Ne confirmez que si vous avez créé ce compte vous-même. Si vous n’avez pas créé de compte, ignorez cet " +
        "e-mail et n’ouvrez pas le lien.",
    },
    ...addressEmails,
    password_reset: {
      subject: "Choisissez un nouveau mot de passe pour {{brand}}",
      preheader: "Lien valable {{valid_for}}. Votre mot de passe ne change que si vous en choisissez un nouveau.",
      title: "Choisissez un nouveau mot de passe",
      lead: "Un nouveau mot de passe a été demandé pour votre compte {{brand}}.",
      button: "Choisir un mot de passe",
      after:
        "Vous n’avez pas demandé de nouveau mot de passe\u202F? Ignorez cet e-mail\u00A0: votre mot de passe ne " +
        "change pas.",
    },
    invitation: {
      subject: "Invitation à rejoindre «\u202F{{organization_name}}\u202F» sur {{brand}}",
      preheader: "L’invitation est valable {{valid_for}}.",
      title: "Vous êtes invité",
      lead: "{{inviter_name}} vous invite à rejoindre {{organization_name}} sur {{brand}}.",
      button: "Accepter l’invitation",
      after: "Vous ne connaissez pas l’expéditeur\u202F? Ignorez cet e-mail.",
    },
    password_changed: {
      subject: "Votre mot de passe {{brand}} a été modifié",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, réinitialisez votre mot de passe.",
      title: "Votre mot de passe a été modifié",
      lead: "Le mot de passe de votre compte a été modifié. Toutes les autres sessions ont été fermées.",
      button: "Réinitialiser le mot de passe",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, réinitialisez immédiatement votre mot de passe " +
        "et prévenez votre administrateur.",
    },
    password_removed: {
      subject: "Votre mot de passe {{brand}} a été supprimé",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, définissez un nouveau mot de passe.",
      title: "Votre mot de passe a été supprimé",
      lead: "Votre compte n’a plus de mot de passe. Connectez-vous avec une clé d’accès.",
      button: "Définir un mot de passe",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, définissez un nouveau mot de passe\u00A0: " +
        "toutes les sessions seront alors fermées.",
    },
    mfa_enabled: {
      subject: "Validation en deux étapes activée pour {{brand}}",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, modifiez votre mot de passe.",
      title: "La validation en deux étapes est activée",
      lead:
        "Une application d’authentification a été ajoutée à votre compte. Désormais, un code de l’application est " +
        "demandé à la connexion.",
      button: "Vérifier la sécurité",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, modifiez immédiatement votre mot de passe et " +
        "prévenez votre administrateur.",
    },
    mfa_disabled: {
      subject: "Validation en deux étapes désactivée pour {{brand}}",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, modifiez votre mot de passe.",
      title: "La validation en deux étapes est désactivée",
      lead:
        "L’application d’authentification a été supprimée de votre compte. Aucun code de l’application n’est plus " +
        "demandé à la connexion.",
      button: "Vérifier la sécurité",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, modifiez immédiatement votre mot de passe et " +
        "prévenez votre administrateur.",
    },
    mfa_reset: {
      subject: "Validation en deux étapes réinitialisée pour {{brand}}",
      preheader: "Un administrateur a supprimé votre application d’authentification. Configurez-en une nouvelle.",
      title: "La validation en deux étapes a été réinitialisée",
      lead:
        "Un administrateur a supprimé l’application d’authentification, les codes de récupération et les navigateurs " +
        "de confiance de votre compte, et a fermé toutes ses sessions.",
      button: "Configurer la validation",
      after:
        "Vous n’avez pas demandé cette réinitialisation\u202F? Modifiez votre mot de passe et contactez votre " +
        "administrateur.",
    },
    recovery_codes_renewed: {
      subject: "Nouveaux codes de récupération pour {{brand}}",
      preheader: "{{device}}, {{time}}. Les anciens codes ne fonctionnent plus.",
      title: "Nouveaux codes de récupération",
      lead: "De nouveaux codes de récupération ont été créés pour votre compte. Les anciens ne fonctionnent plus.",
      button: "Vérifier la sécurité",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, modifiez immédiatement votre mot de passe, " +
        "créez de nouveaux codes de récupération et prévenez votre administrateur.",
    },
    passkey_added: {
      subject: "Clé d’accès ajoutée à votre compte {{brand}}",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, supprimez la clé d’accès.",
      title: "Une clé d’accès a été ajoutée",
      lead: "Une clé d’accès a été ajoutée à votre compte. Elle permet de s’y connecter sans mot de passe.",
      button: "Vérifier les clés d’accès",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, supprimez la clé d’accès, modifiez votre mot de " +
        "passe et prévenez votre administrateur.",
    },
    new_browser: {
      subject: "Nouvelle connexion à {{brand}}",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, sécurisez votre compte.",
      title: "Nouvelle connexion à votre compte",
      lead: "Une connexion à votre compte {{brand}} a eu lieu depuis un navigateur que nous ne connaissions pas.",
      notMe:
        "Ce n’était pas vous\u202F? Ouvrez ce lien pour déconnecter tous les appareils, supprimer le mot de passe et " +
        "supprimer ce qui a été ajouté depuis cette connexion. Le lien ne fonctionne qu’une fois et est valable " +
        "{{valid_for}}\u00A0:",
      button: "Vérifier l’activité",
      after: "C’était vous\u202F? Vous pouvez ignorer cet e-mail.",
    },
    identity_linked: {
      subject: "{{provider}} permet désormais de se connecter à {{brand}}",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, modifiez vos mots de passe.",
      title: "{{provider}} a été associé",
      lead:
        "Votre compte {{provider}} a été associé à votre compte {{brand}}" +
        "{{^by_user}}, car les deux ont cette adresse confirmée{{/by_user}}. " +
        "Toute personne qui peut se connecter à {{provider}} peut désormais se connecter à votre compte.",
      button: "Vérifier les fournisseurs",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, modifiez votre mot de passe auprès de " +
        "{{provider}} et ici, et prévenez votre administrateur.",
    },
    identity_unlinked: {
      subject: "{{provider}} ne permet plus de se connecter à {{brand}}",
      preheader: "{{device}}, {{time}}. Si ce n’était pas vous, fermez toutes les autres sessions.",
      title: "{{provider}} a été dissocié",
      lead: "Votre compte {{provider}} a été dissocié de votre compte. Connectez-vous ici avec une autre méthode.",
      button: "Vérifier les fournisseurs",
      after:
        "C’était vous\u202F? Vous pouvez ignorer cet e-mail. Sinon, connectez-vous, fermez toutes les autres " +
        "sessions et associez de nouveau le fournisseur.",
    },
    account_secured: {
      subject: "Votre compte {{brand}} n’appartient plus qu’à vous",
      preheader: "Tout ce qui avait été configuré avant la confirmation de votre adresse a été supprimé.",
      title: "Votre compte n’appartient plus qu’à vous",
      lead:
        "Vous avez confirmé pour la première fois que l’adresse de votre compte {{brand}} vous appartient. Une " +
        "autre personne aurait pu créer le compte auparavant. Tout ce qui avait été configuré jusque-là dans le " +
        "compte a donc été supprimé\u00A0: toutes les autres sessions, les clés d’accès, les fournisseurs associés " +
        "et les applications connectées, les navigateurs de confiance, les invitations en attente, les clés API, " +
        "les webhooks et les flux d’événements.",
      secondFactor:
        "L’application d’authentification et ses codes de récupération ont également été supprimés. Veuillez en " +
        "configurer une nouvelle.",
      password:
        "Le mot de passe a également été supprimé. Pour en définir un nouveau, choisissez «\u202FMot de passe " +
        "oublié\u202F» lors de la connexion\u00A0: vous recevrez un e-mail avec un lien.",
      removed: "Éléments supprimés\u00A0:",
      items: {
        password: "Mot de passe",
        second_factor: "Application d’authentification et codes de récupération",
        passkeys: "Clé d’accès",
        identities: "Fournisseur associé",
        company_accounts: "Compte d’entreprise associé",
        trusted_browsers: "Navigateur de confiance",
        invitations: "Invitation en attente",
        api_keys: "Clé API",
        webhooks: "Webhook (désactivé)",
        event_streams: "Flux d’événements (désactivé)",
        setup_links: "Lien de configuration de l’authentification unique",
        oauth_grants: "Application connectée",
      },
      named: " «\u202F{{name}}\u202F»",
      moreRemoved: (count) => plural(count, { one: "et # autre", many: "et # d’autres", other: "et # autres" }),
      joined:
        "Ces membres ont rejoint l’organisation grâce à une invitation du compte avant que vous ne confirmiez votre " +
        "adresse. Ils n’ont pas été retirés\u00A0:",
      member: "{{name}} dans «\u202F{{organization_name}}\u202F»",
      moreMembers: "et d’autres",
      members: "Si vous ne connaissez pas un membre, retirez-le sur cette page\u00A0:",
      button: "Vérifier la sécurité",
      after: "Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe et prévenez votre administrateur.",
    },
    webhook_failing: {
      subject: "Un webhook sur {{brand}} échoue depuis une heure",
      preheader: "Les envois vers {{webhook_host}} échouent. Le service réessaie pendant trois jours.",
      title: "Un webhook échoue",
      lead:
        "Les envois vers votre webhook échouent. Le service réessaie pendant trois jours\u202F; passé ce délai, les " +
        "événements sont abandonnés.",
      button: "Consulter les envois",
      after:
        "La page affiche les dernières réponses et l’heure de la prochaine tentative. Vous recevez cette " +
        "notification une fois par interruption.",
    },
    webhook_disabled: {
      subject: "Un webhook sur {{brand}} a été désactivé",
      preheader: "{{webhook_host}} ne reçoit plus d’événements.",
      title: "Un webhook a été désactivé",
      lead:
        "Le service a désactivé votre webhook. Aucun événement n’est conservé pour le webhook tant qu’il est " +
        "désactivé.",
      gone: "Le point de terminaison a répondu avec le code 410\u00A0: il ne souhaite plus recevoir d’événements.",
      backlog: "Plus de 50\u202F000 envois étaient en attente pour ce point de terminaison.",
      button: "Consulter le webhook",
      after: "Une fois le webhook réactivé, les événements des 30 derniers jours peuvent être renvoyés.",
    },
  },
};
