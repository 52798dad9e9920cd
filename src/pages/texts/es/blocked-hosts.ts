/** Spanish: blocked hosts of metadata documents, in the platform console. */
import type { BlockedHostsTexts } from "../en/blocked-hosts.ts";

export const blockedHostsTexts: BlockedHostsTexts = {
  blockedHosts: {
    title: "Hosts bloqueados",
    lead:
      "Un documento en un host bloqueado no identifica ninguna aplicación: los usuarios no pueden iniciar " +
      "sesión con ella y su acceso ha terminado.",
    none: "No hay hosts bloqueados.",
    host: "Host",
    hostHint:
      "Por ejemplo app.example.com, o *.example.com para todos los hosts por debajo de example.com. El acceso " +
      "de sus aplicaciones termina de inmediato.",
    since: "Bloqueado desde",
    add: "Bloquear un host",
    addAction: "Bloquear host",
    added: "El host está bloqueado.",
    remove: "Desbloquear",
    removeTitle: (host) => `¿Desbloquear ${host}?`,
    removeText:
      "Los usuarios pueden volver a iniciar sesión en las aplicaciones de este host. El acceso terminado no " +
      "vuelve.",
    removed: "El host ya no está bloqueado.",
    full: "Ya hay 1000 hosts bloqueados. Desbloquea primero uno.",
  },
};
