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
 * The text of a csv file. Spreadsheets write UTF-8, UTF-16 with its mark, or the old encoding of the system they run on,
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
  return new TextDecoder('windows-1252').decode(bytes)
}
