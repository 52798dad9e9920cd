import type { DomainEmailKinds } from "./shape.ts";

/** E-mails about the domains of an organization. */
export const domainEmails: DomainEmailKinds = {
  domain_failing: {
    subject: "Falta el registro DNS de {{domain}}",
    preheader: "Sin el registro, tu organización perderá el dominio dentro de {{valid_for}}.",
    title: "Falta un registro DNS",
    lead:
      "Falta el registro TXT que demuestra que {{domain}} pertenece a tu organización. Vuelve a añadirlo: de lo " +
      "contrario, tu organización perderá el dominio dentro de {{valid_for}} y el inicio de sesión único dejará " +
      "de aplicarse a las direcciones del dominio.",
    button: "Comprobar el dominio",
    after: "El servicio comprueba el registro una vez al día. Puedes comprobarlo en la página en cualquier momento.",
  },
  domain_lost: {
    subject: "Tu organización perdió el dominio {{domain}}",
    preheader: "El registro DNS faltó durante siete días.",
    title: "Se perdió un dominio",
    lead:
      "El registro TXT de {{domain}} faltó durante siete días. El inicio de sesión único ya no se aplica a las " +
      "direcciones del dominio. Las sesiones abiertas continúan.",
    button: "Verificar de nuevo",
    after: "Para volver a usar el dominio, añade el registro al DNS y comprueba el dominio en la página.",
  },
  domain_transferred: {
    subject: "Se transfirió el dominio {{domain}}",
    preheader: "El operador de {{brand}} decidió a quién pertenece el dominio.",
    title: "Se transfirió un dominio",
    lead: "El operador de {{brand}} decidió a qué organización pertenece el dominio {{domain}}.",
    gained:
      "Ahora el dominio pertenece a tu organización. Conserva el registro TXT en el DNS: el servicio lo comprueba " +
      "una vez al día.",
    givenUp:
      "El dominio ya no pertenece a tu organización. El inicio de sesión único ya no se aplica a las direcciones del " +
      "dominio. Las sesiones abiertas continúan.",
    button: "Revisar los dominios",
    after: "Si tienes preguntas, ponte en contacto con el operador de {{brand}}.",
  },
  sso_identity_conflict: {
    subject: "Se rechazó un inicio de sesión único",
    preheader: "Dos cuentas de tu proveedor de identidad tienen la dirección {{address}}.",
    title: "Se rechazó un inicio de sesión",
    lead:
      "En tu proveedor de identidad, una segunda cuenta tiene la dirección {{address}} de un miembro. El inicio " +
      "de sesión mediante la conexión {{connection}} ({{time}}) se rechazó para que la segunda cuenta no " +
      "obtenga el acceso de ese miembro.",
    button: "Revisar el inicio de sesión único",
    after:
      "Si el miembro tiene una cuenta nueva en tu proveedor de identidad, desvincula la cuenta anterior en la " +
      "página. Si no, corrige la dirección en tu proveedor de identidad.",
  },
  sso_linked: {
    subject: "Ya puedes iniciar sesión con {{organization_name}}",
    preheader: "{{organization_name}} inicia tu sesión con su proveedor de identidad, solo en esta organización.",
    title: "Inicio de sesión único configurado",
    lead:
      "Tu cuenta de {{brand}} está ahora vinculada a tu cuenta en el proveedor de identidad de " +
      "{{organization_name}}. Ese inicio de sesión solo da acceso a esta organización. Tu contraseña, tus " +
      "otros métodos y tus otras organizaciones no cambian.",
    button: "Revisar tu cuenta",
    after: "Si no reconoces este inicio de sesión, avisa a un administrador de {{organization_name}}.",
  },
  organization_factor_enabled: {
    subject: "Se configuró un segundo factor para {{organization_name}}",
    preheader: "{{device}}, {{time}}. Si no fuiste tú, avisa a un administrador de {{organization_name}}.",
    title: "Se configuró un segundo factor",
    lead:
      "Se configuró una aplicación de autenticación para el inicio de sesión único de {{organization_name}}. La " +
      "aplicación solo se pide después de ese inicio de sesión. Tu contraseña y tus otros métodos no cambian.",
    button: "Revisar tu cuenta",
    after:
      "¿Fuiste tú? Entonces puedes ignorar este correo. Si no, avisa de inmediato a un administrador de " +
      "{{organization_name}}.",
  },
  sso_break_glass_used: {
    subject: "Se usó el acceso de emergencia",
    preheader: "La cuenta {{address}} inició sesión sin tu proveedor de identidad.",
    title: "Se usó el acceso de emergencia",
    lead:
      "La cuenta {{address}} inició sesión con el acceso de emergencia el {{time}}, mientras tu organización exige " +
      "el inicio de sesión único. La sesión termina al cabo de una hora.",
    button: "Revisar el inicio de sesión único",
    after: "Si no esperabas este inicio de sesión, cierra la sesión de esa persona y cambia la política.",
  },
  sso_paused: {
    subject: "Inicio de sesión único opcional durante 24 horas",
    preheader: "El operador de {{brand}} pausó la obligación.",
    title: "La obligación está en pausa",
    lead:
      "El operador de {{brand}} pausó la obligación del inicio de sesión único en tu organización hasta " +
      "el {{time}}. Los miembros pueden iniciar sesión con sus propios métodos. Motivo: {{reason}}",
    button: "Revisar el inicio de sesión único",
    after: "La obligación vuelve por sí sola. Si tienes preguntas, consulta al operador de {{brand}}.",
  },
  requirement_lifted: {
    subject: "Una obligación de tu organización puede haber terminado",
    preheader: "El ajuste {{setting}} formaba parte de la obligación.",
    title: "Un ajuste de una obligación cambió",
    lead:
      "Tu organización exige el inicio de sesión único o un segundo factor. El ajuste {{setting}}, que forma " +
      "parte de esta obligación, se modificó o eliminó el {{time}} por un miembro que puede cambiar las " +
      "políticas.",
    button: "Revisar el inicio de sesión único",
    after: "Si no esperas este cambio, restablece el ajuste y consulta en el registro de auditoría quién lo hizo.",
  },
  sso_certificate_expiring: {
    subject: "Un certificado de tu proveedor de identidad caduca el {{time}}",
    preheader: "La conexión {{connection}} usa este certificado.",
    title: "Un certificado caduca",
    lead:
      "Un certificado del proveedor de identidad de la conexión {{connection}} es válido hasta el {{time}}. Pide " +
      "el próximo certificado al administrador del proveedor de identidad.",
    button: "Revisar la conexión",
    after:
      "Añade el próximo certificado junto al anterior para que no falle ningún inicio de sesión. Con la " +
      "dirección de los metadatos, el servicio lee los certificados nuevos por sí mismo.",
  },
  sso_secret_expiring: {
    subject: "El secreto de tu proveedor de identidad caduca el {{time}}",
    preheader: "La conexión {{connection}} usa este secreto.",
    title: "Un secreto de cliente caduca",
    lead:
      "El secreto de cliente de la conexión {{connection}} es válido hasta el {{time}}. Crea un secreto nuevo en " +
      "el proveedor de identidad.",
    button: "Revisar la conexión",
    after:
      "Introduce el secreto nuevo y la fecha nueva antes de que caduque el anterior para que no falle ningún inicio " +
      "de sesión.",
  },
  sso_certificates_changed: {
    subject: "Cambiaron los certificados de la conexión {{connection}}",
    preheader: "Los metadatos de tu proveedor de identidad cambiaron el {{time}}.",
    title: "Cambiaron los certificados",
    lead:
      "El servicio leyó el {{time}} metadatos nuevos del proveedor de identidad de la conexión {{connection}} y " +
      "cambió los certificados de la conexión.",
    button: "Revisar la conexión",
    after: "Si no esperas este cambio, desactiva la conexión y consulta al administrador del proveedor de identidad.",
  },
  sso_setup_link: {
    subject: "Inicio de sesión único para {{organization_name}}",
    preheader: "{{inviter_name}} te pide que conectes tu proveedor de identidad.",
    title: "Configura el inicio de sesión único",
    lead:
      "{{inviter_name}} te pide que configures el inicio de sesión único de {{organization_name}} en {{brand}}. " +
      "No necesitas una cuenta. El enlace funciona en un solo navegador: ábrelo en el navegador con el que " +
      "gestionas tu proveedor de identidad.",
    button: "Empezar la configuración",
    after: "No reenvíes el enlace. Si no esperas este correo, ignóralo.",
  },
  sso_activation_requested: {
    subject: "Una conexión espera tu activación",
    preheader: "La configuración de {{connection}} está completa.",
    title: "Activa la conexión",
    lead:
      "La configuración de la conexión {{connection}} se completó el {{time}} mediante un enlace de " +
      "configuración. Revisa los ajustes. Los miembros podrán iniciar sesión cuando un propietario active la " +
      "conexión.",
    button: "Revisar la conexión",
    after: "Si no sabes quién configuró la conexión, no la actives y revoca el enlace de configuración.",
  },
};
