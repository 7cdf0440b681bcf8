/**
 * The server pins host keys of targets, per asset and port. A component asks the server before it sends a credential:
 * `POST` with a `HostKeyCheck` → 200 `HostKeyVerdict`. The first key is pinned, and only that key passes afterwards
 * until an administrator accepts a new one. The server writes the audit entry of a mismatch.
 */
export const hostKeyVerifyPath = '/api/v1/assets/host-keys/verify/'

export interface HostKeyCheck {
  /** Id of the asset, or of the gateway used as jump host. */
  asset: string
  port: number
  /** SSH name of the key algorithm, e.g. `ssh-ed25519`. */
  algorithm: string
  /** OpenSSH format: `SHA256:` and unpadded base64. */
  fingerprint: string
  /** The key blob in base64, as in a known_hosts line. */
  public_key: string
}

export interface HostKeyVerdict {
  status: 'pinned' | 'match' | 'mismatch'
  /** Set for `mismatch`: the pinned fingerprint. */
  expected?: { algorithm: string; fingerprint: string }
}
