/**
 * Host keys of targets are pinned by the server, per asset and port: a component asks before it sends a credential.
 * `POST` with a `HostKeyCheck` → 200 `HostKeyVerdict`. The first key seen is pinned and from then on only that one
 * passes; an administrator may allow a new one. The server writes the audit entry of a mismatch.
 */
export const hostKeyVerifyPath = '/api/v1/assets/host-keys/verify/'

export interface HostKeyCheck {
  /** Id of the asset (or of the gateway that is jumped through). */
  asset: string
  port: number
  /** SSH name of the key's algorithm, e.g. `ssh-ed25519`. */
  algorithm: string
  /** OpenSSH form: `SHA256:` and unpadded base64. */
  fingerprint: string
  /** The key blob in base64, as in a known_hosts line. */
  public_key: string
}

export interface HostKeyVerdict {
  status: 'pinned' | 'match' | 'mismatch'
  /** With `mismatch`: what was pinned. */
  expected?: { algorithm: string; fingerprint: string }
}
