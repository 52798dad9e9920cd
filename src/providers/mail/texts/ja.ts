import { pluralIn } from "../../../base/plural.ts";
import { accessEmails, accessItems } from "./ja-access.ts";
import { addressEmails } from "./ja-addresses.ts";
import { directoryEmails } from "./ja-directories.ts";
import { domainEmails } from "./ja-domains.ts";
import { leavingEmails } from "./ja-leaving.ts";
import { membershipEmails } from "./ja-memberships.ts";
import type { EmailTexts } from "./shape.ts";

const plural = pluralIn("ja");

export const emailTexts: EmailTexts = {
  greeting: "{{#name}}{{name}} さん、{{/name}}こんにちは",
  codeValidity: "コードは 1 回だけ使用でき、有効期間は{{valid_for}}です。",
  linkValidity: "リンクは 1 回だけ使用でき、有効期間は{{valid_for}}です。",
  copyLink: "ボタンが機能しない場合は、次のアドレスを開いてください：",
  labels: {
    device: "デバイス",
    address: "IP アドレス",
    location: "場所",
    time: "日時",
    account: "アカウント",
    provider: "プロバイダ",
    endpoint: "エンドポイント",
    since: "開始日時",
    domain: "ドメイン",
    recordName: "TXT レコードの名前",
    recordValue: "TXT レコードの値",
  },
  unknownBrowser: "不明なブラウザ",
  browserOn: "{{browser}}（{{system}}）",
  unknownBrowserOn: "不明なブラウザ（{{system}}）",
  moreChanges: (merged) => plural(merged, { other: "前回のメール以降に、同じ種類の変更がさらに # 件ありました。" }),
  reasons: {
    request: "{{brand}} でこのアドレスが入力されたため、このメールをお送りしています。",
    invitation: "{{brand}} の組織のメンバーがこのアドレスを招待したため、このメールをお送りしています。",
    security: "アカウントのセキュリティに関する通知のため、お送りしています。この通知はオフにできません。",
    webhook: "{{brand}} でこの Webhook を担当しているため、この通知をお送りしています。",
    owner: "{{brand}} の組織のオーナーであるため、この通知をお送りしています。",
    data: "{{brand}} でデータのコピーが請求されたため、このメールをお送りしています。",
  },
  providedBy: "提供：{{brand}}",
  links: { support: "ヘルプ", privacy: "プライバシー", terms: "利用規約" },
  accessItems,
  kinds: {
    ...accessEmails,
    email_code: {
      subject: "{{brand}} のログインコード",
      preheader: "コードの有効期間は{{valid_for}}です。コードを他人に教えないでください。",
      title: "ログインコード",
      lead: "{{brand}} にログインするには、次のコードを入力してください：",
      after:
        "ログインしようとした覚えがない場合は、このメールを無視してください。コードがなければ誰もログインできません。" +
        "コードを他人に教えないでください。",
    },
    email_verification: {
      subject: "{{brand}} のメールアドレスの確認",
      preheader: "アカウントの設定を完了してください。リンクの有効期間は{{valid_for}}です。",
      title: "メールアドレスの確認",
      lead:
        "このアドレスを使って {{brand}} のアカウントが作成されました。アカウントの設定を完了するには、" +
        "アドレスを確認してください。",
      button: "アドレスを確認",
      after:
        "ご自身でアカウントを登録した場合にのみ確認してください。登録した覚えがない場合は、このメールを無視し、" +
        "リンクを開かないでください。",
    },
    ...addressEmails,
    ...leavingEmails,
    ...directoryEmails,
    ...domainEmails,
    ...membershipEmails,
    password_reset: {
      subject: "{{brand}} の新しいパスワードの設定",
      preheader: "リンクの有効期間は{{valid_for}}です。新しいパスワードを設定するまで、パスワードは変更されません。",
      title: "新しいパスワードの設定",
      lead: "{{brand}} のアカウントについて、新しいパスワードがリクエストされました。",
      button: "新しいパスワードを設定",
      after: "リクエストした覚えがない場合は、このメールを無視してください。パスワードは変更されません。",
    },
    invitation: {
      subject: "{{brand}} の「{{organization_name}}」への招待",
      preheader: "{{valid_for}}以内に承諾してください。",
      title: "招待が届いています",
      lead: "{{inviter_name}} さんが {{brand}} の {{organization_name}} に招待しています。",
      button: "招待を承諾",
      after: "送信者に心当たりがない場合は、このメールを無視してください。",
    },
    password_changed: {
      subject: "{{brand}} のパスワードが変更されました",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、パスワードを再設定してください。",
      title: "パスワードが変更されました",
      lead: "アカウントのパスワードが変更されました。他のすべてのセッションはログアウトされました。",
      button: "パスワードを再設定",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、直ちにパスワードを再設定し、" +
        "管理者に連絡してください。",
    },
    password_removed: {
      subject: "{{brand}} のパスワードが削除されました",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、新しいパスワードを設定してください。",
      title: "パスワードが削除されました",
      lead: "アカウントのパスワードはなくなりました。パスキーでログインしてください。",
      button: "新しいパスワードを設定",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、新しいパスワードを設定して" +
        "ください。すべてのセッションがログアウトされます。",
    },
    mfa_enabled: {
      subject: "{{brand}} の 2 段階認証がオンになりました",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、パスワードを変更してください。",
      title: "2 段階認証がオンになりました",
      lead: "アカウントに認証アプリが追加されました。今後のログインではアプリのコードが必要です。",
      button: "セキュリティ設定を確認",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、直ちにパスワードを変更し、" +
        "管理者に連絡してください。",
    },
    mfa_disabled: {
      subject: "{{brand}} の 2 段階認証がオフになりました",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、パスワードを変更してください。",
      title: "2 段階認証がオフになりました",
      lead: "アカウントから認証アプリが削除されました。ログインでアプリのコードは求められなくなります。",
      button: "セキュリティ設定を確認",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、直ちにパスワードを変更し、" +
        "管理者に連絡してください。",
    },
    mfa_reset: {
      subject: "{{brand}} の 2 段階認証がリセットされました",
      preheader: "管理者が認証アプリを削除しました。新しい認証アプリを設定してください。",
      title: "2 段階認証がリセットされました",
      lead:
        "管理者がアカウントの認証アプリ、リカバリーコード、信頼できるブラウザを削除し、すべてのセッションを" +
        "ログアウトしました。",
      button: "2 段階認証を設定",
      after: "リセットを依頼した覚えがない場合は、パスワードを変更し、管理者に確認してください。",
    },
    recovery_codes_renewed: {
      subject: "{{brand}} の新しいリカバリーコード",
      preheader: "{{device}}、{{time}}。以前のコードは使用できません。",
      title: "新しいリカバリーコード",
      lead: "アカウントの新しいリカバリーコードが作成されました。以前のコードは使用できません。",
      button: "セキュリティ設定を確認",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、直ちにパスワードを変更し、" +
        "新しいリカバリーコードを作成して、管理者に連絡してください。",
    },
    passkey_added: {
      subject: "{{brand}} のアカウントにパスキーが追加されました",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、パスキーを削除してください。",
      title: "パスキーが追加されました",
      lead: "アカウントにパスキーが追加されました。このパスキーを使うと、パスワードなしでログインできます。",
      button: "パスキーを確認",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、パスキーを削除し、" +
        "パスワードを変更して、管理者に連絡してください。",
    },
    new_browser: {
      subject: "{{brand}} への新しいログイン",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、アカウントを保護してください。",
      title: "アカウントへの新しいログイン",
      lead: "これまでに使用されたことのないブラウザから、{{brand}} のアカウントへのログインがありました。",
      notMe:
        "心当たりがない場合は、次のリンクを開いてください。すべてのデバイスからログアウトされ、パスワードと、" +
        "このログイン以降に追加されたものが削除されます。リンクは{{valid_for}}以内に 1 回だけ使用できます：",
      button: "アクティビティを確認",
      after: "ご自身によるログインの場合は、このメールを無視してください。",
    },
    identity_linked: {
      subject: "{{brand}} へのログインに {{provider}} を使用できます",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、パスワードを変更してください。",
      title: "{{provider}} を連携しました",
      lead:
        "{{provider}} のアカウントが {{brand}} のアカウントと連携されました" +
        "{{^by_user}}（両方に同じ確認済みのアドレスがあるため）{{/by_user}}。" +
        "{{provider}} にログインできる人は、このアカウントにもログインできます。",
      button: "連携プロバイダを確認",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、{{provider}} とこのサービスの" +
        "パスワードを変更し、管理者に連絡してください。",
    },
    identity_unlinked: {
      subject: "{{brand}} へのログインに {{provider}} は使用できません",
      preheader: "{{device}}、{{time}}。心当たりがない場合は、他のすべてのセッションを終了してください。",
      title: "{{provider}} の連携が解除されました",
      lead: "{{provider}} のアカウントとの連携が解除されました。別の方法でログインしてください。",
      button: "連携プロバイダを確認",
      after:
        "ご自身による変更の場合は、このメールを無視してください。心当たりがない場合は、ログインして他のすべての" +
        "セッションを終了し、プロバイダをもう一度連携してください。",
    },
    account_secured: {
      subject: "{{brand}} のアカウントを保護しました",
      preheader: "アドレスの確認前に設定されたものは、すべて削除されました。",
      title: "アカウントを保護しました",
      lead:
        "{{brand}} のアカウントのアドレスの所有が、初めて確認されました。それ以前に、他人がアカウントを登録していた" +
        "可能性があります。そのため、それまでにアカウントに設定されたものはすべて削除されました：他のすべての" +
        "セッション、パスキー、連携プロバイダ、連携アプリケーション、信頼できるブラウザ、未承諾の招待、API キー、" +
        "Webhook、イベントストリーム。",
      secondFactor: "認証アプリとリカバリーコードも削除されました。新しい認証アプリを設定してください。",
      password:
        "パスワードも削除されました。新しいパスワードを設定するには、ログイン時に「パスワードをお忘れですか？」を" +
        "選択してください。リンクがメールで届きます。",
      removed: "削除されたもの：",
      items: {
        password: "パスワード",
        second_factor: "認証アプリとリカバリーコード",
        passkeys: "パスキー",
        identities: "連携プロバイダ",
        company_accounts: "連携した会社アカウント",
        trusted_browsers: "信頼できるブラウザ",
        invitations: "未承諾の招待",
        api_keys: "API キー",
        webhooks: "Webhook（オフ）",
        event_streams: "イベントストリーム（オフ）",
        setup_links: "シングルサインオンの設定リンク",
        oauth_grants: "連携アプリケーション",
      },
      named: "「{{name}}」",
      moreRemoved: (count) => plural(count, { other: "ほか # 件" }),
      joined:
        "アドレスの確認前に、このアカウントからの招待で次のメンバーが参加しました。これらのメンバーは" +
        "削除されていません：",
      member: "{{name}}（「{{organization_name}}」）",
      moreMembers: "ほか",
      members: "心当たりのないメンバーがいる場合は、次のページで削除してください：",
      button: "セキュリティ設定を確認",
      after: "心当たりがない場合は、直ちにパスワードを再設定し、管理者に連絡してください。",
    },
    webhook_failing: {
      subject: "{{brand}} の Webhook が 1 時間失敗しています",
      preheader: "{{webhook_host}} への配信が失敗しています。3 日間は再試行されます。",
      title: "Webhook が失敗しています",
      lead: "Webhook への配信が失敗しています。3 日間は再試行され、その後イベントは破棄されます。",
      button: "配信を確認",
      after:
        "ページには、最近のレスポンスと次回の試行日時が表示されます。この通知は、障害ごとに 1 回だけ送信されます。",
    },
    webhook_disabled: {
      subject: "{{brand}} の Webhook がオフになりました",
      preheader: "{{webhook_host}} にイベントは送信されません。",
      title: "Webhook がオフになりました",
      lead: "サービスが Webhook をオフにしました。オフの間、この Webhook のイベントは保存されません。",
      gone: "エンドポイントがステータス 410 を返し、以後のイベントを受け付けないことを示しました。",
      backlog: "エンドポイントへの配信が 50,000 件を超えて滞留しました。",
      button: "Webhook を確認",
      after: "Webhook を再びオンにすると、過去 30 日間のイベントを再送信できます。",
    },
  },
};
