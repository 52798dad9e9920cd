/** 日本語：組織へのアクセスを持つアプリケーションと、アプリケーションに関する決定。 */
import type { ApplicationTexts } from "../en/applications.ts";

export const applicationTexts: ApplicationTexts = {
  applications: {
    title: "アプリケーション",
    lead: "この組織のメンバーがアクセスを許可したアプリケーションです。",
    notYours: "アプリケーションを表示できるのは組織の管理者だけです。",
    requestsTitle: "メンバーからの申請",
    requestsLead: "メンバーがこれらのアプリケーションの利用を申請しました。承認する前にアドレスを確認してください。",
    noRequest: "決定待ちの申請はありません。",
    usedTitle: "アクセス権のあるアプリケーション",
    none: "この組織のメンバーがアクセスを許可したアプリケーションはありません。",
    end: "アクセスを終了",
    decisionsTitle: "決定",
    decisionsLead: "組織のポリシーが承認済みアプリケーションだけを許可している間、決定が適用されます。",
    approve: "承認",
    deny: "却下",
    approved: "アプリケーションを承認しました。",
    denied: "アプリケーションを却下しました。",
    ended: "アプリケーションのアクセスを終了しました。",
    endText:
      "すべてのメンバーがアプリケーションからログアウトされ、承認は取り消されます。ポリシーで許可されている場合、メンバーは再びアクセスを許可できます。",
    approvalAsk: "管理者に申請",
    approvalBack: "アプリケーションに戻る",
    statuses: { approved: "承認済み", denied: "却下済み" },
    changed: "承認後に変更されました",
    requestOf: (name) => `申請者：${name}`,
    endNamed: (name) => `${name} のアクセスを終了`,
    endTitle: (name) => `${name} のアクセスを終了しますか？`,
    approveNamed: (name) => `${name} を承認`,
    denyNamed: (name) => `${name} を却下`,
    approvalTitle: (name) => `${name} には承認が必要です`,
    approvalText: (organization) =>
      `${organization} は承認済みアプリケーションだけを許可しています。管理者にこのアプリケーションの承認を申請してください。`,
    approvalRequested: (organization) =>
      `申請は ${organization} の管理者の承認待ちです。承認後にアプリケーションへもう一度ログインしてください。`,
  },
};
