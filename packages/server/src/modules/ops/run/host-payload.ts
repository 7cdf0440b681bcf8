import type { LoginAssetRule } from '../../acls/index.ts'
import type { RuleVerdict } from './command-rules.ts'

/** A ticket that has to be approved before a host is worked on, by whose rule, and what is approved. */
export interface HostReview {
  ticket: string
  rule: string
  digest: string
}

/** What an item knows beside its asset. Nothing in it is secret, and what runs is made again when it begins. */
export interface HostPayload {
  asset: string
  /** The name of the host in summaries. */
  host: string
  username: string
  /** The account and the protocol that were chosen; absent when nothing is to run. */
  account?: string
  protocol?: { name: string; port: number }
  /** Why nothing runs: a code, and its text in the language of the run. */
  excluded?: { code: string; reason: string }
  /** The decision of a command filter, and a part of what it is about. */
  verdict?: RuleVerdict
  shown?: string
  /** The review of the command. */
  review?: HostReview
  /** The review that an asset login rule wants. */
  loginReview?: HostReview
}

/** A host whose reviews have no tickets yet. */
export type HostToReview = HostPayload & {
  /** The command. */
  toReview?: { command: string; digest: string }
  /** The use of the account, for what. */
  toReviewUse?: { rule: LoginAssetRule; operation: string; digest: string }
}
