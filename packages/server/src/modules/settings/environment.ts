import type { Context } from '../../kernel/module/context.ts'
import { invalid, Rejected } from '../../kernel/module/errors.ts'
import { settingCatalogue } from '../../kernel/settings/setting-groups.ts'

/**
 * Validates a value of the environment within the limits of the API.
 * @throws Error with a sentence that names the variable and the problem
 */
export function limited(ctx: Context, name: string, value: unknown): unknown {
  try {
    return settingCatalogue.find(name)?.field.parse?.(value, ctx) ?? value
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    const said = (invalid({ value: [error.problem].flat() }).body('en') as { value: unknown }).value
    const words = Array.isArray(said) && said.every((one) => typeof one === 'string') ? said.join(' ') : said
    throw new Error(
      `${name} in the environment is invalid: ${typeof words === 'string' ? words : JSON.stringify(words)}`,
    )
  }
}
