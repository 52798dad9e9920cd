/** Japanese: connections by SAML 2.0. */
import type { SamlTexts } from "../en/saml.ts";

export const samlTexts: SamlTexts = {
  saml: {
    protocol: "プロトコル",
    metadata: "ID プロバイダのメタデータを読み込む",
    metadataLead:
      "メタデータのアドレスを入力するか、メタデータを貼り付けてください。適用する前に変更内容が表示されます。",
    metadataUrl: "メタデータのアドレス",
    metadataXml: "メタデータ（XML）",
    metadataXmlHint: "アドレスがない場合のみ。最大 64 KiB。",
    metadataFile: "メタデータのファイル",
    metadataFileHint: "最大 512 KiB の XML ファイル。",
    preview: "変更を表示",
    changes: "メタデータによる変更",
    noChanges: "接続はすでにメタデータの設定になっています。",
    apply: "変更を適用",
    imported: "メタデータを適用しました。",
    settings: "ID プロバイダの設定",
    entityId: "ID プロバイダのエンティティ ID",
    ssoUrl: "ログイン URL",
    sloUrl: "ログアウト URL",
    certificates: "署名用の証明書",
    certificatesHint: "PEM 形式で 4 件まで。鍵を切り替えるときは、古い証明書と新しい証明書の両方を入力してください。",
    expired: "期限切れ",
    endsSoon: "まもなく期限切れ",
    binding: "リクエストの送信方法",
    signedElement: "署名の対象",
    signedElements: { assertion: "アサーション", either: "アサーションまたは応答" },
    nameIdFormat: "要求する NameID の形式",
    nameIdFormatHint: "空欄：形式を要求しません。",
    signRequests: "リクエストに署名する",
    encrypted: "暗号化されたアサーションのみ受け入れる",
    enforceExpiry: "期限切れの証明書を拒否する",
    keysLead: "ID プロバイダは、このサービスのメタデータから鍵を読み込みます。",
    needsSettings: "エンティティ ID、ログイン URL、証明書",
    needsKey: "このサービスの鍵",
    attributes: "属性",
    attributesLead:
      "アサーション内の属性の名前。完全に一致する名前を比較します。ID やアドレスが空欄の場合は NameID から読み取ります。",
    mfaTrust: "信頼する認証クラス",
    incomplete: "先にメタデータを読み込むか、設定を入力してください。",
    secondImplementation: "2 つ目の実装と一致",
    rules: {
      entity_id: "エンティティ ID を ID プロバイダの表示どおりに入力してください。",
      url: "https のアドレスを入力してください。",
      certificates: "PEM 形式の証明書を 4 件まで入力してください。それぞれ 2048 ビット以上の RSA 鍵が必要です。",
      metadata: "メタデータを読み取れません。アドレスを確認するか、XML 全体を貼り付けてください。",
      metadataTooLong:
        "メタデータが 64 KiB を超えています。ファイルをアップロードするか、メタデータのアドレスを入力してください。",
      fileTooLong:
        "ファイルが 512 KiB を超えています。お使いの ID プロバイダのメタデータだけをアップロードするか、アドレスを入力してください。",
    },
  },
};
