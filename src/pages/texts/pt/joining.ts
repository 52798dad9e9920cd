/** Portuguese: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "Entrar",
    joinOf: (name) => `Entrar em ${name}`,
    ask: "Pedir para entrar",
    askOf: (name) => `Pedir para entrar em ${name}`,
    openTo: (domain) => `Aberta ao seu endereço em ${domain}`,
    asks: (domain) => `Com seu endereço em ${domain} você pode pedir para entrar; um membro decide`,
    requested: "Pedido enviado",
    denied: "Recusado",
    deniedHint: "Peça um convite a um membro ou peça de novo 30 dias depois do seu pedido",
    sent: "Seu pedido foi enviado. Você vai receber um e‑mail com a decisão.",
    unavailable: "Você não pode mais entrar nesta organização, ou a organização tem pedidos abertos demais.",
    title: "Pedidos para entrar",
    lead: "Usuários com um endereço confirmado em um domínio da organização pedem para se tornar membros.",
    approve: "Aprovar",
    approveOf: (name) => `Aprovar ${name}`,
    deny: "Recusar",
    denyOf: (name) => `Recusar ${name}`,
    denyTitle: (name) => `Recusar o pedido de ${name}?`,
    denyText: "O usuário recebe um e‑mail e pode pedir de novo 30 dias depois do pedido.",
    asked: "pedido",
    approved: "O usuário agora é membro e recebe um e‑mail.",
    deniedNow: "O pedido foi recusado. O usuário recebe um e‑mail.",
    outdated: "O pedido já foi decidido, ou o usuário não pode mais entrar pelo domínio.",
  },
  ownOrganizations: {
    lead: "Você se torna o proprietário. Sua sessão permanece na organização atual.",
    created: "A organização foi criada. Mude para a organização abaixo.",
    taken: "Este slug já está em uso. Escolha outro slug.",
    tooMany: "Você já possui tantas organizações quanto este serviço permite.",
    unverified: "Confirme primeiro seu endereço de e‑mail.",
  },
};
