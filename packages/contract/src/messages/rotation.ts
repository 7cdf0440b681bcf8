/** Texts of changing, pushing and removing accounts on their assets: log lines, records, errors. */
import { defineMessages } from '../messages.ts'

export const rotationMessages = defineMessages({
  changed: {
    en: '{target}: OK, the new secret works{via}',
    zh: '{target}：成功，新密文可用{via}',
    ja: '{target}：成功、新しいシークレットでログインできました{via}',
  },
  settled_new: {
    en: '{target}: an earlier run was interrupted; its new secret works and is now the current one',
    zh: '{target}：之前的执行曾被中断，其新密文可用，现已成为当前密文',
    ja: '{target}：前回の実行は中断されていましたが、その新しいシークレットが有効なため、現在のシークレットにしました',
  },
  settled_old: {
    en: '{target}: an earlier run was interrupted; the secret before it is still valid',
    zh: '{target}：之前的执行曾被中断，原密文仍然有效',
    ja: '{target}：前回の実行は中断されていましたが、以前のシークレットが引き続き有効です',
  },
  edited_meanwhile: {
    en: '{target}: somebody changed the stored secret during the run; theirs is in the history of the account',
    zh: '{target}：执行期间有人修改了已保存的密文，修改后的密文保留在账号历史中',
    ja: '{target}：実行中に保存済みのシークレットが変更されました。変更された値はアカウントの履歴に残っています',
  },
  in_doubt: {
    en: 'in doubt: it is not known whether the new secret was set ({reason}). Both secrets are kept; retry, or wait for the next run: it finds out which one is valid',
    zh: '结果未知：无法确定新密文是否已生效（{reason}）。新旧密文均已保留，请重试或等待下次执行，系统会先确认哪个密文有效',
    ja: '結果が不明です。新しいシークレットが設定されたか確認できません（{reason}）。新旧とも保持しています。再試行するか次の実行を待つと、どちらが有効かを確認します',
  },
  none_works: {
    en: 'in doubt: neither the stored secret nor the one of an interrupted run works. Both are kept. Set the password on the asset yourself, enter it in the account, and retry',
    zh: '结果未知：已保存的密文和中断执行的密文均无法登录。两者均已保留，请在资产上手动设置密码并更新到账号后重试',
    ja: '結果が不明です。保存済みのシークレットでも中断した実行のシークレットでもログインできません。両方とも保持しています。資産側でパスワードを設定し、アカウントに入力してから再試行してください',
  },
  old_still_valid: {
    en: 'the new secret does not work; the one before is still valid and stays the current one',
    zh: '新密文无法登录，原密文仍然有效并继续使用',
    ja: '新しいシークレットではログインできません。以前のシークレットは有効で、引き続き使用します',
  },
  superseded: {
    en: 'another secret was set and verified afterwards',
    zh: '之后已设置并验证了其他密文',
    ja: 'その後、別のシークレットが設定され確認されました',
  },
  interrupted: {
    en: 'interrupted before its end',
    zh: '在完成前被中断',
    ja: '完了前に中断されました',
  },
  no_login_account: {
    en: 'the asset has no active account with a secret to sign in with. Add a privileged account',
    zh: '资产没有可用于登录的已启用账号，请添加带密文的特权账号',
    ja: '資産に、ログインに使える有効なアカウントがありません。シークレットのある特権アカウントを追加してください',
  },
  no_protocol: {
    en: 'the asset has none of the protocols that its method needs: {protocols}',
    zh: '资产没有该方式所需的协议：{protocols}',
    ja: 'この方式に必要なプロトコルが資産にありません：{protocols}',
  },
  account_disabled: { en: 'the account is disabled', zh: '账号已禁用', ja: 'アカウントは無効です' },
  secure_mode: {
    en: 'secure mode: privileged accounts, root, administrator and the account that signs in are left alone (CHANGE_AUTH_PLAN_SECURE_MODE_ENABLED)',
    zh: '安全模式：不修改特权账号、root、administrator 以及用于登录的账号（CHANGE_AUTH_PLAN_SECURE_MODE_ENABLED）',
    ja: '安全モード：特権アカウント、root、administrator、ログインに使うアカウントは変更しません（CHANGE_AUTH_PLAN_SECURE_MODE_ENABLED）',
  },
  windows_key: {
    en: 'SSH keys cannot be set on Windows',
    zh: '不支持在 Windows 上设置 SSH 密钥',
    ja: 'Windows には SSH キーを設定できません',
  },
  no_plan_secret: {
    en: 'the plan has no secret to set. Enter one, or choose random generation',
    zh: '任务未填写要设置的密文，请填写密文或改用随机生成',
    ja: '計画に設定するシークレットがありません。入力するか、ランダム生成を選んでください',
  },
  no_stored_secret: {
    en: 'the account has no stored secret to push. Enter one first',
    zh: '账号没有可推送的密文，请先填写密文',
    ja: 'アカウントにプッシュするシークレットがありません。先に入力してください',
  },
  key_unsupported: {
    en: 'the asset does not take secrets of this type',
    zh: '资产不支持该类型的密文',
    ja: '資産はこの種類のシークレットに対応していません',
  },
  report_subject: { en: 'Password change: {plan}', zh: '账号改密：{plan}', ja: 'パスワード変更：{plan}' },
  report_body: {
    en: '{ok} {ok|secret was|secrets were} changed and verified, {failed} failed or are in doubt, {skipped} skipped.\n{failures}',
    zh: '已修改并验证 {ok} 个，失败或结果未知 {failed} 个，跳过 {skipped} 个。\n{failures}',
    ja: '変更・確認済み {ok} 件、失敗または結果不明 {failed} 件、スキップ {skipped} 件。\n{failures}',
  },
  report_more: {
    en: '… and {count} more: see the records.',
    zh: '……以及另外 {count} 个，详见改密记录。',
    ja: '……ほか {count} 件。記録をご覧ください。',
  },
  report_with_file: {
    en: '{report}\nThe old and the new secrets are attached. The archive and the workbook in it open with your file encryption password.',
    zh: '{report}\n新旧密文见附件。压缩包及其中的表格均使用您的文件加密密码打开。',
    ja: '{report}\n新旧のシークレットを添付します。アーカイブとその中のブックは、ファイル暗号化パスワードで開けます。',
  },
  report_without_file: {
    en: '{report}\nThe secrets could not be attached, because you have not set a file encryption password. Set it in your preferences to receive them next time.',
    zh: '{report}\n由于您尚未设置文件加密密码，密文未能附上。请在个人设置中设置，以便下次接收。',
    ja: '{report}\nファイル暗号化パスワードが未設定のため、シークレットを添付できませんでした。次回から受け取るには、個人設定で設定してください。',
  },
  file_old_secret: { en: 'Old secret', zh: '旧密文', ja: '以前のシークレット' },
  file_new_secret: { en: 'New secret', zh: '新密文', ja: '新しいシークレット' },
  recipients_need_right: {
    en: 'The recipients of this plan are mailed the secrets it sets. Deciding who receives them, and of which accounts, requires permission to view account secrets.',
    zh: '该任务会将设置的密文邮件发送给接收者。设置接收者以及涉及的账号需要查看账号密文的权限',
    ja: 'この計画の受信者には、設定したシークレットがメールで送られます。受信者と対象のアカウントを決めるには、アカウントのシークレットを表示する権限が必要です。',
  },
  targets_need_right: {
    en: 'This plan sets the secret that is stored with it. Giving it to further assets, nodes or accounts requires permission to view account secrets. Or enter a new secret with the change.',
    zh: '该任务会设置其中保存的密文。将其用于更多资产、节点或账号需要查看账号密文的权限；也可以在修改时输入新的密文。',
    ja: 'この計画は保存されているシークレットを設定します。対象の資産、ノード、アカウントを増やすには、アカウントのシークレットを表示する権限が必要です。または、変更と一緒に新しいシークレットを入力してください。',
  },
  push_left_subject: {
    en: 'Accounts were stored, not pushed',
    zh: '账号已保存，但未推送',
    ja: 'アカウントは保存されましたが、プッシュされていません',
  },
  push_left_body: {
    en: 'You may not push accounts to assets. Ask an administrator for the permission, or set their passwords or keys on the assets yourself.',
    zh: '您没有推送账号的权限，请联系管理员授权，或自行在资产上设置密码或密钥。',
    ja: 'アカウントをプッシュする権限がありません。管理者に権限を依頼するか、資産側でパスワードまたは鍵を設定してください。',
  },
  pushing: {
    en: 'Pushing {count} {count|account|accounts}',
    zh: '正在推送 {count} 个账号',
    ja: 'アカウント {count} 件をプッシュしています',
  },
  removing: {
    en: 'Removing {count} {count|account|accounts} from their assets',
    zh: '正在从资产上删除 {count} 个账号',
    ja: 'アカウント {count} 件を資産から削除しています',
  },
  removed: {
    en: '{target}: OK, removed from the asset{via}',
    zh: '{target}：成功，已从资产上删除{via}',
    ja: '{target}：成功、資産から削除しました{via}',
  },
  remove_unsupported: {
    en: 'accounts cannot be removed from assets of this platform. Remove it on the asset yourself',
    zh: '不支持从该平台的资产上删除账号，请在资产上手动删除',
    ja: 'このプラットフォームの資産からはアカウントを削除できません。資産側で削除してください',
  },
  remove_protected: {
    en: 'privileged accounts, root, administrator and the account that signs in are not removed',
    zh: '不会删除特权账号、root、administrator 以及用于登录的账号',
    ja: '特権アカウント、root、administrator、ログインに使うアカウントは削除しません',
  },
})

