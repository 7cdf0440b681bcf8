/** What is wrong with the files of a playbook, before anything runs them. */
import { type Message, say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { isAlias, isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import type { Context } from '../../kernel/module/context.ts'
import { isEntry } from './playbook-files.ts'

export interface SyntaxProblem {
  path: string
  /** From 1; absent where a file as a whole is wrong. */
  line?: number
  reason: string
}

/** Problems that are listed. */
const mostProblems = 50
const longestReason = 200

/** Files in a folder of templates become YAML when Ansible has filled them in. */
const isYaml = (path: string) => (/\.ya?ml$/i.test(path) && !/(^|\/)templates\//.test(path)) || isEntry(path)

interface Source {
  readonly path: string
  readonly content: string
  readonly is_binary: boolean | number
  readonly is_directory: boolean | number
}

/** The first error in the YAML of a file; undefined when there is none. */
export function firstError(path: string, content: string): { line: number; reason: string } | undefined {
  if (!isYaml(path)) return undefined
  const [error] = yamlOf(content).errors
  return error
}

/** The documents of a text, and where it is no YAML. */
function yamlOf(content: string) {
  const lines = new LineCounter()
  // Nothing is resolved: neither tags, of which Ansible has its own, nor aliases, which could be a bomb.
  const parsed = parseAllDocuments(content, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false })
  const documents = Array.isArray(parsed) ? parsed : []
  const errors = documents.flatMap((document) =>
    document.errors.map(({ message, pos }) => ({
      line: lines.linePos(pos[0]).line,
      reason: (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').slice(0, longestReason),
    })),
  )
  return { documents, lines, errors }
}

/** Problems of one file. An entry file is a list of plays: each is on hosts, or imports another playbook. */
function problemsOf({ path, content }: Source, said: (message: Message) => string): SyntaxProblem[] {
  const { documents, lines, errors } = yamlOf(content)
  const found: SyntaxProblem[] = errors.map((error) => ({ path, ...error }))
  if (found.length > 0 || !isEntry(path)) return found
  const [first] = documents
  const plays = first?.contents
  if (!isSeq(plays) || plays.items.length === 0) return [{ path, reason: said(opsMessages.playbook_empty) }]
  for (const play of plays.items) {
    if (isAlias(play)) continue
    const line = lines.linePos(play.range[0]).line
    const names = ['hosts', 'import_playbook', 'ansible.builtin.import_playbook']
    if (!isMap(play) || !names.some((name) => play.has(name)))
      found.push({ path, line, reason: said(opsMessages.play_without_hosts) })
  }
  return found
}

/** What is wrong with the YAML of a playbook's files. */
export function syntaxProblems(ctx: Context, files: readonly Source[]): SyntaxProblem[] {
  const found: SyntaxProblem[] = []
  if (!files.some(({ path }) => isEntry(path)))
    found.push({ path: 'main.yml', reason: say(opsMessages.no_entry, ctx.language) })
  for (const file of files) {
    if (found.length >= mostProblems) break
    if (file.is_binary || file.is_directory || !isYaml(file.path)) continue
    found.push(...problemsOf(file, (message) => say(message, ctx.language)))
  }
  return found.slice(0, mostProblems)
}
