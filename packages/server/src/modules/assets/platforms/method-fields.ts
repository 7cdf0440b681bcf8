import {
  automationMethodIds,
  automationMethodName,
  automationMethods,
  type MethodParam,
} from '@castellan/contract/automation-methods'
import { computed, type Field } from '../../../kernel/fields/index.ts'

const listItem = { type: 'field', required: true, read_only: false, write_only: false }

const paramInfo = (param: MethodParam, language: 'en' | 'zh' | 'ja') => ({
  type: param.type === 'list' ? 'list' : 'string',
  required: false,
  default: param.default,
  read_only: false,
  label: param.label[language],
  help_text: param.help[language],
  write_only: false,
  ...(param.type === 'str' ? { max_length: 4096 } : { child: listItem }),
})

/** OPTIONS of the methods with parameters, from which the console builds their dialog. */
export function methodFields(): Record<string, Field> {
  return Object.fromEntries(
    automationMethodIds.flatMap((id): [string, Field][] => {
      const { params } = automationMethods[id]
      if (!params) return []
      const field: Field = {
        ...computed('nested object', {}),
        readOnly: false,
        required: true,
        meta: (ctx) => ({
          label: automationMethodName(id, ctx.language),
          children: Object.fromEntries(
            Object.entries(params as Record<string, MethodParam>).map(([name, param]) => [
              name,
              paramInfo(param, ctx.language),
            ]),
          ),
        }),
      }
      return [[id, field]]
    }),
  )
}
