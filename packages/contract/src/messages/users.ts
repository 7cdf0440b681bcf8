/**
 * Texts of app `users`: names of its resources, labels and hints of its own fields.
 */
import { defineMessages } from '../messages.ts'

export const usersMessages = defineMessages({
  password_hash: { en: 'Password', zh: '密码', ja: 'パスワード' },
  otp_secret: { en: 'Key of the authenticator', zh: '验证器密钥', ja: '認証アプリのキー' },
  beyond_scope: {
    en: 'This user also belongs to other organizations or holds roles beyond yours. Only a system administrator can change the account itself; you can change roles and groups in this organization.',
    zh: '该用户还属于其它组织，或拥有超出您权限的角色，只有系统管理员才能修改其账号信息；您可以修改其在本组织中的角色和用户组。',
    ja: 'このユーザーは他の組織にも所属しているか、あなたの権限を超えるロールを持っています。アカウント自体を変更できるのはシステム管理者だけです。この組織でのロールとグループは変更できます。',
  },
  user: { en: 'User', zh: '用户', ja: 'ユーザー' },
  usergroup: { en: 'User group', zh: '用户组', ja: 'ユーザーグループ' },
  usergrouprelation: { en: 'User group member', zh: '用户组成员', ja: 'ユーザーグループのメンバー' },
  preference: { en: 'Preference', zh: '偏好设置', ja: '個人設定' },
  profile: { en: 'Profile', zh: '个人信息', ja: 'プロフィール' },
  'user.name': { en: 'Name', zh: '名称', ja: '名前' },
  'user.comment': { en: 'Description', zh: '备注', ja: '備考' },
  'user.username.help': {
    en: 'What the person signs in with; it cannot be given twice.',
    zh: '用户登录时使用的名称，全局唯一。',
    ja: 'ログインに使う名前です。重複できません。',
  },
  'user.email.help': {
    en: 'Password links and notifications are sent here.',
    zh: '用于接收密码链接和通知。',
    ja: 'パスワードのリンクや通知の送信先です。',
  },
  'user.phone.help': {
    en: 'With the country code, for example +8613800000000.',
    zh: '包含国家代码，例如 +8613800000000',
    ja: '国番号を含めます。例：+8613800000000',
  },
  'user.mfa_level.help': {
    en: 'Force enable: the person cannot switch it off.',
    zh: '强制启用后用户不能自行关闭。',
    ja: '強制有効にすると本人は無効にできません。',
  },
  'user.source.help': {
    en: 'Where the person comes from decides how they sign in.',
    zh: '用户来源决定其登录认证方式。',
    ja: '作成元によってログイン方法が決まります。',
  },
  'user.date_expired.help': {
    en: 'After this moment the person cannot sign in.',
    zh: '到期后用户不能登录。',
    ja: 'この日時を過ぎるとログインできません。',
  },
  'user.need_update_password.help': {
    en: 'The person must change the password at the next sign-in.',
    zh: '下次登录时必须修改密码。',
    ja: '次回ログイン時にパスワード変更が必要です。',
  },
  'user.password_strategy.help': {
    en: 'Send a link by email, or set the password here.',
    zh: '通过邮件发送设置链接，或在此处设置密码。',
    ja: 'メールでリンクを送るか、ここで設定します。',
  },
  'user.system_roles.help': {
    en: 'What the person may do in the whole system.',
    zh: '用户在整个系统范围内的权限。',
    ja: 'システム全体で行える操作を決めます。',
  },
  'user.org_roles.help': {
    en: 'What the person may do in the current organization.',
    zh: '用户在当前组织内的权限。',
    ja: '現在の組織で行える操作を決めます。',
  },
  'user.is_active': { en: 'Active', zh: '激活', ja: '有効' },
  'user.groups': { en: 'User groups', zh: '用户组', ja: 'ユーザーグループ' },
  'user.groups.help': {
    en: 'Only groups of the current organization.',
    zh: '仅当前组织的用户组。',
    ja: '現在の組織のグループのみです。',
  },
  'usergroup.users': { en: 'Users', zh: '用户', ja: 'ユーザー' },
  old_password: { en: 'Old password', zh: '原密码', ja: '現在のパスワード' },
  new_password: { en: 'New password', zh: '新密码', ja: '新しいパスワード' },
  new_password_again: { en: 'Confirm new password', zh: '确认新密码', ja: '新しいパスワード（確認）' },
  basic: { en: 'Basic', zh: '基本', ja: '基本' },
  graphics: { en: 'Graphics', zh: '图形化', ja: 'グラフィック' },
  command_line: { en: 'Command line', zh: '命令行', ja: 'コマンドライン' },
  has_secret_key: { en: 'File password set', zh: '已设置文件加密密码', ja: 'ファイルパスワード設定済み' },
  secret_key: { en: 'New file password', zh: '新的文件加密密码', ja: '新しいファイルパスワード' },
  'secret_key.help': {
    en: 'Encrypts files that are sent to you by mail, account backups for example.',
    zh: '用于加密通过邮件发送给您的文件，例如账号备份。',
    ja: 'アカウントのバックアップなど、メールで届くファイルの暗号化に使います。',
  },
  secret_key_again: { en: 'Confirm file password', zh: '确认文件加密密码', ja: 'ファイルパスワード（確認）' },
  is_async_asset_tree: {
    en: 'Load the asset tree step by step',
    zh: '异步加载资产树',
    ja: '資産ツリーを段階的に読み込む',
  },
  rdp_resolution: { en: 'RDP resolution', zh: 'RDP 分辨率', ja: 'RDP 解像度' },
  keyboard_layout: { en: 'Keyboard layout', zh: '键盘布局', ja: 'キーボード配列' },
  rdp_client_option: { en: 'RDP client options', zh: 'RDP 客户端选项', ja: 'RDP クライアントのオプション' },
  rdp_smart_size: { en: 'RDP smart sizing', zh: 'RDP 智能大小', ja: 'RDP スマートサイズ' },
  'rdp_smart_size.help': {
    en: 'Scale the remote desktop to the window of the client.',
    zh: '使远程桌面自适应客户端窗口大小。',
    ja: 'リモートデスクトップをウィンドウに合わせます。',
  },
  applet_connection_method: { en: 'Remote application by', zh: '远程应用连接方式', ja: 'リモートアプリの接続方法' },
  character_terminal_font_size: { en: 'Terminal font size', zh: '字符终端字体大小', ja: 'ターミナルの文字サイズ' },
  is_backspace_as_ctrl_h: {
    en: 'Backspace as Ctrl+H',
    zh: '退格键映射为 Ctrl+H',
    ja: 'Backspace を Ctrl+H として送る',
  },
  is_right_click_quickly_paste: { en: 'Right click pastes', zh: '右键快速粘贴', ja: '右クリックで貼り付け' },
  file_name_conflict_resolution: { en: 'If a file exists', zh: '文件名冲突解决方案', ja: 'ファイル名が重複した場合' },
  terminal_theme_name: { en: 'Terminal theme', zh: '终端主题名称', ja: 'ターミナルのテーマ' },
  mfa_reset_self: {
    en: 'You cannot reset your own MFA here; use your profile.',
    zh: '不能在此重置自己的 MFA，请到个人信息页面操作',
    ja: '自分の MFA はここではリセットできません。プロフィールから行ってください。',
  },
  invite_self: {
    en: 'You cannot invite yourself.',
    zh: '不能邀请自己',
    ja: '自分自身を招待することはできません。',
  },
  delete_all: {
    en: 'Not everybody can be deleted at once. Choose people first.',
    zh: '不能一次删除全部用户，请先选择用户',
    ja: '全ユーザーを一度に削除することはできません。先に選択してください。',
  },
  'usergrouprelation.user': { en: 'User', zh: '用户', ja: 'ユーザー' },
})
