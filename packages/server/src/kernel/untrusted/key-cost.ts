/**
 * What it takes to decrypt a private key stands in its file: whoever sends one decides how long its reader computes, in one
 * call that nothing interrupts. Files that ask for more than people use are refused before.
 */

/** Rounds of OpenSSH (`ssh-keygen -a`, 16 by default). */
const mostRounds = 256
/** Iterations of PBKDF2 and its predecessors; the product of the three parameters of scrypt. */
const mostIterations = 2_000_000
const mostScrypt = 2 ** 21

const bodyOf = (pem: string) =>
  Buffer.from(/-----BEGIN [^-]{1,60}-----([A-Za-z0-9+/=\s]*)/.exec(pem)?.[1] ?? '', 'base64')

/** The rounds in a file of OpenSSH; 0 without a passphrase. */
function roundsOf(bytes: Buffer): number {
  let at = 'openssh-key-v1\0'.length
  const next = () => {
    const length = bytes.readUInt32BE(at)
    const text = bytes.subarray(at + 4, at + 4 + length)
    at += 4 + length
    return text
  }
  next()
  const isBcrypt = next().toString() === 'bcrypt'
  const options = next()
  return isBcrypt && options.length >= 8 ? options.readUInt32BE(options.length - 4) : 0
}

interface Node {
  readonly tag: number
  readonly content: Buffer
}

/** The values of a DER sequence. */
function valuesOf(bytes: Buffer): Node[] {
  const found: Node[] = []
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at] ?? 0
    let length = bytes[at + 1] ?? 0
    at += 2
    if (length >= 0x80) {
      const size = length & 0x7f
      if (size === 0 || size > 4 || at + size > bytes.length) break
      length = bytes.readUIntBE(at, size)
      at += size
    }
    found.push({ tag, content: bytes.subarray(at, at + length) })
    at += length
  }
  return found
}

const [integer, octets, sequence] = [0x02, 0x04, 0x30]

/** Whether parameters in a description of a cipher, which are a salt and numbers, ask for too much. */
function asksTooMuch(bytes: Buffer, depth = 0): boolean {
  const values = valuesOf(bytes)
  if (values[0]?.tag === octets) {
    const numbers = values.slice(1).filter(({ tag }) => tag === integer)
    const [first = 0, second = 1, third = 1] = numbers.map(({ content }) =>
      content.length > 6 ? Number.POSITIVE_INFINITY : content.length === 0 ? 0 : content.readUIntBE(0, content.length),
    )
    return numbers.length >= 3 ? first * second * third > mostScrypt : first > mostIterations
  }
  return depth < 8 && values.some(({ tag, content }) => tag === sequence && asksTooMuch(content, depth + 1))
}

/** Whether a private key may be decrypted here. Never throws. */
export function isCheapKey(text: string): boolean {
  try {
    if (text.includes('BEGIN OPENSSH PRIVATE KEY')) return roundsOf(bodyOf(text)) <= mostRounds
    return !text.includes('BEGIN ENCRYPTED PRIVATE KEY') || !asksTooMuch(bodyOf(text))
  } catch {
    // No reader makes anything of it.
    return true
  }
}
