import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'

/** AES-GCM first: it is the fastest on every machine with AES instructions, on both legs of a bulk transfer. */
export const ciphers: NonNullable<Algorithms['cipher']> = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
]

export const hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

/** What is offered to targets. RSA host keys with SHA-1 come last, for devices that have nothing else. */
export const targetAlgorithms: Algorithms = {
  cipher: ciphers,
  serverHostKey: [...hostKeyAlgorithms, 'ssh-rsa'],
  compress: ['none'],
}
