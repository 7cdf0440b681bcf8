import type { LineMemory } from './line-memory.ts'
import { noKeys, type TtyKeys, type TtyOptions, ttyLine, usualKeys } from './tty-line.ts'
import { type EraseUnit, TypedLine } from './typed-line.ts'

/** The keys of a line as sent, and the editor's memory when it began. */
export interface LineKeys {
  bytes: Buffer
  /** Earlier keys that may be on the same line, because the key that seemed to end them may not have. */
  carried: Buffer
  /** No echo yet confirms that the last key that should end a line did. */
  isOpen: boolean
  memory: LineMemory
}

export interface KeyCircumstances {
  /** The key that ends the line: CR may have been ignored before any other. */
  endedBy: number
  /** The screen shows the result of the keys, and nothing else has written on it. */
  isConfirmed: boolean
  /** Keys redefined in this session. */
  keys: TtyKeys | undefined
}

const usual: TtyOptions = { unit: 'point', ignoresCr: false, keepsInterrupts: false, keys: usualKeys }
const units = ['byte', 'point'] as const
/** Editing keys are followed up to this length, the size of a terminal's line buffer. Bytes. */
const longestEdited = 4096
const carriageReturn = 0x0d

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const withoutControls = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/gu, '')

/** Only text, which needs no interpretation whatever its length. */
const isPlain = (bytes: Buffer) => bytes.every((byte) => byte >= 0x20 && byte !== 0x7f)

/** Whether a line was edited by so many keys that its result is not followed any longer. */
export const isOverlong = ({ bytes }: LineKeys): boolean => bytes.length > longestEdited && !isPlain(bytes)

/**
 * All possible readings of the keys of a line in addition to the usual one: whether the terminal or a line editor
 * processes them, and whether one key erases a byte, a code point or a character, is unknown here. Pure; a few readings
 * at most.
 */
export function keyReadings(line: LineKeys, { endedBy, isConfirmed, keys }: KeyCircumstances): string[] {
  if (line.bytes.length > longestEdited) return isPlain(line.bytes) ? [line.bytes.toString('utf8').trim()] : []
  const readings = new Set<string>()
  const all = Buffer.concat([line.carried, line.bytes])
  const add = (bytes: Buffer, options: TtyOptions, withControls: boolean) => {
    const { text, hasControls } = ttyLine(bytes, options)
    if (withControls || !hasControls) readings.add(text)
    // A program behind the terminal may leave them out.
    if (withControls && hasControls) readings.add(withoutControls(text))
  }
  for (const unit of units) {
    add(line.bytes, { ...usual, unit }, !isConfirmed)
    if (line.isOpen || (endedBy !== carriageReturn && line.carried.length > 0))
      add(all, { ...usual, unit, ignoresCr: true }, true)
    if (line.isOpen) add(all, { ...usual, unit, keepsInterrupts: true }, true)
    if (keys) add(line.bytes, { ...usual, unit, keys }, true)
    if (isConfirmed) continue
    add(all, { ...usual, unit }, true)
    add(all, { ...usual, unit, keepsInterrupts: true }, true)
  }
  if (!isConfirmed) add(line.bytes, { ...usual, keys: noKeys }, true)
  const edit = (bytes: Buffer, unit: EraseUnit) => {
    const typed = new TypedLine(line.memory.copy(), unit)
    typed.edit(bytes)
    if (typed.known) readings.add(typed.text)
  }
  edit(line.bytes, 'point')
  if (line.bytes.some((byte) => byte >= 0x80)) {
    edit(line.bytes, 'byte')
    edit(line.bytes, 'cluster')
    edit(doubled(line.bytes), 'byte')
    add(doubled(line.bytes), { ...usual, unit: 'byte' }, !isConfirmed)
  }
  readings.delete('')
  return [...readings].map((reading) => reading.trim())
}

/**
 * As seen by a target with a double-byte charset (GBK, Shift-JIS): the actual non-ASCII bytes do not matter to any
 * rule.
 */
function doubled(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beside ASCII is meant
  return Buffer.from(text.replaceAll(/[^\u0000-\u007f]/gu, '\u00ff'))
}
