import { defineMessages } from '../messages.ts'

/** Texts of the API documentation page. */
export const apiDocs = defineMessages({
  title: { en: 'Castellan API', zh: 'Castellan API', ja: 'Castellan API' },
  intro: {
    en: 'Generated from the route declarations. The same as an OpenAPI 3.1 document:',
    zh: '由生成接口的同一份声明生成。OpenAPI 3.1 文档：',
    ja: 'ルートを作る宣言そのものから作られています。OpenAPI 3.1 の文書：',
  },
  parameters: { en: 'Parameters', zh: '参数', ja: 'パラメーター' },
  fields: { en: 'Fields', zh: '字段', ja: '項目' },
  name: { en: 'Name', zh: '名称', ja: '名前' },
  type: { en: 'Type', zh: '类型', ja: '型' },
  meaning: { en: 'Description', zh: '含义', ja: '意味' },
  required: { en: 'required', zh: '必填', ja: '必須' },
  read_only: { en: 'read only', zh: '只读', ja: '読み取り専用' },
  write_only: { en: 'write only', zh: '只写', ja: '書き込み専用' },
})
