import { type ProtocolSetting, protocolOf } from '@castellan/contract/protocols'
import type { Context } from '../../../kernel/module/context.ts'
import type { Info } from '../../../kernel/resource/metadata.ts'

const types = { str: 'string', text: 'string', bool: 'boolean', choice: 'choice' } as const

function settingInfo(setting: ProtocolSetting, ctx: Context): Info {
  const { type, default: standard, label, help, choices = [], licensedChoices = [] } = setting
  const offered = [...choices, ...licensedChoices].map((value) => ({ value, label: value }))
  return {
    type: types[type],
    required: false,
    ...(standard === '' || Array.isArray(standard) ? {} : { default: standard }),
    read_only: false,
    label: label[ctx.language],
    ...(help ? { help_text: help[ctx.language] } : {}),
    write_only: false,
    ...(type === 'str' ? { max_length: 4096 } : {}),
    ...(type === 'choice' ? { choices: offered } : {}),
  }
}

/** OPTIONS of the settings of the protocol `?name=`, from which the console builds its dialog. */
export const settingChildren = (ctx: Context, name: string | undefined): Info => ({
  children: Object.fromEntries(
    Object.entries(protocolOf(name ?? '')?.setting ?? {}).map(([key, setting]) => [key, settingInfo(setting, ctx)]),
  ),
})
