/**
 * Texts of app `labels`.
 */
import { defineMessages } from '../messages.ts'

export const labelsMessages = defineMessages({
  label: { en: 'Label', zh: '标签', ja: 'ラベル' },
  value: { en: 'Value', zh: '值', ja: '値' },
  resource_type: { en: 'Resource type', zh: '资源类型', ja: 'リソースの種類' },
  resource: { en: 'Resource', zh: '资源', ja: 'リソース' },
  'label.name.help': {
    en: 'A label is a name and a value: environment = production.',
    zh: '名称与值共同组成标签，例如：环境 = 生产。',
    ja: '名前と値の組がラベルになります。例：環境 = 本番',
  },
})
