import { secretTypes } from '@castellan/contract/choices/accounts'
import type { Context } from '../../kernel/context.ts'

/** A secret's kind as the wire has it. */
export const secretTypeWire = (ctx: Context, value: string): { value: string; label: string } => ({
  value,
  label: secretTypes[value as keyof typeof secretTypes]?.[ctx.language] ?? value,
})
