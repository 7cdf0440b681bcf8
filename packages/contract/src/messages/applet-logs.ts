/**
 * Lines in the logs of jobs on application hosts, and what is said to their components.
 */
import { defineMessages } from '../messages.ts'

export const appletLogs = defineMessages({
  server_name: {
    en: 'Enter a host name or an address.',
    zh: '请填写主机名或地址。',
    ja: 'ホスト名またはアドレスを入力してください。',
  },
  host_unknown: {
    en: 'Your component belongs to no application host, or to another one. Deploy the host again from the console.',
    zh: '此组件不属于任何应用发布机，或属于其他发布机。请在控制台重新部署该发布机。',
    ja: 'このコンポーネントはどの公開ホストにも属していないか、別のホストのものです。コンソールからホストを再展開してください。',
  },
  host_bound: {
    en: 'This host already has a component. Deploy it again from the console to replace that one.',
    zh: '该发布机已绑定组件。如需替换，请在控制台重新部署。',
    ja: 'このホストには既にコンポーネントがあります。置き換えるには、コンソールから再展開してください。',
  },
  host_type: {
    en: 'Only a component of type tinker can belong to an application host.',
    zh: '只有 tinker 类型的组件才能属于应用发布机。',
    ja: '公開ホストに属せるのは tinker タイプのコンポーネントだけです。',
  },
  host_label: { en: 'AppletHost', zh: '发布机', ja: 'AppletHost' },
  no_host: {
    en: 'No host for {applet} is online. Try again later, or ask an administrator to deploy one.',
    zh: '没有可用于 {applet} 的在线发布机。请稍后重试，或联系管理员部署。',
    ja: '{applet} を実行できるオンラインのホストがありません。後でもう一度試すか、管理者に展開を依頼してください。',
  },
  pinned_host_away: {
    en: 'The application host {host} that the label of the asset names is offline or does not have the application.',
    zh: '资产标签指定的发布机 {host} 不在线，或未发布该应用。',
    ja: '資産のラベルが指定する公開ホスト {host} がオフラインか、アプリがありません。',
  },
  no_account: {
    en: 'All accounts of the host {host} are in use. Close a session, or ask an administrator to create more accounts.',
    zh: '发布机 {host} 的账号均在使用中。请关闭其他会话，或联系管理员增加账号。',
    ja: 'ホスト {host} のアカウントはすべて使用中です。セッションを閉じるか、管理者にアカウントの追加を依頼してください。',
  },
  not_an_applet: {
    en: 'The connection method {method} is not an active application for this protocol. Choose another one.',
    zh: '连接方式 {method} 不是此协议可用的应用。请选择其他方式。',
    ja: '接続方法 {method} はこのプロトコルで有効なアプリではありません。別の方法を選択してください。',
  },
  account_not_held: {
    en: 'This component does not hold the account, or it was released already.',
    zh: '此组件未占用该账号，或账号已释放。',
    ja: 'このコンポーネントはアカウントを使用していないか、すでに解放済みです。',
  },
  account_released: { en: 'The account was released.', zh: '账号已释放。', ja: 'アカウントを解放しました。' },
  too_many_hosts: {
    en: 'Select at most {max} hosts.',
    zh: '最多选择 {max} 台发布机。',
    ja: 'ホストは {max} 台まで選択できます。',
  },
  no_administrator: {
    en: 'The host has no active account with a password. Add its administrator.',
    zh: '发布机没有可用的密码账号。请添加其管理员账号。',
    ja: 'ホストにパスワード付きの有効なアカウントがありません。管理者アカウントを追加してください。',
  },
  restart_needed: {
    en: '{target}: Windows needs a restart after installing its roles. Restart the host and deploy it again.',
    zh: '{target}：Windows 安装角色后需要重启。请重启发布机后重新部署。',
    ja: '{target}：役割のインストール後に Windows の再起動が必要です。ホストを再起動してから、もう一度展開してください。',
  },
  host_done: { en: '{target}: done', zh: '{target}：完成', ja: '{target}：完了' },
  deploying: { en: 'Hosts: {count}', zh: '发布机：{count} 台', ja: 'ホスト：{count} 台' },
  step_done: { en: '{target}: {step}', zh: '{target}：{step}', ja: '{target}：{step}' },
  step_check: { en: 'Windows Server checked', zh: '已检查 Windows Server', ja: 'Windows Server を確認しました' },
  step_roles: {
    en: 'role Remote Desktop Session Host installed',
    zh: '已安装远程桌面会话主机角色',
    ja: 'リモートデスクトップセッションホストの役割をインストールしました',
  },
  step_policies: { en: 'policies set', zh: '已设置策略', ja: 'ポリシーを設定しました' },
  step_programs: {
    en: 'agent and Python installed',
    zh: '已安装代理和 Python',
    ja: 'エージェントと Python をインストールしました',
  },
  step_config: { en: 'agent configured', zh: '已配置代理', ja: 'エージェントを設定しました' },
  step_service: { en: 'agent started', zh: '代理已启动', ja: 'エージェントを開始しました' },
  step_applets: { en: 'applications installed', zh: '已安装应用', ja: 'アプリをインストールしました' },
  accounts_made: {
    en: 'Accounts created: {count} (hosts: {hosts}). They become active when the host has created its users.',
    zh: '已创建账号：{count} 个（主机：{hosts} 台）。主机创建相应用户后账号才会激活。',
    ja: '作成したアカウント：{count} 件（ホスト：{hosts} 台）。ホストがユーザーを作成すると有効になります。',
  },
})
