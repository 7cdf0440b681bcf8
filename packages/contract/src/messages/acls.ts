/**
 * Texts of app `acls`.
 */
import { defineMessages } from '../messages.ts'

export const aclsMessages = defineMessages({
  loginacl: { en: 'User login rule', zh: '用户登录规则', ja: 'ユーザーログインルール' },
  loginassetacl: { en: 'Asset login rule', zh: '资产登录规则', ja: '資産ログインルール' },
  commandfilteracl: { en: 'Command filter', zh: '命令过滤规则', ja: 'コマンドフィルター' },
  commandgroup: { en: 'Command group', zh: '命令组', ja: 'コマンドグループ' },
  connectmethodacl: { en: 'Connect method rule', zh: '连接方式规则', ja: '接続方法ルール' },
  ignore_case: { en: 'Ignore case', zh: '忽略大小写', ja: '大文字小文字を区別しない' },
  connect_methods: { en: 'Connect methods', zh: '连接方式', ja: '接続方法' },
  time_period: { en: 'Time period', zh: '时段', ja: '時間帯' },
  'time_period.help': {
    en: 'When the rule applies, by weekday and hour; empty means always.',
    zh: '规则生效的时段（按星期和小时），留空表示始终生效。',
    ja: 'ルールが有効な曜日と時間です。空の場合は常に有効です。',
  },
  no_reviewer_left: {
    en: 'A rule requires an approval, but none of its reviewers can sign in any more. Ask an administrator to change the rule.',
    zh: '规则要求审批，但其审批人均已无法登录。请联系管理员修改规则。',
    ja: 'ルールにより承認が必要ですが、ログインできる承認者がいません。管理者にルールの変更を依頼してください。',
  },
  session_over: { en: 'This session has ended.', zh: '该会话已结束。', ja: 'このセッションは終了しています。' },
  'reviewers.help': {
    en: 'Users who approve or are notified, depending on the action.',
    zh: '根据动作进行审批或接收通知的用户。',
    ja: '動作に応じて承認または通知を受け取るユーザーです。',
  },
  'action.help': {
    en: 'Applied when the rule matches.',
    zh: '规则匹配后执行的动作。',
    ja: 'ルールに一致したときの動作です。',
  },
  'commandgroup.content': { en: 'Content', zh: '内容', ja: '内容' },
  'commandgroup.content.help': {
    en: 'One command per line, as it is typed (rm -rf, reboot), or one regular expression (RE2 syntax).',
    zh: '每行一个命令（如 rm -rf、reboot），或一个正则表达式（RE2 语法）。',
    ja: '1 行に 1 つのコマンド（rm -rf、reboot など）、または 1 つの正規表現（RE2 の構文）を入力します。',
  },
  not_a_pattern: {
    en: 'This is not a regular expression in RE2 syntax: “{input}” is not valid. Look-around and back-references are not supported.',
    zh: '这不是符合 RE2 语法的正则表达式：无法解析“{input}”。RE2 不支持环视和反向引用。',
    ja: 'RE2 の構文の正規表現ではありません。「{input}」を解釈できません。先読み・後読みと後方参照は使えません。',
  },
  'commandgroup.ignore_case.help': {
    en: '“reboot” also matches “Reboot”.',
    zh: '例如 Reboot 与 reboot 视为相同。',
    ja: 'Reboot と reboot を同じとみなします。',
  },
  'commandfilteracl.command_groups.help': {
    en: 'The rule applies to the commands of these groups.',
    zh: '规则对这些命令组中的命令生效。',
    ja: 'これらのグループのコマンドに適用されます。',
  },
  'users.help': {
    en: 'All users, selected users, or users with matching attributes.',
    zh: '所有用户、指定用户，或属性符合条件的用户。',
    ja: '全員、指定したユーザー、または属性が条件に合うユーザーです。',
  },
  'assets.help': {
    en: 'All assets, selected assets, or assets with matching attributes.',
    zh: '所有资产、指定资产，或属性符合条件的资产。',
    ja: 'すべての資産、指定した資産、または属性が条件に合う資産です。',
  },
  'accounts.help': {
    en: 'All accounts of the assets, or accounts with these usernames.',
    zh: '资产的所有账号，或指定用户名的账号。',
    ja: '資産のすべてのアカウント、または指定したユーザー名のアカウントです。',
  },
  login_ticket: { en: 'Sign-in of {user}', zh: '{user} 的登录复核', ja: '{user} のログイン確認' },
  asset_login_ticket: {
    en: 'Connection of {user} to {asset}',
    zh: '{user} 连接 {asset} 的复核',
    ja: '{user} による {asset} への接続の確認',
  },
  asset_job_ticket: {
    en: 'Job of {user} on {asset}',
    zh: '{user} 在 {asset} 上执行作业的复核',
    ja: '{asset} での {user} のジョブの確認',
  },
  asset_job_operation: {
    en: 'On {asset} this job runs:\n{operation}',
    zh: '该作业将在 {asset} 上执行：\n{operation}',
    ja: 'このジョブは {asset} で次を実行します：\n{operation}',
  },
  command_ticket: {
    en: 'Command of {user} on {asset}',
    zh: '{user} 在 {asset} 上的命令复核',
    ja: '{asset} での {user} のコマンドの確認',
  },
  login_subject: { en: '{user} has signed in', zh: '{user} 已登录', ja: '{user} がログインしました' },
  login_body: {
    en: '{user} has signed in from {ip} ({city}, {browser}). You get this message because of a rule.',
    zh: '{user} 已从 {ip}（{city}，{browser}）登录。根据规则特此通知。',
    ja: '{user} が {ip}（{city}、{browser}）からログインしました。ルールによりお知らせします。',
  },
  asset_login_subject: {
    en: '{user} connects to {asset}',
    zh: '{user} 正在连接 {asset}',
    ja: '{user} が {asset} に接続します',
  },
  asset_login_body: {
    en: '{user} connects to {asset} with the account {account} from {ip}. You get this message because of a rule.',
    zh: '{user} 正从 {ip} 使用账号 {account} 连接 {asset}。根据规则特此通知。',
    ja: '{user} が {ip} からアカウント {account} で {asset} に接続します。ルールによりお知らせします。',
  },
  rules: { en: 'Rules', zh: '规则', ja: 'ルール' },
  reviewers_required: {
    en: 'Choose at least one reviewer. Users outside the organization do not count.',
    zh: '请选择审批人，且审批人需属于当前组织',
    ja: '承認者を選んでください。組織外のユーザーは対象になりません。',
  },
})
