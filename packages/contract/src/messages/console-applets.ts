/** Texts of the screens of remote applications. */
import { defineMessages } from '../messages.ts'

export const consoleAppletMessages = defineMessages({
  applet: { en: 'remote application', zh: '远程应用', ja: 'リモートアプリ' },
  applets: { en: 'Remote applications', zh: '远程应用', ja: 'リモートアプリ' },
  appletDetail: { en: 'Remote application', zh: '远程应用', ja: 'リモートアプリ' },
  appletVersion: { en: 'Version', zh: '版本', ja: 'バージョン' },
  appletsHelp: {
    en: 'Programs on Windows hosts that users open for an asset without learning its password.',
    zh: '安装在 Windows 发布机上的程序，用户无需知道密码即可用它们打开资产。',
    ja: 'Windows ホスト上のプログラムです。ユーザーはパスワードを知らずに資産を開けます。',
  },
  appletsEmpty: {
    en: 'Upload the ZIP package of an application.',
    zh: '请上传应用的 ZIP 安装包。',
    ja: 'アプリの ZIP パッケージをアップロードしてください。',
  },
  appletUpload: { en: 'Upload package', zh: '上传安装包', ja: 'パッケージをアップロード' },
  appletInstalled: { en: 'The application is installed', zh: '应用已安装', ja: 'アプリをインストールしました' },
  appletReplace: { en: 'Replace application', zh: '替换应用', ja: 'アプリを置き換える' },
  appletReplaceText: {
    en: '{name} exists. Its package is replaced by the uploaded one; hosts get it when it is deployed there again.',
    zh: '{name} 已存在。其安装包将被替换；重新部署后发布机才会更新。',
    ja: '{name} は既に存在します。パッケージを置き換えます。ホストには再展開すると反映されます。',
  },
  appletActive: { en: 'Active', zh: '启用', ja: '有効' },
  appletActiveHelp: {
    en: 'Users are offered active applications only.',
    zh: '仅向用户提供已启用的应用。',
    ja: '有効なアプリだけがユーザーに提示されます。',
  },
  appletDeploy: { en: 'Deploy', zh: '部署', ja: '展開' },
  appletPublication: { en: 'publication', zh: '发布', ja: '公開' },
  appletHost: { en: 'application host', zh: '应用发布机', ja: '公開ホスト' },
  appletHosts: { en: 'Hosts', zh: '发布机', ja: 'ホスト' },
  appletHostsHelp: {
    en: 'Windows servers with Remote Desktop on which applications run.',
    zh: '运行应用的 Windows 远程桌面服务器。',
    ja: 'アプリを実行する、リモートデスクトップ付きの Windows サーバーです。',
  },
  appletHostCreate: { en: 'Create host', zh: '创建发布机', ja: 'ホストを作成' },
  appletHostUpdate: { en: 'Update host', zh: '更新发布机', ja: 'ホストを更新' },
  appletHostDetail: { en: 'Application host', zh: '应用发布机', ja: '公開ホスト' },
  appletHostBasicHelp: {
    en: 'A Windows Server that is reached by SSH or WinRM for its deployment.',
    zh: '可通过 SSH 或 WinRM 部署的 Windows Server。',
    ja: '展開のために SSH または WinRM で接続できる Windows Server です。',
  },
  appletHostAccountsHelp: {
    en: 'The administrator with whom the host is deployed.',
    zh: '用于部署发布机的管理员账号。',
    ja: 'ホストの展開に使う管理者です。',
  },
  appletHostUserAccounts: { en: 'Accounts for users', zh: '用户账号', ja: 'ユーザー用アカウント' },
  appletHostUserAccountsHelp: {
    en: 'Each user has a private account on the host; public ones are lent to one session at a time.',
    zh: '每个用户在发布机上拥有私有账号；公共账号一次只借给一个会话。',
    ja: '各ユーザーに専用アカウントがあり、共用アカウントは一度に 1 つのセッションに貸し出されます。',
  },
  appletHostOptions: { en: 'Deployment', zh: '部署', ja: '展開' },
  appletHostDeployment: { en: 'deployment', zh: '部署', ja: '展開' },
  appletHostDeployments: { en: 'Deployments', zh: '部署记录', ja: '展開の記録' },
  appletHostDeploy: { en: 'Deploy host', zh: '部署发布机', ja: 'ホストを展開' },
  appletHostDeployHelp: {
    en: 'Installs the roles, the agent and all applications. An earlier agent is replaced.',
    zh: '安装角色、代理和全部应用。原有代理会被替换。',
    ja: '役割、エージェント、すべてのアプリをインストールします。以前のエージェントは置き換えられます。',
  },
  appletHostPublish: { en: 'Publish all applications', zh: '发布全部应用', ja: 'すべてのアプリを公開' },
  appletHostPublishHelp: {
    en: 'Installs every application on this host, in its newest version.',
    zh: '在此发布机上安装全部应用的最新版本。',
    ja: 'すべてのアプリの最新バージョンをこのホストにインストールします。',
  },
  appletHostPublishVerb: { en: 'Publish', zh: '发布', ja: '公開' },
  appletHostGenerate: { en: 'Create missing accounts', zh: '创建缺少的账号', ja: '不足しているアカウントを作成' },
  appletHostGenerateHelp: {
    en: 'They become active when the agent has created their Windows users.',
    zh: '代理创建相应的 Windows 用户后，账号才会激活。',
    ja: 'エージェントが Windows ユーザーを作成すると有効になります。',
  },
  appletHostGenerateVerb: { en: 'Create', zh: '创建', ja: '作成' },
})
