/** Japanese: domains of organizations. */
import type { SingleSignOnTexts } from "../en/single-sign-on.ts";

export const singleSignOnTexts: SingleSignOnTexts = {
  singleSignOn: {
    title: "シングルサインオン",
    notYours: "シングルサインオンを管理できるのは組織のオーナーと管理者だけです。",
    notIncluded: "ご利用のプランにはシングルサインオンが含まれていません。サービスの運営者にお問い合わせください。",
    domains: "ドメイン",
    domainsLead: "DNS レコードによって、組織がドメインのアドレスを所有していることを証明します。",
    domain: "ドメイン",
    domainHint: "例：acme.com。サブドメインは含まれません。",
    notAccepted: "このドメインはプロバイダのものか、多数の所有者がいます。組織のドメインを入力してください。",
    add: "ドメインを追加",
    readOnly: "変更するには、2 段階認証を行ってください。",
    noDomains: "ドメインはまだありません。メールアドレスのドメインを追加してください。",
    added: "ドメインを追加しました。次に TXT レコードを DNS に追加してください。",
    alreadyAdded: "このドメインはすでに組織にあるか、ドメインが上限の 50 件に達しています。",
    statuses: { pending: "未確認", verified: "確認済み", failing: "レコードなし", lost: "失効" },
    pendingText:
      "この TXT レコードを DNS に追加してから、ドメインを確認してください。DNS の反映には 1 時間かかることがあります。",
    verifiedText: "TXT レコードを DNS に残してください。サービスは 1 日に 1 回レコードを確認します。",
    failingText: (date) => `${date}までに TXT レコードを再び追加してください。追加しないとドメインを失います。`,
    lostText: "TXT レコードが 7 日間ありませんでした。レコードを再び追加してから、ドメインを確認してください。",
    conflictText:
      "別の組織がこのドメインを使用しています。レコードを DNS に残してください。相手の組織のレコードが 7 日間なくなると、" +
      "ドメインはこの組織のものになります。",
    record: "TXT レコード",
    recordName: "名前",
    recordValue: "値",
    checked: "確認日時",
    neverChecked: "まだ確認されていません",
    checkNow: "今すぐ確認",
    checkNamed: (domain) => `今すぐ確認：${domain}`,
    results: {
      verified: "ドメインを確認しました。",
      waiting: "レコードは DNS にあります。相手の組織のレコードがなくなるまで、ドメインは保留中です。",
      missing: "レコードはまだ DNS にありません。DNS の反映には 1 時間かかることがあります。",
      noResponse: "DNS サーバーが応答しません。数分後にもう一度お試しください。",
    },
    found: "DNS で見つかった値",
    removeTitle: (domain) => `${domain} を削除しますか？`,
    removeText: "このドメインのアドレスのシングルサインオンは直ちに終了します。現在のセッションは継続します。",
    removed: "ドメインを削除しました。",
  },
};
