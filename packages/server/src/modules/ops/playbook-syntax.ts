/** What is wrong with the files of a playbook, before anything runs them. */
import { join } from 'node:path'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { Context } from '../../kernel/module/context.ts'
import { boundedParser, isTooHard } from '../../kernel/untrusted/parse-bounded.ts'
import { isEntry } from './playbook-file.ts'
import type * as yaml from './playbook-yaml.ts'

export interface SyntaxProblem {
  path: string
  /** From 1; absent where a file as a whole is wrong. */
  line?: number
  reason: string
}

/** Problems that are listed. */
const mostProblems = 50

const yamlFile = join(import.meta.dirname, 'playbook-yaml.ts')
const bounds = { milliseconds: 2000, megabytes: 256, lane: 'short' } as const
const problemsOf = boundedParser<typeof yaml.yamlProblems>(yamlFile, 'yamlProblems', bounds)
const errorOf = boundedParser<typeof yaml.firstYamlError>(yamlFile, 'firstYamlError', bounds)

/** Files in a folder of templates become YAML when Ansible has filled them in. */
const isYaml = (path: string) => (/\.ya?ml$/i.test(path) && !/(^|\/)templates\//.test(path)) || isEntry(path)

interface Source {
  readonly path: string
  readonly content: string
  readonly is_binary: boolean | number
  readonly is_directory: boolean | number
}

/**
 * The first error in the YAML of a file; undefined when there is none. Outside of transactions.
 * @throws 400 for what takes too long to read
 */
export async function firstError(
  ctx: Context,
  path: string,
  content: string,
): Promise<{ line: number; reason: string } | undefined> {
  return isYaml(path) ? errorOf(ctx.me.id, content) : undefined
}

/** What is wrong with the YAML of a playbook's files. Outside of transactions. */
export async function syntaxProblems(ctx: Context, files: readonly Source[]): Promise<SyntaxProblem[]> {
  const found: SyntaxProblem[] = []
  if (!files.some(({ path }) => isEntry(path)))
    found.push({ path: 'main.yml', reason: say(opsMessages.no_entry, ctx.language) })
  for (const { path, content, is_binary, is_directory } of files) {
    if (found.length >= mostProblems) break
    if (is_binary || is_directory || !isYaml(path)) continue
    try {
      for (const { reason, ...at } of await problemsOf(ctx.me.id, path, content))
        found.push({
          ...{ path, ...at },
          reason: typeof reason === 'string' ? reason : say(opsMessages[reason.known], ctx.language),
        })
    } catch (error) {
      if (!isTooHard(error)) throw error
      found.push({ path, reason: say(errors.too_hard_to_read, ctx.language) })
      // Each such file takes all of its time.
      break
    }
  }
  return found.slice(0, mostProblems)
}
