/** Texts of automations: work on assets that users and schedules start. */
import { defineMessages } from '../messages.ts'

export const itemStatuses = defineMessages({
  pending: { en: 'Pending', zh: '等待中', ja: '待機中' },
  running: { en: 'Running', zh: '执行中', ja: '実行中' },
  success: { en: 'Success', zh: '成功', ja: '成功' },
  failed: { en: 'Failed', zh: '失败', ja: '失敗' },
  skipped: { en: 'Skipped', zh: '已跳过', ja: 'スキップ済み' },
  canceled: { en: 'Stopped', zh: '已停止', ja: '停止済み' },
  lost: { en: 'Unknown', zh: '结果未知', ja: '結果不明' },
})

/** Why an execution did nothing, or ended before it was done. */
export const executionReasons = defineMessages({
  no_targets: {
    en: 'Nothing was done: no assets are selected. Add assets or nodes that contain assets.',
    zh: '未执行任何操作：没有目标资产。请添加资产，或添加包含资产的节点。',
    ja: '何も実行されませんでした。対象の資産がありません。資産、または資産を含むノードを追加してください。',
  },
  all_skipped: {
    en: 'Nothing was done: every target was skipped. The reasons are shown beside the targets.',
    zh: '未执行任何操作：所有目标均已跳过，原因见各目标。',
    ja: '何も実行されませんでした。すべての対象がスキップされました。理由は各対象に表示されます。',
  },
  automation_gone: {
    en: 'Nothing was done: the plan was deleted.',
    zh: '未执行任何操作：任务已被删除。',
    ja: '何も実行されませんでした。計画は削除されています。',
  },
  not_permitted: {
    en: 'Stopped: the user who started it is no longer permitted to do so.',
    zh: '已停止：启动者已不再具有所需权限。',
    ja: '停止しました。開始したユーザーには、必要な権限がなくなりました。',
  },
  canceled: { en: 'Stopped by a user.', zh: '已由用户停止。', ja: 'ユーザーが停止しました。' },
  timeout: {
    en: 'Stopped: it exceeded its time limit. Retry the targets that were not done.',
    zh: '已停止：超过了允许的时间。可重试未完成的目标。',
    ja: '停止しました。許される時間を超えました。残りの対象は再試行できます。',
  },
  worker_lost: {
    en: 'The worker ended while it was running. Check the targets, then retry.',
    zh: '执行期间工作进程终止。请检查目标后重试。',
    ja: '実行中にワーカーが終了しました。対象を確認してから再試行してください。',
  },
  worker_stopped: {
    en: 'The worker was stopped while it was running. Check the targets, then retry.',
    zh: '执行期间工作进程被停止。请检查目标后重试。',
    ja: '実行中にワーカーが停止されました。対象を確認してから再試行してください。',
  },
  failed: {
    en: 'An error of the product ended it. The log has the details; retry, or ask an administrator.',
    zh: '因系统错误而终止。详情见日志，请重试或联系管理员。',
    ja: '製品のエラーにより終了しました。詳細はログにあります。再試行するか、管理者に連絡してください。',
  },
})

export const automationErrors = defineMessages({
  still_running: {
    en: 'This execution is still running. Stop it, or wait until it has ended.',
    zh: '该执行尚未结束，请先停止或等待其结束',
    ja: 'この実行はまだ終わっていません。停止するか、終了を待ってください。',
  },
  nothing_failed: {
    en: 'Nothing to retry: no target of this execution failed.',
    zh: '没有可重试的目标：该执行中没有失败的目标',
    ja: '再試行するものはありません。この実行に失敗した対象はありません。',
  },
  bad_target_action: {
    en: 'Use the action “add” or “remove”.',
    zh: '操作只能是 add 或 remove',
    ja: '操作には add または remove を指定してください。',
  },
})
