/** A destination of a secret. */
export interface SentTo {
  /** `address:port`. */
  address: string
  /** The network whose gateways are used. */
  domain: string | null
  /** Fingerprints of the pinned host keys; empty when there were none. */
  key: string
}
