/** Errors of an entered schedule. */
import { defineMessages } from '../messages.ts'

export const scheduleMessages = defineMessages({
  crontab_label: { en: 'Crontab', zh: '定时', ja: 'Crontab' },
  interval_label: { en: 'Interval', zh: '周期', ja: '間隔' },
  crontab_parts: {
    en: 'A crontab has exactly 5 parts, separated by spaces: minute, hour, day, month, weekday. For example "0 2 * * *" runs daily at 02:00.',
    zh: 'crontab 必须恰好包含 5 个以空格分隔的部分：分 时 日 月 周。例如“0 2 * * *”表示每天 02:00 执行。',
    ja: 'crontab は空白で区切った 5 つの部分（分・時・日・月・曜日）で指定してください。例えば「0 2 * * *」は毎日 02:00 に実行します。',
  },
  crontab_minute: {
    en: 'The minute "{part}" is not valid: use 0 to 59, *, a list (0,30), a range (0-10) or a step (*/15).',
    zh: '“分”的值“{part}”无效：请使用 0 到 59、*、列表（0,30）、范围（0-10）或步长（*/15）。',
    ja: '分「{part}」は無効です。0～59、*、リスト（0,30）、範囲（0-10）、間隔（*/15）で指定してください。',
  },
  crontab_hour: {
    en: 'The hour "{part}" is not valid: use 0 to 23, *, a list (8,20), a range (8-18) or a step (*/6).',
    zh: '“时”的值“{part}”无效：请使用 0 到 23、*、列表（8,20）、范围（8-18）或步长（*/6）。',
    ja: '時「{part}」は無効です。0～23、*、リスト（8,20）、範囲（8-18）、間隔（*/6）で指定してください。',
  },
  crontab_day: {
    en: 'The day of the month "{part}" is not valid: use 1 to 31, *, L for the last day, a list (1,15), a range (1-7) or a step (*/2).',
    zh: '“日”的值“{part}”无效：请使用 1 到 31、*、L（最后一天）、列表（1,15）、范围（1-7）或步长（*/2）。',
    ja: '日「{part}」は無効です。1～31、*、L（月末）、リスト（1,15）、範囲（1-7）、間隔（*/2）で指定してください。',
  },
  crontab_month: {
    en: 'The month "{part}" is not valid: use 1 to 12 or JAN to DEC, *, a list (1,7), a range (3-6) or a step (*/3).',
    zh: '“月”的值“{part}”无效：请使用 1 到 12 或 JAN 到 DEC、*、列表（1,7）、范围（3-6）或步长（*/3）。',
    ja: '月「{part}」は無効です。1～12 または JAN～DEC、*、リスト（1,7）、範囲（3-6）、間隔（*/3）で指定してください。',
  },
  crontab_weekday: {
    en: 'The weekday "{part}" is not valid: use 0 to 7 (0 and 7 are Sunday) or SUN to SAT, *, a list (1,3) or a range (1-5).',
    zh: '“周”的值“{part}”无效：请使用 0 到 7（0 和 7 均为周日）或 SUN 到 SAT、*、列表（1,3）或范围（1-5）。',
    ja: '曜日「{part}」は無効です。0～7（0 と 7 は日曜日）または SUN～SAT、*、リスト（1,3）、範囲（1-5）で指定してください。',
  },
  crontab_never: {
    en: 'This crontab never runs: no date has this day in this month.',
    zh: '该 crontab 永远不会执行：所选月份中没有这一天。',
    ja: 'この crontab は実行されません。指定した月にその日付はありません。',
  },
  interval_range: {
    en: 'The interval must be a whole number of hours from {min} to {max}.',
    zh: '间隔必须是 {min} 到 {max} 之间的整数小时。',
    ja: '間隔は {min}～{max} の整数（時間）で指定してください。',
  },
  schedule_missing: {
    en: 'A periodic run needs a crontab or an interval.',
    zh: '周期执行需要填写 crontab 或间隔。',
    ja: '定期実行には crontab または間隔が必要です。',
  },
})
