/** Texts about the directory: tests, import, synchronization. */
import { defineMessages } from '../messages.ts'

export const ldapMessages = defineMessages({
  address_invalid: {
    en: 'The server address must begin with ldap:// or ldaps:// and name a host.',
    zh: '服务器地址必须以 ldap:// 或 ldaps:// 开头并包含主机名。',
    ja: 'サーバーのアドレスは ldap:// または ldaps:// で始まり、ホスト名を含む必要があります。',
  },
  unreachable: {
    en: 'The directory cannot be reached: {reason}. Check the address, the port and the firewall.',
    zh: '无法连接目录服务器：{reason}。请检查地址、端口和防火墙。',
    ja: 'ディレクトリに接続できません：{reason}。アドレス、ポート、ファイアウォールを確認してください。',
  },
  certificate_invalid: {
    en: 'The certificate of the directory is not trusted: {reason}. Set AUTH_LDAP_CA_FILE to its certificate authority.',
    zh: '目录服务器的证书不受信任：{reason}。请将 AUTH_LDAP_CA_FILE 设为其 CA 证书文件。',
    ja: 'ディレクトリの証明書を信頼できません：{reason}。AUTH_LDAP_CA_FILE に認証局の証明書を指定してください。',
  },
  bind_failed: {
    en: 'The directory rejected the bind DN or its password.',
    zh: '目录服务器拒绝了绑定 DN 或其密码。',
    ja: 'バインド DN またはそのパスワードがディレクトリに拒否されました。',
  },
  request_failed: {
    en: 'The directory reported an error: {reason}.',
    zh: '目录服务器返回错误：{reason}。',
    ja: 'ディレクトリがエラーを返しました：{reason}。',
  },
  map_invalid: {
    en: 'The attribute mapping must be an object with the names username, name and email.',
    zh: '属性映射必须是包含 username、name 和 email 的对象。',
    ja: '属性マッピングは username、name、email を含むオブジェクトで指定してください。',
  },
  filter_invalid: {
    en: 'The search filter is invalid. It needs parentheses and %(user)s, for example (uid=%(user)s).',
    zh: '搜索过滤器无效。需要括号和 %(user)s，例如 (uid=%(user)s)。',
    ja: '検索フィルターが正しくありません。括弧と %(user)s が必要です。例：(uid=%(user)s)',
  },
  nobody_in: {
    en: 'No user was found below {ou} with this filter.',
    zh: '使用该过滤器在 {ou} 下未找到用户。',
    ja: 'このフィルターでは {ou} の配下にユーザーが見つかりません。',
  },
  not_enabled: {
    en: '{count} users were found, but LDAP sign-in is switched off.',
    zh: '找到 {count} 个用户，但尚未启用 LDAP 认证。',
    ja: '{count} 人のユーザーが見つかりましたが、LDAP 認証は無効です。',
  },
  test_passed: {
    en: 'The test was successful: {count} users were found.',
    zh: '测试成功：找到 {count} 个用户。',
    ja: 'テストに成功しました。{count} 人のユーザーが見つかりました。',
  },
  login_passed: {
    en: '{username} can sign in with this password.',
    zh: '{username} 可以使用该密码登录。',
    ja: '{username} はこのパスワードでログインできます。',
  },
  login_failed: {
    en: 'The directory has no such user, or the password is wrong.',
    zh: '目录中没有该用户，或密码错误。',
    ja: 'そのユーザーがディレクトリに存在しないか、パスワードが正しくありません。',
  },
  reading: {
    en: 'The users of the directory are being read. Try again in a moment.',
    zh: '正在读取目录用户，请稍后重试。',
    ja: 'ディレクトリのユーザーを読み込み中です。しばらくしてからもう一度お試しください。',
  },
  other_source: {
    en: 'A user of this name exists with another source and was not changed.',
    zh: '已存在同名但来源不同的用户，未做修改。',
    ja: '同じ名前で別の認証元のユーザーが存在するため、変更しませんでした。',
  },
  not_in_directory: {
    en: 'The directory has no such user.',
    zh: '目录中没有该用户。',
    ja: 'ディレクトリにそのユーザーは存在しません。',
  },
  not_importable: {
    en: 'The user was not imported: {reason}',
    zh: '未导入该用户：{reason}',
    ja: 'このユーザーはインポートされませんでした：{reason}',
  },
  imported: {
    en: '{count} users were imported, {created} of them new.',
    zh: '已导入 {count} 个用户，其中新建 {created} 个。',
    ja: '{count} 人のユーザーをインポートしました（うち新規 {created} 人）。',
  },
  stopped: {
    en: 'The import was stopped: {count} users were imported, {created} of them new, {left} are left.',
    zh: '导入已停止：已导入 {count} 个用户，其中新建 {created} 个，剩余 {left} 个。',
    ja: 'インポートを停止しました。{count} 人をインポート済み（うち新規 {created} 人）、残り {left} 人です。',
  },
  progress: {
    en: '{done} of {count} users imported',
    zh: '已导入 {done} / {count} 个用户',
    ja: '{count} 人中 {done} 人をインポートしました',
  },
  found: {
    en: '{count} users in the directory',
    zh: '目录中有 {count} 个用户',
    ja: 'ディレクトリのユーザー：{count} 人',
  },
  deactivated: {
    en: '{count} users were deactivated because they left the directory.',
    zh: '已停用 {count} 个不在目录中的用户。',
    ja: 'ディレクトリから削除された {count} 人のユーザーを無効にしました。',
  },
})
