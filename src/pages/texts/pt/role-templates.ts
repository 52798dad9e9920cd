/** Portuguese: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "Modelos de funções",
    lead: "Funções que cada organização pode atribuir aos seus membros.",
    create: "Novo modelo",
    createAction: "Criar modelo",
    newLead: "Um modelo não contém permissões de proprietários. As organizações podem atribuí-lo imediatamente.",
    none:
      "Ainda não há modelos. Crie um modelo para uma tarefa de todas as organizações, " +
      "como ler o registro de auditoria.",
    organizations: "Organizações",
    ownersOnly: "Só uma organização concede esta permissão, com uma função própria.",
    created: "O modelo foi criado.",
    saved: "O modelo foi salvo. As novas permissões valem imediatamente.",
    deleted: "O modelo foi excluído.",
    wider:
      "As permissões alteradas valem imediatamente para os membros. Se você adicionar permissões, os " +
      "proprietários das organizações que usam o modelo recebem um e‑mail.",
  },
};
