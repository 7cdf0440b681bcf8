/** Log lines of background tasks, in the language of the user who started the task. */
import { defineMessages } from '../messages.ts'

export const taskLogs = defineMessages({
  waiting: {
    en: 'Waiting for the log of this task …',
    zh: '正在等待此任务的日志…',
    ja: 'このタスクのログを待っています…',
  },
  stopped: { en: 'Stopped before it finished.', zh: '任务已被停止。', ja: 'タスクは途中で停止されました。' },
  took_too_long: {
    en: 'Stopped: the task exceeded its time limit.',
    zh: '任务已终止：超过了允许的时间。',
    ja: 'タスクを終了しました。許される時間を超えました。',
  },
  lost: {
    en: 'Lost: the worker ended while the task was running. Its progress is unknown, and it is not retried automatically. Check its targets before you start it again.',
    zh: '已丢失：任务运行期间工作进程终止。执行到哪一步未知，系统不会自动重新运行。请先检查目标，再重新启动任务。',
    ja: '消失：タスクの実行中にワーカーが終了しました。どこまで進んだかは不明で、自動では再実行されません。対象を確認してから、もう一度開始してください。',
  },
  interrupted: {
    en: 'Interrupted: the worker was stopped before the task finished. It is not retried automatically. Check its targets before you start it again.',
    zh: '已中断：任务结束前工作进程被停止。系统不会自动重新运行。请先检查目标，再重新启动任务。',
    ja: '中断：タスクが終わる前にワーカーが停止されました。自動では再実行されません。対象を確認してから、もう一度開始してください。',
  },
  taken_over: {
    en: 'The worker ended while the task was running. Another worker continues: attempt {attempt} of {attempts}.',
    zh: '任务运行期间工作进程终止，由其他工作进程继续执行：第 {attempt} 次尝试，共 {attempts} 次。',
    ja: 'タスクの実行中にワーカーが終了したため、別のワーカーが続行します：{attempts} 回中 {attempt} 回目の試行です。',
  },
  attempts_used: {
    en: 'Failed: the worker ended while the task was running, and this was the last of {attempts} {attempts|attempt|attempts}.',
    zh: '任务已终止：运行期间工作进程终止，且 {attempts} 次尝试已用完。',
    ja: 'タスクを終了しました。実行中にワーカーが終了し、{attempts} 回の試行をすべて使いました。',
  },
  tried_again: {
    en: 'Retrying in {seconds} {seconds|second|seconds}: attempt {attempt} of {attempts}.',
    zh: '{seconds} 秒后重试：第 {attempt} 次尝试，共 {attempts} 次。',
    ja: '{seconds} 秒後に再試行します：{attempts} 回中 {attempt} 回目の試行です。',
  },
  item_lost: {
    en: 'The worker ended while it worked on this target. The progress is unknown.',
    zh: '处理此目标期间工作进程终止，执行到哪一步未知。',
    ja: 'この対象の処理中にワーカーが終了しました。どこまで進んだかは不明です。',
  },
  item_interrupted: {
    en: 'The worker was stopped while it worked on this target. The progress is unknown.',
    zh: '处理此目标期间工作进程被停止，执行到哪一步未知。',
    ja: 'この対象の処理中にワーカーが停止されました。どこまで進んだかは不明です。',
  },
  item_took_too_long: {
    en: 'This target exceeded its time limit.',
    zh: '处理此目标超过了允许的时间。',
    ja: 'この対象の処理が許される時間を超えました。',
  },
  not_a_task: {
    en: 'There is no log: this is not the ID of a task.',
    zh: '没有日志：这不是任务的 ID',
    ja: 'ログはありません。これはタスクの ID ではありません。',
  },
  testing_assets: {
    en: 'Testing {count} {count|asset|assets}',
    zh: '正在测试 {count} 个资产',
    ja: '資産 {count} 件をテストしています',
  },
  signed_in_by_ssh: {
    en: '{target}: OK, signed in by SSH on port {port} as {username}{via}',
    zh: '{target}：成功，已通过 SSH 端口 {port} 以 {username} 登录{via}',
    ja: '{target}：成功、SSH ポート {port} に {username} でログインしました{via}',
  },
  signed_in: {
    en: '{target}: OK, signed in on port {port} as {username}{via}',
    zh: '{target}：成功，已通过端口 {port} 以 {username} 登录{via}',
    ja: '{target}：成功、ポート {port} に {username} でログインしました{via}',
  },
  failed_by_ssh: {
    en: '{target}: FAILED by SSH on port {port} as {username}: {reason}',
    zh: '{target}：失败，SSH 端口 {port}，用户名 {username}：{reason}',
    ja: '{target}：失敗、SSH ポート {port}、ユーザー名 {username}：{reason}',
  },
  through: { en: ', through gateway {gateway}', zh: '（经网关 {gateway}）', ja: '（ゲートウェイ {gateway} 経由）' },
  port_answers: {
    en: '{target}: OK, port {port} answers{via}; there is no account to sign in with',
    zh: '{target}：成功，端口 {port} 有响应{via}；没有可用于登录的账号',
    ja: '{target}：成功、ポート {port} が応答しました{via}。ログインに使えるアカウントはありません',
  },
  port_silent: {
    en: '{target}: FAILED, port {port} does not answer: {reason}',
    zh: '{target}：失败，端口 {port} 无响应：{reason}',
    ja: '{target}：失敗、ポート {port} が応答しません：{reason}',
  },
  skipped: {
    en: '{target}: skipped, {reason}',
    zh: '{target}：已跳过，{reason}',
    ja: '{target}：スキップ、{reason}',
  },
  reason_asset_gone: { en: 'the asset no longer exists', zh: '资产已不存在', ja: '資産は存在しません' },
  reason_asset_disabled: { en: 'the asset is disabled', zh: '资产已禁用', ja: '資産は無効です' },
  reason_user_invalid: {
    en: 'the user who started it is disabled or has expired',
    zh: '启动者已被禁用或已过期',
    ja: '開始したユーザーが無効か、有効期限が切れています',
  },
  reason_login_rejected: {
    en: 'an asset login rule refuses the use of this account now; a rule about addresses also refuses scheduled runs',
    zh: '资产登录规则拒绝当前使用此账号；限制来源地址的规则也会拒绝定时执行',
    ja: '資産ログインルールにより、現在このアカウントは使用できません（アドレスを限定するルールは定期実行も拒否します）',
  },
  reason_login_review: {
    en: 'an asset login rule demands a review of each use, which an automation cannot wait for: connect to the asset, or run a job',
    zh: '资产登录规则要求每次使用都经过审批，自动化任务无法等待：请直接连接资产或运行作业',
    ja: '資産ログインルールが使用ごとの審査を求めていますが、自動化は審査を待てません。資産に接続するか、ジョブを実行してください',
  },
  reason_platform_disabled: {
    en: 'this automation is disabled in the platform of the asset',
    zh: '资产所属平台未启用此自动化',
    ja: '資産のプラットフォームでこの自動化が無効です',
  },
  reason_no_method: {
    en: 'the method chosen in the platform of the asset is not available: {method}',
    zh: '资产所属平台选择的方式不可用：{method}',
    ja: '資産のプラットフォームで選ばれた方式は使用できません：{method}',
  },
  reason_no_port: {
    en: 'the asset has no protocol with a port',
    zh: '资产没有带端口的协议',
    ja: 'ポートのあるプロトコルが資産にありません',
  },
  reason_no_ssh_account: {
    en: 'there is no SSH account to sign in with: add one with a password or key',
    zh: '没有可用于登录的 SSH 账号，请添加带密码或密钥的账号',
    ja: 'ログインに使える SSH アカウントがありません。パスワードまたは鍵のあるアカウントを追加してください',
  },
  reason_no_account: {
    en: 'there is no account to sign in with: add one with a secret',
    zh: '没有可用于登录的账号，请添加带密文的账号',
    ja: 'ログインに使えるアカウントがありません。シークレットのあるアカウントを追加してください',
  },
  not_permitted: {
    en: 'Stopped: the user who started this task is no longer permitted to do so.',
    zh: '已停止：启动此任务的用户已不再具有所需权限。',
    ja: '停止しました。このタスクを開始したユーザーには、必要な権限がなくなりました。',
  },
  automation_started: { en: 'Plan: {name}', zh: '任务：{name}', ja: '計画：{name}' },
  automation_done: {
    en: 'Done: {ok} succeeded, {failed} failed, {skipped} skipped',
    zh: '完成：成功 {ok} 个，失败 {failed} 个，跳过 {skipped} 个',
    ja: '完了：成功 {ok} 件、失敗 {failed} 件、スキップ {skipped} 件',
  },
  reported: {
    en: '{count} {count|recipient was|recipients were} notified',
    zh: '已通知 {count} 位接收人',
    ja: '{count} 人の受信者に通知しました',
  },
  assets_answered: {
    en: 'Done: {good} of {count} answered',
    zh: '完成：{count} 个资产中 {good} 个有响应',
    ja: '完了：{count} 件中 {good} 件が応答しました',
  },
  collecting_facts: {
    en: 'Collecting facts of {count} {count|asset|assets}',
    zh: '正在收集 {count} 个资产的信息',
    ja: '資産 {count} 件の情報を収集しています',
  },
  facts: { en: '{target}: OK, {facts}', zh: '{target}：成功，{facts}', ja: '{target}：成功、{facts}' },
  failed: { en: '{target}: FAILED: {reason}', zh: '{target}：失败：{reason}', ja: '{target}：失敗：{reason}' },
  done: { en: 'Done', zh: '完成', ja: '完了' },
  gateway_gone: {
    en: 'The gateway no longer exists',
    zh: '网关已不存在',
    ja: 'ゲートウェイは存在しません',
  },
  gateway_signed_in: {
    en: '{target}: signed in as {username}',
    zh: '{target}：已以 {username} 登录',
    ja: '{target}：{username} でログインしました',
  },
  gateway_forwards: {
    en: '{target}: OK, it forwards to its own port {port}; the connection took {milliseconds} ms',
    zh: '{target}：成功，可转发到其自身的端口 {port}；建立连接用时 {milliseconds} 毫秒',
    ja: '{target}：成功、自身のポート {port} へ転送できます。接続に {milliseconds} ミリ秒かかりました',
  },
  amounts_right: {
    en: '{count} {count|asset|assets}. Asset counts in the tree are computed on display; no correction was needed.',
    zh: '共 {count} 个资产。节点树中的数量在显示时实时统计，无需修正。',
    ja: '資産 {count} 件。ツリーの件数は表示のたびに数えるため、修正は不要でした。',
  },
  verifying_accounts: {
    en: 'Verifying {count} {count|account|accounts}',
    zh: '正在验证 {count} 个账号',
    ja: 'アカウント {count} 件を検証しています',
  },
  account_on: { en: '{account} on {target}', zh: '{target} 上的 {account}', ja: '{target} の {account}' },
  reason_account_gone: { en: 'the account no longer exists', zh: '账号已不存在', ja: 'アカウントは存在しません' },
  reason_no_ssh: {
    en: 'the asset has no SSH protocol',
    zh: '资产没有可用于登录的 SSH 协议',
    ja: '資産に SSH がありません',
  },
  reason_secret_type: {
    en: 'SSH does not support secrets of type {type}',
    zh: 'SSH 不支持“{type}”类型的密文',
    ja: 'SSH では「{type}」を使えません',
  },
  reason_no_secret: { en: 'no secret is stored', zh: '未保存密文', ja: 'シークレットが保存されていません' },
  account_works: {
    en: '{account}: OK, signed in on port {port}{via}',
    zh: '{account}：成功，已登录端口 {port}{via}',
    ja: '{account}：成功、ポート {port} にログインしました{via}',
  },
  account_failed: {
    en: '{account}: FAILED: {reason}',
    zh: '{account}：失败：{reason}',
    ja: '{account}：失敗：{reason}',
  },
  accounts_work: {
    en: 'Done: {good} of {count} accounts work',
    zh: '完成：{count} 个账号中 {good} 个可用',
    ja: '完了：{count} 件中 {good} 件のアカウントを使えます',
  },
  accounts_of_template: {
    en: '{count} {count|account was|accounts were} created from template {template}',
    zh: '模板 {template} 创建了 {count} 个账号',
    ja: 'テンプレート {template} から {count} 件のアカウントが作成されています',
  },
  account_followed: { en: '{account}: OK', zh: '{account}：成功', ja: '{account}：成功' },
  account_taken: {
    en: '{account}: FAILED, the asset already has such an account',
    zh: '{account}：失败，资产上已有相同的账号',
    ja: '{account}：失敗、同じアカウントが資産に既にあります',
  },
  accounts_followed: {
    en: 'Done: {synced} updated, {failed} failed',
    zh: '完成：{synced} 个已同步，{failed} 个未同步',
    ja: '完了：{synced} 件を同期、{failed} 件は未同期',
  },
  host_key_changed: {
    en: 'the host key changed: {expected} is pinned, {shown} was presented. No credential was sent; an administrator has to accept the new key',
    zh: '主机密钥已变更：已固定 {expected}，实际为 {shown}。未发送任何凭据，需由管理员接受新密钥',
    ja: 'ホスト鍵が変わりました：固定済みは {expected}、提示されたのは {shown} です。認証情報は送信していません。管理者が新しい鍵を承認してください',
  },
  gateway_lost: {
    en: 'the gateway {gateway} closed the connection',
    zh: '网关 {gateway} 断开了连接',
    ja: 'ゲートウェイ {gateway} が接続を切断しました',
  },
  gateway_host_key_changed: {
    en: 'the host key has changed; accept the new key on the page of the gateway if it was reinstalled',
    zh: '主机密钥已改变；若网关已重装，请在网关页面上确认新密钥',
    ja: 'ホスト鍵が変わりました。再インストールした場合は、ゲートウェイのページで新しい鍵を承認してください',
  },
  fastest_gateway: {
    en: 'Done: {gateway} is the fastest ({milliseconds} ms) and is used first',
    zh: '完成：{gateway} 最快（{milliseconds} 毫秒），将优先使用',
    ja: '完了：{gateway} が最も速く（{milliseconds} ミリ秒）、最初に使用します',
  },
  no_gateway_works: {
    en: 'Done: no gateway of this domain works. Its assets cannot be reached until one does.',
    zh: '完成：此网域没有可用的网关。在有网关恢复之前，其资产无法连接。',
    ja: '完了：このドメインに使用できるゲートウェイがありません。いずれかが復旧するまで資産に接続できません。',
  },
  evidence_hidden: {
    en: '{asset}: a command was not carried out, because the value of a secret parameter would hide what runs. Use secret parameters for data only.',
    zh: '{asset}：命令未执行，因为保密参数的值会隐藏实际执行的内容。保密参数只能用于数据。',
    ja: '{asset}: 秘密のパラメーターの値が実行内容を隠すため、コマンドは実行されませんでした。秘密のパラメーターはデータにのみ使用してください。',
  },
})
