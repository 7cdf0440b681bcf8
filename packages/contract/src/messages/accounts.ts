/**
 * Texts of app `accounts`.
 */
import { defineMessages } from '../messages.ts'

export const accountsMessages = defineMessages({
  fingerprint: { en: 'Fingerprint of the secret', zh: '密文指纹', ja: 'シークレットの指紋' },
  copy_needs_right: {
    en: 'Copying a stored secret requires permission to view account secrets. Enter the secret, or remove this account.',
    zh: '复制已托管的密文需要查看账号密文的权限，请重新输入密文，或去掉该账号',
    ja: '保存済みシークレットのコピーには、アカウントのシークレットを表示する権限が必要です。シークレットを入力するか、このアカウントを外してください。',
  },
  template_needs_right: {
    en: 'Using the secret of a template requires permission to view template secrets. Enter the secret instead.',
    zh: '使用模板的密文需要查看账号模板密文的权限，请直接输入密文',
    ja: 'テンプレートのシークレットを使うには、テンプレートのシークレットを表示する権限が必要です。代わりにシークレットを入力してください。',
  },
  redirect_needs_right: {
    en: 'This change would send stored secrets to another address, which requires permission to view account secrets. Clear the secrets first, or ask an administrator.',
    zh: '此更改会使已托管的密文发送到别处，需要查看账号密文的权限，或先清除这些密文',
    ja: 'この変更により、保存済みシークレットの送信先が変わります。アカウントのシークレットを表示する権限を得るか、先にシークレットを消去してください。',
  },
  su_from_elsewhere: {
    en: 'Choose an account of the same asset to switch from.',
    zh: '只能从同一资产的其他账号切换',
    ja: '切り替え元にできるのは、同じ資産の別のアカウントだけです。',
  },
  sent_to: { en: 'Secret last sent to', zh: '密文最近发送至', ja: 'シークレットの最終送信先' },
  new_address: { en: 'Secret sent to a new address', zh: '密文发送至新地址', ja: 'シークレットを新しいアドレスに送信' },
  last_address: { en: 'Last sent to', zh: '上次发送至', ja: '前回の送信先' },
  host_key: { en: 'Pinned host key', zh: '已固定的主机密钥', ja: '固定済みホストキー' },
  address: { en: 'Address', zh: '地址', ja: 'アドレス' },
  account: { en: 'Account', zh: '账号', ja: 'アカウント' },
  accounttemplate: { en: 'Account template', zh: '账号模板', ja: 'アカウントテンプレート' },
  accountsecret: { en: 'Account secret', zh: '账号密文', ja: 'アカウントのシークレット' },
  accounttemplatesecret: { en: 'Template secret', zh: '账号模板密文', ja: 'テンプレートのシークレット' },
  virtualaccount: { en: 'Virtual account', zh: '虚拟账号', ja: '仮想アカウント' },
  gatheredaccount: { en: 'Collected account', zh: '收集的账号', ja: '収集したアカウント' },
  accountbackupautomation: { en: 'Account backup plan', zh: '账号备份计划', ja: 'アカウントバックアップ計画' },
  accountbackupexecution: { en: 'Account backup execution', zh: '账号备份执行', ja: 'アカウントバックアップ実行' },
  changesecretautomation: { en: 'Password change plan', zh: '改密计划', ja: 'パスワード変更計画' },
  changesecretrecord: { en: 'Password change record', zh: '改密记录', ja: 'パスワード変更記録' },
  pushaccountautomation: { en: 'Account push plan', zh: '账号推送计划', ja: 'アカウントプッシュ計画' },
  gatheraccountsautomation: { en: 'Account collection plan', zh: '账号收集计划', ja: 'アカウント収集計画' },
  automationexecution: { en: 'Automation execution', zh: '自动化执行', ja: '自動化実行' },
  has_secret: { en: 'Secret stored', zh: '已托管密文', ja: 'シークレットあり' },
  'account.secret.help': {
    en: 'Stored encrypted. Leave empty to keep the stored secret.',
    zh: '加密存储，留空则保持原密文不变。',
    ja: '暗号化して保存します。空のままなら現在の値を保持します。',
  },
  'account.name.help': {
    en: 'Unique on the asset; defaults to the username.',
    zh: '在资产内唯一，默认与用户名相同。',
    ja: '資産内で一意です。既定はユーザー名と同じです。',
  },
  'account.push_now.help': {
    en: 'Create or update the account on the asset right after saving.',
    zh: '保存后立即将账号推送到资产。',
    ja: '保存後すぐに資産上のアカウントを作成・更新します。',
  },
  'account.params.help': {
    en: 'Parameters for pushing the account.',
    zh: '推送参数。',
    ja: 'プッシュのパラメーターです。',
  },
  'account.is_active.help': {
    en: 'A disabled account cannot be used to connect.',
    zh: '禁用后不能使用该账号连接。',
    ja: '無効にすると接続に使用できません。',
  },
  'account.on_invalid.help': {
    en: 'Applies to assets that already have such an account.',
    zh: '资产上已存在该账号时的处理方式。',
    ja: '資産に同じアカウントがある場合の処理です。',
  },
  secret_strategy: { en: 'Secret strategy', zh: '密文策略', ja: 'シークレットの設定方法' },
  password_rules: { en: 'Password rules', zh: '密码规则', ja: 'パスワード規則' },
  length: { en: 'Length', zh: '长度', ja: '長さ' },
  lowercase: { en: 'Lowercase letters', zh: '小写字母', ja: '英小文字' },
  uppercase: { en: 'Uppercase letters', zh: '大写字母', ja: '英大文字' },
  digit: { en: 'Digits', zh: '数字', ja: '数字' },
  symbol: { en: 'Symbols', zh: '特殊字符', ja: '記号' },
  exclude_symbols: { en: 'Excluded characters', zh: '排除字符', ja: '除外する文字' },
  push_params: { en: 'Push parameters', zh: '推送参数', ja: 'プッシュのパラメーター' },
  auto_push: { en: 'Push automatically', zh: '自动推送', ja: '自動プッシュ' },
  'auto_push.help': {
    en: 'Accounts created from this template are pushed to their assets.',
    zh: '使用该模板创建账号时自动推送到资产。',
    ja: 'このテンプレートから作成したアカウントを資産へ自動でプッシュします。',
  },
  'accounttemplate.platforms.help': {
    en: 'Push parameters are stored per platform.',
    zh: '按平台保存参数。',
    ja: 'パラメーターはプラットフォームごとに保存されます。',
  },
  su_from_username: { en: 'Switch from (username)', zh: '切换自（用户名）', ja: '切り替え元（ユーザー名）' },
  types: { en: 'Types', zh: '资产类型', ja: '資産の種別' },
  plan: { en: 'Plan', zh: '计划', ja: '計画' },
  present: { en: 'Still exists', zh: '存在', ja: '存在' },
  execution: { en: 'Execution', zh: '执行', ja: '実行' },
  alias: { en: 'Alias', zh: '别名', ja: '別名' },
  secret_from_login: { en: 'Password of the signed-in user', zh: '使用登录密码', ja: 'ログインパスワードを使用' },
  'secret_from_login.help': {
    en: 'Uses the password the user signed in with.',
    zh: '连接时使用用户登录时的密码。',
    ja: 'ユーザーがログイン時に入力したパスワードを使います。',
  },
  automation: { en: 'Plan', zh: '任务', ja: '計画' },

  // Errors.
  account_exists: {
    en: 'The asset already has an account with this username and secret type.',
    zh: '资产上已存在相同用户名和密文类型的账号',
    ja: '同じユーザー名とシークレットの種類のアカウントが資産にあります。',
  },
  account_name_exists: {
    en: 'The asset already has an account with this name.',
    zh: '资产上已存在同名账号',
    ja: '同名のアカウントが資産にあります。',
  },
  asset_required: {
    en: 'Choose the asset the account belongs to.',
    zh: '请选择账号所属的资产',
    ja: 'アカウントの属する資産を選んでください。',
  },
  private_key_invalid: {
    en: 'The private key of “{name}” is not valid, or its passphrase is wrong.',
    zh: '“{name}”的私钥不合法或密钥密码错误',
    ja: '「{name}」の秘密鍵が正しくないか、パスフレーズが違います。',
  },
  secret_template_syntax: {
    en: 'A password cannot contain {{, }}, {% or %}.',
    zh: '密码不能包含 {{、}}、{% 或 %}',
    ja: 'パスワードに {{、}}、{%、%} は使用できません。',
  },
  secret_unsupported: {
    en: 'No protocol of the asset supports this secret type.',
    zh: '资产的协议不支持该密文类型',
    ja: '資産のプロトコルはこの種類のシークレットに対応していません。',
  },
  push_left_subject: {
    en: 'Accounts were stored, not pushed',
    zh: '账号已保存，但未推送',
    ja: 'アカウントは保存されましたが、プッシュされていません',
  },
  push_left_body: {
    en: 'Pushing accounts to assets is not supported yet. Set their passwords or keys on the assets yourself.',
    zh: '您选择了立即推送账号，但暂不支持推送，请自行在资产上设置密码或密钥。',
    ja: 'アカウントのプッシュが指定されましたが、まだ利用できません。資産側でパスワードまたは鍵を設定してください。',
  },
  push_unsupported: {
    en: 'Accounts cannot be pushed yet. Change them on the asset.',
    zh: '暂不支持推送账号，请直接在资产上修改',
    ja: 'アカウントのプッシュはまだ利用できません。資産側で変更してください。',
  },
  password_rules_invalid: {
    en: 'These rules cannot produce a password. Use 8 to 30 characters with letters or digits.',
    zh: '密码规则无法生成密码：长度为 8 到 30，且需包含字母或数字',
    ja: 'この規則ではパスワードを生成できません。8 ～ 30 文字で、英字または数字を含めてください。',
  },
  secret_not_generated: {
    en: 'Only passwords and SSH keys can be generated. Enter the secret, or choose another type.',
    zh: '只能随机生成密码和 SSH 密钥。请输入密文，或选择其他类型。',
    ja: '自動生成できるのはパスワードと SSH キーだけです。シークレットを入力するか、別の種類を選択してください。',
  },
  virtual_comment_input: {
    en: 'The user enters the username and the secret when connecting.',
    zh: '连接时由用户输入用户名和密文',
    ja: '接続時に利用者がユーザー名とシークレットを入力します。',
  },
  virtual_comment_user: {
    en: 'Uses the username of the signed-in user.',
    zh: '使用登录用户的用户名连接',
    ja: 'ログイン中の利用者と同じユーザー名で接続します。',
  },
  virtual_comment_anon: {
    en: 'Connects without a username or secret; only for websites and custom assets.',
    zh: '不使用用户名和密文连接，仅适用于 Web 和自定义资产',
    ja: 'ユーザー名もシークレットも使わずに接続します。Web とカスタム資産のみです。',
  },
})