/** Why a target did not do what it was asked to, by code; what it answered stands behind. */
export const systemFailures = defineMessages({
  auth_failed: {
    en: 'the asset refused the login of {username}. Check the stored secret of this account',
    zh: '资产拒绝 {username} 登录，请检查该账号已保存的密文',
    ja: '資産が {username} のログインを拒否しました。このアカウントの保存済みシークレットを確認してください',
  },
  secret_expired: {
    en: 'the password of {username} has expired on the asset and must be changed there first',
    zh: '{username} 的密码在资产上已过期，请先在资产上修改',
    ja: '{username} のパスワードは資産側で期限切れです。先に資産側で変更してください',
  },
  denied: {
    en: '{username} may not do this on the asset. Allow it with sudo, or use a privileged account',
    zh: '{username} 在资产上没有所需权限，请授予 sudo 权限或使用特权账号',
    ja: '{username} には資産上でこの操作をする権限がありません。sudo を許可するか、特権アカウントを使用してください',
  },
  account_missing: {
    en: 'the asset has no such account. Push it to create it',
    zh: '资产上没有该账号，可通过推送创建',
    ja: '資産にこのアカウントがありません。プッシュすると作成できます',
  },
  bad_name: {
    en: 'the asset does not allow this account name or one of the parameters. Change it, and retry',
    zh: '资产不接受该账号名或参数，请修改后重试',
    ja: '資産ではこのアカウント名またはパラメーターを使用できません。変更して再試行してください',
  },
  secret_rejected: {
    en: 'the secret breaks the rules of the asset. Adapt the password rules of the plan',
    zh: '密文不符合资产的规则，请调整任务的密码规则',
    ja: 'シークレットが資産の規則に合いません。計画のパスワード規則を調整してください',
  },
  disk_full: {
    en: 'the disk of the asset is full. Free some space, and retry',
    zh: '资产磁盘已满，请释放空间后重试',
    ja: '資産のディスクに空きがありません。空きを確保して再試行してください',
  },
  read_only: {
    en: 'a file system of the asset is read-only. Make it writable, and retry',
    zh: '资产的文件系统为只读，请恢复可写后重试',
    ja: '資産のファイルシステムが読み取り専用です。書き込み可能にして再試行してください',
  },
  unsupported: {
    en: 'the asset lacks what the method needs. Choose another method in its platform',
    zh: '资产缺少该方式所需的程序或功能，请在平台中选择其他方式',
    ja: '資産に、この方式に必要なものがありません。プラットフォームで別の方式を選んでください',
  },
  bad_answer: {
    en: 'the asset answered something unexpected. Check its platform and method',
    zh: '资产返回了无法识别的结果，请检查平台和方式是否正确',
    ja: '資産から予期しない応答がありました。プラットフォームと方式を確認してください',
  },
})

export const rotationErrors = defineMessages({
  record_done: {
    en: 'This record succeeded already; there is nothing to retry.',
    zh: '该记录已成功，无需重试',
    ja: 'この記録は成功済みです。再試行するものはありません。',
  },
  record_without_account: {
    en: 'The account or the asset of this record no longer exists, so it cannot be retried.',
    zh: '该记录的账号或资产已不存在，无法重试',
    ja: 'この記録のアカウントまたは資産は存在しないため、再試行できません。',
  },
  no_such_version: {
    en: 'The history of this account has no such version.',
    zh: '账号历史中没有该版本',
    ja: 'このアカウントの履歴にその版はありません。',
  },
  push_unsupported: {
    en: 'Accounts cannot be pushed to assets of this platform. Enable it in the platform, or change the account on the asset.',
    zh: '该平台的资产不支持推送账号，请在平台中启用，或直接在资产上修改',
    ja: 'このプラットフォームの資産にはアカウントをプッシュできません。プラットフォームで有効にするか、資産側で変更してください。',
  },
})
