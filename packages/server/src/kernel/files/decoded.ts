import type { Language } from '@castellan/contract/messages'

const strictly = (encoding: string, bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Whether everything that is not ASCII is made of pairs as GB 2312 has them: nearly all that is written in Chinese. In
 * Western text a letter with an accent stands alone among plain ones, and Japanese pairs begin below.
 */
function isPlainChinese(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue
    if ((bytes[at] ?? 0) < 0xa1 || (bytes[at + 1] ?? 0) < 0xa1) return false
    at++
  }
  return true
}

const hasKana = (text: string): boolean => /[\u3041-\u30ff]/.test(text)

/**
 * Whether bytes are UTF-8 in which some were lost, and no older encoding: they are marked as it, have letters of it, or
 * bytes that Windows-1252 does not know.
 */
function isDamagedUtf8(bytes: Buffer): boolean {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return true
  if (bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))) return true
  return /[^\0-\x7f\ufffd]/.test(bytes.toString())
}

/**
 * The text of a csv file. What cannot be read in it stands there as U+FFFD. Spreadsheets write UTF-8, UTF-16 with its mark, or the old encoding of the system they run on,
 * which nothing in the file names: what the bytes allow decides, and where they allow several the caller's language.
 */
export function decoded(bytes: Buffer, language: Language): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const unicode = strictly('utf-8', bytes)
  if (unicode !== undefined) return unicode
  const japanese = strictly('shift_jis', bytes)
  const chinese = strictly('gb18030', bytes)
  if (language === 'ja' && japanese !== undefined) return japanese
  if (chinese !== undefined && isPlainChinese(bytes)) return chinese
  if (japanese !== undefined && hasKana(japanese)) return japanese
  if (language === 'zh' && chinese !== undefined) return chinese
  return isDamagedUtf8(bytes) ? bytes.toString() : new TextDecoder('windows-1252').decode(bytes)
}
