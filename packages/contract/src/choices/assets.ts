/** Choices of assets and platforms. Categories and types are in asset-types.ts. */
import { defineMessages } from '../messages.ts'

export const connectivities = defineMessages({
  '-': { en: 'Unknown', zh: '未知', ja: '不明' },
  ok: { en: 'OK', zh: '成功', ja: '成功' },
  err: { en: 'Error', zh: '失败', ja: '失敗' },
})

export const webAutofills = defineMessages({
  no: { en: 'Disabled', zh: '禁用', ja: '無効' },
  basic: { en: 'Basic', zh: '基本', ja: '基本' },
  script: { en: 'Script', zh: '脚本', ja: 'スクリプト' },
})

export const charsets = defineMessages({
  'utf-8': { en: 'UTF-8', zh: 'UTF-8', ja: 'UTF-8' },
  gbk: { en: 'GBK', zh: 'GBK', ja: 'GBK' },
})

export const suMethods = defineMessages({
  sudo: { en: 'sudo su -', zh: 'sudo su -', ja: 'sudo su -' },
  su: { en: 'su -', zh: 'su -', ja: 'su -' },
  enable: { en: 'enable', zh: 'enable', ja: 'enable' },
  super: { en: 'super 15', zh: 'super 15', ja: 'super 15' },
  super_level: { en: 'super level 15', zh: 'super level 15', ja: 'super level 15' },
})

export const labelCategories = defineMessages({
  S: { en: 'System', zh: '系统', ja: 'システム' },
  U: { en: 'User', zh: '用户', ja: 'ユーザー' },
})

/** Types of custom fields, protocol settings and method parameters. */
export const customFieldTypes = defineMessages({
  str: { en: 'Text', zh: '字符串', ja: '文字列' },
  password: { en: 'Password', zh: '密码', ja: 'パスワード' },
  int: { en: 'Integer', zh: '整数', ja: '整数' },
  bool: { en: 'Yes or no', zh: '布尔值', ja: '真偽値' },
  text: { en: 'Long text', zh: '多行文本', ja: '複数行テキスト' },
  choice: { en: 'Choice', zh: '选项', ja: '選択肢' },
  list: { en: 'List', zh: '列表', ja: 'リスト' },
})

export const assetTaskActions = defineMessages({
  refresh: { en: 'Refresh', zh: '刷新', ja: '更新' },
  test: { en: 'Test', zh: '测试', ja: 'テスト' },
})
