import { type Grant, plain } from '../server-client/wire.ts'

/** Converts between a target's character set and UTF-8. */
export interface Transcoder {
  fromTarget(data: Buffer): Buffer
  toTarget(data: Buffer): Buffer
}

const chineseLabels = new Set(['gbk', 'gb2312', 'gb18030'])
let chineseCodes: Map<string, number> | undefined

/** The two-byte GBK code of every character, built from the decoder on first use. */
function codesOfChinese(): Map<string, number> {
  if (chineseCodes) return chineseCodes
  chineseCodes = new Map()
  const decoder = new TextDecoder('gbk')
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const char = decoder.decode(Uint8Array.of(high, low))
      if (low !== 0x7f && [...char].length === 1 && char !== '\ufffd') chineseCodes.set(char, (high << 8) | low)
    }
  }
  return chineseCodes
}

function encodeChinese(text: string): Buffer {
  const codes = codesOfChinese()
  const bytes: number[] = []
  for (const char of text) {
    const code = char.codePointAt(0) as number
    const pair = codes.get(char)
    if (code < 0x80) bytes.push(code)
    else if (pair !== undefined) bytes.push(pair >> 8, pair & 0xff)
    else bytes.push(0x3f)
  }
  return Buffer.from(bytes)
}

/** The transcoder of a grant; undefined when the target uses UTF-8. */
export function transcoderOf(grant: Grant): Transcoder | undefined {
  const chosen = String(grant.connect_options.charset ?? 'default').toLowerCase()
  const name = chosen === 'default' || chosen === '' ? plain(grant.platform.charset).toLowerCase() : chosen
  const isChinese = chineseLabels.has(name)
  if (!isChinese && !['ios-8859-1', 'iso-8859-1', 'latin1'].includes(name)) return undefined
  const target = new TextDecoder(isChinese ? 'gbk' : 'latin1')
  const user = new TextDecoder('utf-8')
  return {
    fromTarget: (data) => Buffer.from(target.decode(data, { stream: true })),
    toTarget(data) {
      const text = user.decode(data, { stream: true })
      return isChinese ? encodeChinese(text) : Buffer.from(text, 'latin1')
    },
  }
}
