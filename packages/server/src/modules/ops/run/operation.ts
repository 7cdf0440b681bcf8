import { createHash } from 'node:crypto'
import type { JobSnapshot } from '../job-execution.ts'
import { programsOf } from './programs.ts'
import { withVariables } from './variables.ts'

/**
 * What is done on one host, filled in once: what rules decide about, reviewers see, logs keep and the host runs are parts
 * of this value.
 */
export interface Operation {
  readonly module: string
  /** What the module runs. */
  readonly text: string
  /** The folder in which it runs; empty for that of the login, and for modules that have none. */
  readonly chdir: string
  /** All of it as one text, with secret values hidden. */
  readonly shown: string
  /** Whether something in it is hidden. */
  readonly isHiding: boolean
}

/** Values of parameters, and the same as they may be shown. */
export interface Values {
  readonly own: Readonly<Record<string, string>>
  readonly shown: Readonly<Record<string, string>>
}

/** Modules that run a command in a folder. */
const withFolder: ReadonlySet<string> = new Set(['shell', 'python', 'win_shell'])
/** Modules whose text is read by a shell. */
const shells: ReadonlySet<string> = new Set(['shell', 'raw', 'win_shell'])

/**
 * Characters that a log or a reviewer would not see as what they are, or that a shell drops: control characters but for
 * tabs and line ends, those that change the direction of writing, and halves of characters.
 */
const unreadable = /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u

/** Characters of a command with its values: more is no line that somebody would judge. */
const longestText = 64 * 1024

/** The text has characters that hide what it does, or is too long. */
export class UnreadableText extends Error {}

/**
 * Characters of a secret value: it is hidden in every log, so it is one word that nothing interprets, and never what
 * runs.
 */
const secretWord = /^[\p{L}\p{N}_.:@/+=,%^~!?-]*$/u
/** Stands for a secret word, to see whether it would name the program. */
const wordInPlace = 'castellan-secret-word'

/** A secret parameter that would hide what runs. */
export class HiddenCommand extends Error {
  readonly parameter: string

  constructor(parameter: string) {
    super(parameter)
    this.parameter = parameter
  }
}

function demandWords(module: string, args: string, { own, shown }: Values, given: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(own)) {
    if (
      value === shown[name] ||
      withVariables(args, { ...shown, [name]: wordInPlace }, given) === withVariables(args, shown, given)
    )
      continue
    if (!secretWord.test(value)) throw new HiddenCommand(name)
    const programs = shells.has(module) ? programsOf(withVariables(args, { ...own, [name]: wordInPlace }, given)) : []
    if (programs.some((program) => program.includes(wordInPlace))) throw new HiddenCommand(name)
  }
}

/** Values beside a playbook or a command, as logs have them. */
const listed = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}=${/^[\p{L}\p{N}_.:@/+=,*-]+$/u.test(value) ? value : JSON.stringify(value)}`)
    .join('')

/** The module and the folder before a command; nothing for a plain shell command that does not look like it has them. */
function headOf(module: string, chdir: string, text: string): string {
  const parts = [...(module === 'shell' ? [] : [module]), ...(chdir === '' ? [] : [`chdir=${JSON.stringify(chdir)}`])]
  if (parts.length > 0) return `[${parts.join(' ')}] `
  return /^\s*\[/.test(text) ? '[shell] ' : ''
}

/**
 * What a job does on a host.
 * @param given values about the host and the run
 * @param material what else it does: the files of a playbook or a transfer
 * @throws UnsafeVariable, UnreadableText, HiddenCommand
 */
export function operationOf(
  snapshot: JobSnapshot,
  values: Values,
  given: Readonly<Record<string, string>>,
  material: string,
): Operation {
  const { module } = snapshot
  const text = isCommand(snapshot) ? withVariables(snapshot.args, values.own, given).replaceAll('\r\n', '\n') : ''
  const chdir = isCommand(snapshot) && withFolder.has(module) ? snapshot.chdir : ''
  if (text.length > longestText) throw new UnreadableText()
  if (isCommand(snapshot)) demandWords(module, snapshot.args, values, given)
  const shownText = isCommand(snapshot)
    ? headOf(module, chdir, text) + withVariables(snapshot.args, values.shown, given).replaceAll('\r\n', '\n')
    : material + (snapshot.type === 'playbook' ? listed(values.shown) : '')
  const parts = [text, chdir, shownText, ...(snapshot.type === 'playbook' ? Object.values(values.own) : [])]
  if (parts.some((part) => unreadable.test(part))) throw new UnreadableText()
  const isHiding = isCommand(snapshot)
    ? text !== withVariables(snapshot.args, values.shown, given).replaceAll('\r\n', '\n')
    : snapshot.type === 'playbook' && Object.entries(values.own).some(([name, value]) => values.shown[name] !== value)
  return { module, text, chdir, shown: shownText, isHiding }
}

/** A command and its folder before it is known on which host: values about hosts stay variables. */
export function commandText({ module, chdir, args }: JobSnapshot, shown: Values['shown']): string {
  const folder = withFolder.has(module) && chdir !== '' ? `[chdir=${JSON.stringify(chdir)}] ` : ''
  return folder + withVariables(args, shown, {})
}

/** An operation before it is known on which host. */
export function materialOf(snapshot: JobSnapshot, shown: Values['shown'], material: string): string {
  if (!isCommand(snapshot)) return snapshot.type === 'playbook' ? material + listed(shown) : material
  const { module, args } = snapshot
  return headOf(module, withFolder.has(module) ? snapshot.chdir : '', args) + withVariables(args, shown, {})
}

/** Whether it runs a command, and neither a playbook nor a transfer. */
export const isCommand = ({ type, transfer }: Pick<JobSnapshot, 'type' | 'transfer'>): boolean =>
  type === 'adhoc' && !transfer

/** What a review is about: the operation, and the files that belong to it. */
export const digestOf = (operation: Operation, files = ''): string =>
  createHash('sha256')
    .update(JSON.stringify([operation.module, operation.shown, files]))
    .digest('hex')
