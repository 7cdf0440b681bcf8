import type { LineMemory } from './line-memory.ts'
import { noKeys, type TtyKeys, type TtyOptions, ttyLine, usualKeys } from './tty-line.ts'
import { type EraseUnit, TypedLine } from './typed-line.ts'

/** The keys of a line as they were sent, and what was remembered when it began. */
export interface LineKeys {
  bytes: Buffer
  /** Earlier keys which may stand on the same line, because what seemed to end them need not have. */
  carried: Buffer
  /** No echo has shown yet that the last key which should end a line did. */
  isOpen: boolean
  memory: LineMemory
}

export interface KeyCircumstances {
  /** The key that ends the line: CR may have been ignored before any other. */
  endedBy: number
  /** The screen shows what the keys amount to, and nothing else has written on it. */
  isConfirmed: boolean
  /** Keys that were given another meaning in this session. */
  keys: TtyKeys | undefined
}

const usual: TtyOptions = { unit: 'point', ignoresCr: false, keepsInterrupts: false, keys: usualKeys }
const units = ['byte', 'point'] as const
/** Keys that edit a line are followed up to here, which is what a terminal's own line holds. Bytes. */
const longestEdited = 4096
const carriageReturn = 0x0d

/** Nothing but text, which amounts to itself however long it is. */
const isPlain = (bytes: Buffer) => bytes.every((byte) => byte >= 0x20 && byte !== 0x7f)

/** Whether so many keys have edited a line that what they amount to is not followed any longer. */
export const isOverlong = ({ bytes }: LineKeys): boolean => bytes.length > longestEdited && !isPlain(bytes)

/**
 * All that the keys of a line may amount to beside their usual reading: whether its terminal or a line editor takes them,
 * and whether one key erases a byte, a code point or a character, is not known here. Pure; a few readings at most.
 */
export function keyReadings(line: LineKeys, { endedBy, isConfirmed, keys }: KeyCircumstances): string[] {
  if (line.bytes.length > longestEdited) return isPlain(line.bytes) ? [line.bytes.toString('utf8').trim()] : []
  const readings = new Set<string>()
  const all = Buffer.concat([line.carried, line.bytes])
  const add = (bytes: Buffer, options: TtyOptions, withControls: boolean) => {
    const { text, hasControls } = ttyLine(bytes, options)
    if (withControls || !hasControls) readings.add(text)
  }
  for (const unit of units) {
    add(line.bytes, { ...usual, unit }, !isConfirmed)
    if (line.isOpen || (endedBy !== carriageReturn && line.carried.length > 0))
      add(all, { ...usual, unit, ignoresCr: true }, true)
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

/** As a target hears it whose characters beside ASCII have two bytes (GBK, Shift-JIS): what they are matters to no rule. */
function doubled(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beside ASCII is meant
  return Buffer.from(text.replaceAll(/[^\u0000-\u007f]/gu, '\u00ff'))
}
