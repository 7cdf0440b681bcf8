import { secretTypes } from '@castellan/contract/choices/accounts'
import type { Context } from '../../kernel/module/context.ts'

/** The type of a secret in wire form. */
export const secretTypeWire = (ctx: Context, value: string): { value: string; label: string } => ({
  value,
  label: secretTypes[value as keyof typeof secretTypes]?.[ctx.language] ?? value,
})
