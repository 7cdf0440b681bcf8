import type { Language } from '@castellan/contract/messages'

const strictly = (encoding: string, bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Whether all non-ASCII bytes form GB 2312 pairs, which covers nearly all Chinese text. In Western text an accented
 * letter is followed by an ASCII one, and Japanese pairs use a lower range.
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
 * Whether bytes are damaged UTF-8 rather than an older encoding: they have a byte order mark, valid UTF-8 letters, or
 * bytes that Windows-1252 does not define.
 */
function isDamagedUtf8(bytes: Buffer): boolean {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return true
  if (bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))) return true
  return /[^\0-\x7f\ufffd]/.test(bytes.toString())
}

/**
 * Decodes a csv file; unreadable bytes become U+FFFD. Spreadsheets write UTF-8, UTF-16 with a byte order mark, or the
 * legacy encoding of their system, which the file does not name: the bytes decide where only one encoding fits,
 * otherwise the caller's language.
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
