import ssh2 from 'ssh2'

/**
 * An SSH key pair in OpenSSH's form. ECDSA, because one of about 400 ed25519 pairs that ssh2 makes has a part that begins
 * with a zero, and ssh2 then calls it malformed.
 */
export const newKeyPair = (): { private: string; public: string } =>
  ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
