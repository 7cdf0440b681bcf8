import { defineMessages } from '../messages.ts'

/** What lists are for, shown above them until the user closes it. */
export const consoleHelpMessages = defineMessages({
  helpClose: { en: 'Close this help', zh: '关闭此说明', ja: 'この説明を閉じる' },
  assetsHelp: {
    en: 'All assets, by node or type. Choose the tab of a category to import assets of that kind from a file.',
    zh: '按节点或类型查看全部资产。如需从文件导入，请切换到对应类别的标签页。',
    ja: 'すべての資産をノード別・種類別に表示します。ファイルから取り込むには、該当するカテゴリのタブを開いてください。',
  },
  websHelp: {
    en: 'A web asset is opened in a remote browser, which signs in with the selectors or the script of the asset.',
    zh: 'Web 资产在远程浏览器中打开，并按资产中配置的选择器或脚本自动登录。',
    ja: 'Web 資産はリモートブラウザーで開かれ、資産に設定したセレクターまたはスクリプトでログインします。',
  },
  customsHelp: {
    en: 'Custom assets have the fields that their platform declares. Create the platform first.',
    zh: '自定义资产的字段由其平台定义，请先创建平台。',
    ja: 'カスタム資産の項目はプラットフォームで定義します。先にプラットフォームを作成してください。',
  },
  platformsHelp: {
    en: 'A platform gives its assets their protocols, account switching and automation. A change acts on all assets of the platform; built-in platforms can only be cloned.',
    zh: '平台决定资产的协议、账号切换和自动化方式。修改会影响该平台下的所有资产；内置平台不可修改，但可以克隆。',
    ja: 'プラットフォームは、資産のプロトコル、アカウント切り替え、自動化の方法を決めます。変更はそのプラットフォームのすべての資産に反映されます。組み込みのプラットフォームは変更できませんが、複製できます。',
  },
  permissionsHelp: {
    en: 'A permission allows users and groups to use accounts of assets, or of all assets below a node. Without one, nobody reaches an asset.',
    zh: '授权允许用户和用户组使用资产（或节点下所有资产）上的账号。未经授权，任何人都无法访问资产。',
    ja: '権限は、ユーザーとグループに、資産またはノード配下の全資産のアカウントの利用を許可します。権限がなければ、誰も資産に接続できません。',
  },
  commandFiltersHelp: {
    en: 'A filter refuses, reviews or reports commands while they are typed. The filter with the higher priority is matched first.',
    zh: '命令过滤在输入命令时拒绝、复核或告警。优先级数值越大，越先匹配。',
    ja: 'コマンドフィルターは、入力されたコマンドを拒否、承認待ち、または通知します。優先度の値が大きいものから評価されます。',
  },
  loginRulesHelp: {
    en: 'A rule refuses or reviews sign-ins to this product by address and time. The rule with the higher priority is matched first.',
    zh: '登录规则按来源地址和时间拒绝或复核登录本系统的行为。优先级数值越大，越先匹配。',
    ja: 'ログインルールは、接続元アドレスと時間帯によって本製品へのログインを拒否または承認待ちにします。優先度の値が大きいものから評価されます。',
  },
  assetLoginRulesHelp: {
    en: 'A rule refuses, reviews or reports connections to assets by user, account, address and time. The rule with the higher priority is matched first.',
    zh: '资产登录规则按用户、账号、来源地址和时间，对连接资产的行为进行拒绝、复核或通知。优先级数值越大，越先匹配。',
    ja: '資産ログインルールは、ユーザー、アカウント、接続元アドレス、時間帯によって資産への接続を拒否、承認待ち、または通知します。優先度の値が大きいものから評価されます。',
  },
  syncTasksHelp: {
    en: 'A task imports the machines of a cloud account as assets, and notes which are gone. Preview shows what the first run would do.',
    zh: '同步任务把云账号中的主机导入为资产，并记录已消失的主机。首次执行前可先预览结果。',
    ja: '同期タスクは、クラウドアカウントのマシンを資産として取り込み、なくなったものを記録します。初回実行の結果は、プレビューで確認できます。',
  },
  cloudStrategiesHelp: {
    en: 'A strategy decides what imported machines become: the ones that its rules match get the node, platform, domain and accounts of its actions.',
    zh: '同步策略决定导入主机的归属：符合规则的主机将按动作设置节点、平台、网域和账号。',
    ja: '同期ポリシーは、取り込んだマシンの扱いを決めます。ルールに一致したマシンに、アクションで指定したノード、プラットフォーム、ドメイン、アカウントが設定されます。',
  },
  gatheredHelp: {
    en: 'Accounts that were found on assets. They are not managed here until they are added to the accounts.',
    zh: '在资产上发现的账号。添加到账号列表之前不受本系统管理。',
    ja: '資産上で見つかったアカウントです。アカウントに追加するまでは、本製品では管理されません。',
  },
})
