/**
 * Texts of app `audits`.
 */
import { defineMessages } from '../messages.ts'

export const auditsMessages = defineMessages({
  material: { en: 'Command', zh: '执行内容', ja: '実行内容' },
  task_id: { en: 'Task ID', zh: '任务 ID', ja: 'タスク ID' },
  creator_name: { en: 'Run by', zh: '执行者', ja: '実行者' },
  userloginlog: { en: 'Sign-in log', zh: '登录日志', ja: 'ログインログ' },
  operatelog: { en: 'Operation log', zh: '操作日志', ja: '操作ログ' },
  passwordchangelog: { en: 'Password change log', zh: '改密日志', ja: 'パスワード変更ログ' },
  ftplog: { en: 'File transfer log', zh: '文件传输日志', ja: 'ファイル転送ログ' },
  joblog: { en: 'Job log', zh: '作业日志', ja: 'ジョブログ' },
  usersession: { en: 'Online user', zh: '在线用户', ja: 'オンラインユーザー' },
  activitylog: { en: 'Activity', zh: '活动记录', ja: 'アクティビティ' },
  type: { en: 'Type', zh: '类型', ja: '種別' },
  'userloginlog.type': { en: 'Sign-in type', zh: '登录方式', ja: 'ログイン方式' },
  'userloginlog.city': { en: 'Sign-in city', zh: '登录城市', ja: 'ログイン都市' },
  'userloginlog.ip': { en: 'Sign-in IP', zh: '登录 IP', ja: 'ログイン IP' },
  'userloginlog.datetime': { en: 'Date of sign-in', zh: '登录日期', ja: 'ログイン日時' },
  mfa: { en: 'MFA', zh: 'MFA', ja: 'MFA' },
  reason_display: { en: 'Reason', zh: '原因描述', ja: '理由' },
  resource_type: { en: 'Resource type', zh: '资源类型', ja: 'リソースの種類' },
  resource: { en: 'Resource', zh: '资源', ja: 'リソース' },
  operate: { en: 'Operation', zh: '操作', ja: '操作' },
  filename: { en: 'File name', zh: '文件名', ja: 'ファイル名' },
  has_file: { en: 'File stored', zh: '可下载', ja: 'ファイルあり' },
  'ftplog.date_start': { en: 'Date', zh: '日期', ja: '日時' },
  change_by: { en: 'Changed by', zh: '修改者', ja: '変更者' },
  detail_url: { en: 'Details', zh: '详情', ja: '詳細' },
  r_type: { en: 'Type', zh: '类型', ja: '種別' },
  is_current_user_session: { en: 'Own session', zh: '当前会话', ja: '現在のセッション' },
  'usersession.is_active': { en: 'Online', zh: '在线', ja: 'オンライン' },
  'usersession.date_created': { en: 'Date of sign-in', zh: '登录日期', ja: 'ログイン日時' },
  'usersession.date_expired': { en: 'Expires', zh: '过期日期', ja: '有効期限' },

  session_not_made: {
    en: 'Sessions are created by signing in. They cannot be created here.',
    zh: '会话在用户登录时产生，不能在此创建。',
    ja: 'セッションはログイン時に始まります。ここでは作成できません。',
  },

  // Log entries.
  empty: { en: '(empty)', zh: '（空）', ja: '（空）' },
  diff_too_large: {
    en: 'The change is too large to show.',
    zh: '变更内容过长，不予展示',
    ja: '変更内容が長すぎるため表示できません。',
  },
  lan: { en: 'LAN', zh: '局域网', ja: 'LAN' },
  unknown_city: { en: 'Unknown', zh: '未知', ja: '不明' },
  yes: { en: 'Yes', zh: '是', ja: 'はい' },
  no: { en: 'No', zh: '否', ja: 'いいえ' },
  session_not_own: {
    en: 'No session of this component has this ID, or it ended too long ago. Create the session first.',
    zh: '该组件没有此 ID 的会话，或会话已结束太久，请先创建会话',
    ja: 'この ID のセッションはこのコンポーネントにないか、終了から時間が経ちすぎています。先にセッションを作成してください。',
  },
  session_needed: {
    en: 'No connection of this user to this asset is known. Send the session of the transfer.',
    zh: '没有该用户到此资产的连接记录，请指明传输所属的会话',
    ja: 'このユーザーからこの資産への接続が確認できません。転送のセッションを指定してください。',
  },
  transfer_other_organization: {
    en: 'This transfer belongs to the organization of its session. Send the org_id of the session.',
    zh: '文件传输属于其会话所在的组织，请发送会话的 org_id',
    ja: 'この転送はセッションの組織に属します。セッションの org_id を送信してください。',
  },
  transfer_of_other: {
    en: 'This transfer was reported by another component. Only that component can complete it.',
    zh: '该文件传输由其他组件上报，只有该组件可以补全',
    ja: 'この転送は別のコンポーネントが報告したものです。補完できるのはそのコンポーネントだけです。',
  },
  file_complete: {
    en: 'The file of this transfer is complete and cannot be replaced.',
    zh: '该文件传输的文件已完整保存，不能替换',
    ja: 'この転送のファイルは保存済みのため、置き換えられません。',
  },
  file_not_kept: {
    en: 'The file of this transfer was not stored.',
    zh: '该文件传输记录没有保存文件',
    ja: 'この転送のファイルは保存されていません。',
  },
  activity_login_done: {
    en: '{user} signed in',
    zh: '{user} 登录系统成功',
    ja: '{user} がログインしました',
  },
  activity_login_failed: {
    en: '{user} could not sign in',
    zh: '{user} 登录系统失败',
    ja: '{user} がログインに失敗しました',
  },
  activity_session: {
    en: '{user} used account {account} to connect to {asset} from {origin}',
    zh: '{user} 使用账号 {account} 通过 {origin} 连接资产 {asset}',
    ja: '{user} が {origin} からアカウント {account} で {asset} に接続しました',
  },
  activity_operate: {
    en: '{user}: {action} {resource_type} {resource}',
    zh: '{user} {action}{resource_type} {resource}',
    ja: '{user}：{resource_type} {resource} を{action}',
  },
})
