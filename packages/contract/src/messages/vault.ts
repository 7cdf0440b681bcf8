/** Texts of the external vault for the secrets of accounts. */
import { defineMessages } from '../messages.ts'

export const vaultMessages = defineMessages({
  address: {
    en: 'Enter an address such as https://vault.example.com:8200, without a path.',
    zh: '请输入类似 https://vault.example.com:8200 的地址，不含路径',
    ja: 'https://vault.example.com:8200 のようなアドレスを、パスなしで入力してください。',
  },
  mount: {
    en: 'Enter the path of a secrets engine: letters, digits, hyphens and underscores, separated by slashes.',
    zh: '请输入密文引擎的路径：字母、数字、连字符和下划线，以斜杠分隔',
    ja: 'シークレットエンジンのパスを入力してください。英数字、ハイフン、アンダースコアを使い、スラッシュで区切ります。',
  },
  needs_right: {
    en: 'All secrets of accounts are sent to the vault. Deciding where they are kept requires permission to view account secrets.',
    zh: '所有账号密文都会发送到密钥库。设置存放位置需要查看账号密文的权限。',
    ja: 'アカウントのシークレットはすべて保管先に送られます。保管先を決めるには、アカウントのシークレットを表示する権限が必要です。',
  },
  not_set: {
    en: 'No vault is set up. Enter its address, and a token or the ids of an AppRole, in the settings.',
    zh: '尚未配置 Vault，请在系统设置中填写地址，以及令牌或 AppRole 信息',
    ja: 'Vault が設定されていません。設定でアドレスと、トークンまたは AppRole の ID を入力してください。',
  },
  in_database: {
    en: 'No vault is set up: secrets are stored encrypted in the database, which works.',
    zh: '尚未配置 Vault：密文加密存储在数据库中，工作正常。',
    ja: 'Vault は設定されていません。シークレットはデータベースに暗号化して保存され、正常に動作しています。',
  },
  token_again: {
    en: 'Enter the token again: the address or its certificate is another one, and the stored token would be sent there.',
    zh: '地址或证书已变更，已保存的令牌会被发送到新的目标，请重新输入令牌',
    ja: 'アドレスまたは証明書が変更されています。保存済みのトークンがそこに送られるため、もう一度入力してください。',
  },
  unreachable: {
    en: 'The vault at {address} cannot be reached ({reason}). Check its address and whether it is running, then try again.',
    zh: '无法连接 {address} 上的 Vault（{reason}），请检查地址及其运行状态后重试',
    ja: '{address} の Vault に接続できません（{reason}）。アドレスと稼働状況を確認して、もう一度お試しください。',
  },
  sealed: {
    en: 'The vault at {address} is sealed. Unseal it, then try again.',
    zh: '{address} 上的 Vault 已封存，请解封后重试',
    ja: '{address} の Vault は封印されています。封印を解除して、もう一度お試しください。',
  },
  denied: {
    en: 'The vault at {address} refused the call ({reason}). Check the token or the AppRole and its policy.',
    zh: '{address} 上的 Vault 拒绝了请求（{reason}），请检查令牌或 AppRole 及其策略',
    ja: '{address} の Vault がリクエストを拒否しました（{reason}）。トークンまたは AppRole とそのポリシーを確認してください。',
  },
  failed: {
    en: 'The vault at {address} answered with status {status}. {reason}',
    zh: '{address} 上的 Vault 返回状态 {status}。{reason}',
    ja: '{address} の Vault が状態 {status} を返しました。{reason}',
  },
  no_vault: {
    en: 'What answers at {address} is not a vault. Check the address.',
    zh: '{address} 的响应不是 Vault，请检查地址',
    ja: '{address} の応答は Vault のものではありません。アドレスを確認してください。',
  },
  other_engine: {
    en: 'The mount point {mount} is not a KV engine of version 2. Enter another one.',
    zh: '挂载点 {mount} 不是 KV v2 引擎，请填写其他挂载点',
    ja: 'マウントポイント {mount} は KV バージョン 2 のエンジンではありません。別のものを入力してください。',
  },
  missing: {
    en: 'The vault has no secret at {path}. Restore it there, or enter the secret of the account again.',
    zh: 'Vault 中没有 {path} 的密文，请在其中恢复，或重新输入账号的密文',
    ja: 'Vault の {path} にシークレットがありません。Vault で復元するか、アカウントのシークレットを入力し直してください。',
  },
  altered: {
    en: 'The secret at {path} in the vault was not written by this installation. Restore it there, or enter the secret of the account again.',
    zh: 'Vault 中 {path} 的密文不是由本系统写入的，请在其中恢复，或重新输入账号的密文',
    ja: 'Vault の {path} にあるシークレットは、このシステムが書き込んだものではありません。Vault で復元するか、アカウントのシークレットを入力し直してください。',
  },
  works: { en: 'The vault works.', zh: 'Vault 连接正常', ja: 'Vault は利用できます。' },
  moving_to_vault: {
    en: 'Moving secrets from the database to the vault.',
    zh: '正在将密文从数据库移至 Vault',
    ja: 'シークレットをデータベースから Vault へ移しています。',
  },
  moving_to_database: {
    en: 'Moving secrets from the vault to the database.',
    zh: '正在将密文从 Vault 移至数据库',
    ja: 'シークレットを Vault からデータベースへ移しています。',
  },
  kind_account: { en: 'Accounts', zh: '账号', ja: 'アカウント' },
  kind_template: { en: 'Account templates', zh: '账号模板', ja: 'アカウントテンプレート' },
  kind_history: { en: 'Earlier secrets', zh: '历史密文', ja: '以前のシークレット' },
  moved: {
    en: '{kind}: {succeeded} moved, {failed} failed',
    zh: '{kind}：移动 {succeeded} 个，失败 {failed} 个',
    ja: '{kind}：移動 {succeeded} 件、失敗 {failed} 件',
  },
  not_moved: {
    en: '{owner} {id} stays where it is: {reason}',
    zh: '{owner} {id} 未移动：{reason}',
    ja: '{owner} {id} は移動していません：{reason}',
  },
  removed: {
    en: '{count} {count|secret was|secrets were} removed from the vault',
    zh: '已从 Vault 删除 {count} 个密文',
    ja: 'Vault からシークレットを {count} 件削除しました',
  },
  some_failed: {
    en: '{count} {count|secret was|secrets were} not moved. Nothing is lost; start the synchronization again.',
    zh: '{count} 个密文未移动，没有丢失任何密文，请重新执行同步',
    ja: '{count} 件のシークレットを移動できませんでした。失われたものはありません。もう一度同期してください。',
  },
})
