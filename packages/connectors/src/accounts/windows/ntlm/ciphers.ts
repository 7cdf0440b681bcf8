/** MD4 and RC4, which NTLM is made of and which OpenSSL no longer has. Neither protects anything on its own. */

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))

const rounds = [
  {
    mix: (x: number, y: number, z: number) => (x & y) | (~x & z),
    constant: 0,
    shifts: [3, 7, 11, 19],
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  },
  {
    mix: (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    shifts: [3, 5, 9, 13],
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  },
  {
    mix: (x: number, y: number, z: number) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    shifts: [3, 9, 11, 15],
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  },
] as const

/** RFC 1320. */
export function md4(message: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64)
  message.copy(padded)
  padded[message.length] = 0x80
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8)
  let state: [number, number, number, number] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state
    for (const { mix, constant, shifts, order } of rounds) {
      order.forEach((word, step) => {
        const sum = (a + mix(b, c, d) + padded.readUInt32LE(block + word * 4) + constant) | 0
        ;[a, b, c, d] = [d, rotate(sum, shifts[step % 4] ?? 0), b, c]
      })
    }
    state = [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0]
  }
  const digest = Buffer.alloc(16)
  state.forEach((word, index) => {
    digest.writeInt32LE(word, index * 4)
  })
  return digest
}

/** One direction of RC4: each call goes on where the last one ended. */
export function rc4(key: Buffer): (data: Buffer) => Buffer {
  const box = Uint8Array.from({ length: 256 }, (_none, index) => index)
  const at = (index: number) => box[index & 255] ?? 0
  const swap = (i: number, j: number) => {
    const kept = at(i)
    box[i & 255] = at(j)
    box[j & 255] = kept
  }
  let [i, j] = [0, 0]
  for (; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  ;[i, j] = [0, 0]
  return (data) =>
    Buffer.from(
      data.map((byte) => {
        i = (i + 1) & 255
        j = (j + at(i)) & 255
        swap(i, j)
        return byte ^ at(at(i) + at(j))
      }),
    )
}
