/** Where a secret was sent. */
export interface SentTo {
  /** `address:port`. */
  address: string
  /** The network whose gateways lead there. */
  domain: string | null
  /** Fingerprints of the host keys pinned there; empty when there were none. */
  key: string
}
