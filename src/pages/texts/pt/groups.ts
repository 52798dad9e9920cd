/** Portuguese: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "Grupos",
    lead: "Um grupo é uma lista de membros. As funções do grupo valem para cada membro dele.",
    group: "Grupo",
    create: "Novo grupo",
    none: "Ainda não há grupos. Crie um grupo para uma equipe ou uma tarefa.",
    rolesOfMembers: "Funções dos membros",
    add: "Endereço de e‑mail de um membro",
    addAction: "Adicionar",
    addedAt: "Adicionado",
    noMembers: "O grupo não tem membros.",
    remove: "Excluir grupo",
    removeText: "Os membros perdem as funções do grupo imediatamente. Eles continuam na organização.",
    created: "O grupo foi criado.",
    saved: "O grupo foi salvo. As funções valem imediatamente.",
    deleted: "O grupo foi excluído.",
    added: "O membro foi adicionado.",
    removed: "O membro foi removido do grupo.",
    taken: "Já existe um grupo com este nome, ou o número máximo de grupos foi atingido.",
    tooManyRoles: "Um membro tem no máximo 10 outras funções.",
    tooManyForMember: "O membro teria mais de 10 outras funções.",
    notMember: "Nenhum membro da organização tem este endereço.",
    full: "O grupo tem o número máximo de membros.",
    ofDirectory: "O diretório gerencia este grupo.",
    notYours: "Você não tem permissão para ver os grupos da organização.",
    notYoursToChange: "Você não tem permissão para alterar grupos.",
    notIncluded: "Grupos não estão incluídos no plano da sua organização.",
    removeTitle: (name) => `Excluir o grupo ${name}?`,
    fixed: {
      directory: "O diretório gerencia este grupo. As funções do grupo são atribuídas na página do diretório.",
      permission: "Você não tem permissão para alterar grupos.",
      above: "O grupo concede uma função com uma permissão que você não tem. Você não pode alterar o grupo.",
    },
  },
};
