import { opsMessages } from '@castellan/contract/messages/ops'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text } from '../../kernel/module/errors.ts'
import { commandExecution } from './settings.ts'

export const isExecutionAllowed = (ctx: Context): boolean => commandExecution.of(ctx).SECURITY_COMMAND_EXECUTION

/** Throws 403 where the administrator has switched commands on assets off. */
export function demandExecutionAllowed(ctx: Context): void {
  if (!isExecutionAllowed(ctx)) throw permissionDenied(text(opsMessages.execution_disabled))
}
