/** Portuguese: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Hosts bloqueados",
    lead:
      "Um documento em um host bloqueado não identifica nenhum aplicativo: os usuários não podem entrar com " +
      "ele, e o acesso dele terminou.",
    none: "Nenhum host está bloqueado.",
    host: "Host",
    hostHint:
      "Por exemplo app.example.com, ou *.example.com para todos os hosts abaixo de example.com. O acesso dos " +
      "aplicativos termina imediatamente.",
    since: "Bloqueado desde",
    add: "Bloquear um host",
    addAction: "Bloquear host",
    added: "O host está bloqueado.",
    remove: "Desbloquear",
    removeTitle: (host) => `Desbloquear ${host}?`,
    removeText: "Os usuários podem entrar novamente nos aplicativos deste host. O acesso encerrado não volta.",
    removed: "O host não está mais bloqueado.",
    full: "Já existem 1.000 hosts bloqueados. Desbloqueie um host primeiro.",
  },
};
