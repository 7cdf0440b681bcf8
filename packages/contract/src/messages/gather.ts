/** Texts of collecting the accounts of assets. */
import { defineMessages } from '../messages.ts'

export const gatherMessages = defineMessages({
  too_many: {
    en: 'the asset lists more than {count} accounts, so nothing was stored',
    zh: '资产列出的账号超过 {count} 个，未保存任何结果',
    ja: '資産のアカウントが {count} 件を超えるため、何も保存されませんでした',
  },
  too_much: {
    en: 'the list of accounts is longer than {megabytes} MB, so nothing was stored',
    zh: '账号列表超过 {megabytes} MB，未保存任何结果',
    ja: 'アカウントの一覧が {megabytes} MB を超えるため、何も保存されませんでした',
  },
  no_list: {
    en: 'the asset did not return a list of accounts; getent or /etc/passwd must be readable for the account that signs in',
    zh: '资产没有返回账号列表，登录账号需要能够执行 getent 或读取 /etc/passwd',
    ja: '資産からアカウントの一覧を取得できませんでした。ログインするアカウントで getent または /etc/passwd を読み取れる必要があります',
  },
  found: {
    en: '{target}: OK, {count} {count|account|accounts}, {added} new, {removed} gone{via}',
    zh: '{target}：成功，{count} 个账号，新增 {added} 个，消失 {removed} 个{via}',
    ja: '{target}：成功、アカウント {count} 件、追加 {added} 件、消失 {removed} 件{via}',
  },
  ignored: {
    en: '{target}: {count} {count|entry was|entries were} ignored: the name is longer than 32 characters or contains unusual characters',
    zh: '{target}：已忽略 {count} 条记录：名称超过 32 个字符或包含特殊字符',
    ja: '{target}：{count} 件の項目を無視しました。名前が 32 文字を超えるか、使用できない文字を含みます',
  },
  synced: {
    en: '{target}: {count} {count|account was|accounts were} added',
    zh: '{target}：已添加 {count} 个账号',
    ja: '{target}：アカウントを {count} 件追加しました',
  },
  report_subject: {
    en: 'Accounts changed on assets: {plan}',
    zh: '资产账号有变化：{plan}',
    ja: '資産のアカウントに変更があります：{plan}',
  },
  report_body: {
    en: 'The plan {plan} found other accounts on {count} {count|asset|assets} than before:\n{changes}',
    zh: '任务“{plan}”发现 {count} 个资产上的账号有变化：\n{changes}',
    ja: '計画「{plan}」は、{count} 件の資産でアカウントの変更を検出しました：\n{changes}',
  },
  report_added: { en: '{asset}: new: {names}', zh: '{asset}：新增：{names}', ja: '{asset}：追加：{names}' },
  report_removed: { en: '{asset}: gone: {names}', zh: '{asset}：消失：{names}', ja: '{asset}：消失：{names}' },
  report_more: {
    en: '… and {count} more {count|asset|assets}',
    zh: '……另有 {count} 个资产',
    ja: '… ほか {count} 件の資産',
  },
  names_more: {
    en: '{names} and {count} more',
    zh: '{names} 等（另有 {count} 个）',
    ja: '{names} ほか {count} 件',
  },
})
