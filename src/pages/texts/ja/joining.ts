/** Japanese: joining of organizations by a verified domain. */
import type { JoiningTexts } from "../en/joining.ts";

export const joiningTexts: JoiningTexts = {
  joining: {
    join: "参加",
    joinOf: (name) => `参加：${name}`,
    ask: "参加をリクエスト",
    askOf: (name) => `参加をリクエスト：${name}`,
    openTo: (domain) => `${domain} のアドレスで参加できます`,
    asks: (domain) => `${domain} のアドレスでリクエストできます。承認はメンバーが判断します`,
    requested: "リクエスト済み",
    denied: "拒否",
    deniedHint: "メンバーに招待を依頼するか、リクエストから 30 日後にもう一度リクエストしてください",
    sent: "リクエストを送信しました。結果はメールでお知らせします。",
    unavailable: "この組織には参加できなくなったか、組織の未処理のリクエストが多すぎます。",
    title: "参加リクエスト",
    lead: "組織のドメインの確認済みアドレスを持つユーザーが参加を希望しています。",
    approve: "承認",
    approveOf: (name) => `${name} を承認`,
    deny: "拒否",
    denyOf: (name) => `${name} を拒否`,
    denyTitle: (name) => `${name} のリクエストを拒否しますか？`,
    denyText: "ユーザーにメールが届きます。リクエストから 30 日後に、もう一度リクエストできます。",
    asked: "リクエスト",
    approved: "ユーザーはメンバーになりました。メールが届きます。",
    deniedNow: "リクエストを拒否しました。ユーザーにメールが届きます。",
    outdated: "リクエストは処理済みか、ユーザーはドメインで参加できなくなりました。",
  },
  ownOrganizations: {
    lead: "作成するとオーナーになります。セッションは現在の組織のままです。",
    created: "組織を作成しました。下の一覧から切り替えてください。",
    taken: "このスラッグは使用されています。別のスラッグを選んでください。",
    tooMany: "このサービスで許可された数の組織をすでに所有しています。",
    unverified: "先にメールアドレスを確認してください。",
  },
};
