import type { Duplex } from 'node:stream'
import type { HostKeyVerifier } from '../ssh/index.ts'

/** Certificates and switches of TLS, as an asset stores them; PEM. */
export interface TlsSettings {
  enabled: boolean
  ca?: string | undefined
  certificate?: string | undefined
  key?: string | undefined
  /** Accept a certificate that nobody vouches for. */
  acceptInvalid?: boolean | undefined
}

/** Where the accounts of an asset are managed, and how it is reached. */
export interface SystemTarget {
  readonly host: string
  readonly port: number
  /** The asset's protocol of this port, for systems that are reached by more than one. */
  readonly protocol?: string | undefined
  /** A fresh byte stream to `port`, through a gateway of the asset's domain when there is one. */
  dial(): Promise<Duplex>
  /** Ends everything under way. */
  readonly signal: AbortSignal
  /** How long a sign-in by SSH may take, and then the start of a script, if not as long as usual. Milliseconds. */
  readonly readyTimeout?: number | undefined
  /** Judges the host key that an SSH target shows. */
  readonly verifyHostKey: HostKeyVerifier
  readonly tls: TlsSettings
  /** The database to sign in to, or the one that holds the accounts. */
  readonly database?: string | undefined
  /** Settings of the asset's protocol, by the names of the catalogue. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
}

/** What somebody signs in with. Never logged. */
export interface SystemLogin {
  readonly username: string
  readonly secretType: 'password' | 'ssh_key'
  readonly secret: string
  /** Whom this login becomes after it signed in, for what it may not do itself. */
  readonly become?: Become | undefined
}

export interface Become {
  readonly method: 'sudo' | 'su'
  readonly username: string
  /** What the method asks for: the login's own password for `sudo`, the other account's for `su`. */
  readonly password: string
}

/** The secret that an account gets. Never logged. */
export interface SecretChange {
  readonly username: string
  readonly secretType: 'password' | 'ssh_key'
  /** A password, or a private key whose public half is installed. */
  readonly secret: string
  /**
   * How a key is installed: added to those of the account, as its only one (`set`), or in place of those that carry
   * `keyComment` (`set_jms`).
   */
  readonly keyStrategy: 'add' | 'set' | 'set_jms'
  /** Comment of keys that this product installs. */
  readonly keyComment: string
  /** Creates the account when the system has none of this name. */
  readonly create: boolean
  /** Parameters of the method, complete. */
  readonly params: Readonly<Record<string, unknown>>
}

export interface ListedAccount {
  readonly username: string
  /** Where it signed in from last; empty when the system does not tell. */
  readonly address: string
  /** Unix time in milliseconds. */
  readonly lastLogin: number | null
}

/**
 * Manages the accounts of one kind of system by its own client library. Nothing that comes from users is part of a
 * command or statement: it is an argument, a parameter, quoted by the rules of the system, or given on standard input.
 * Every method ends when the target's signal is aborted, and closes what it opened.
 */
export interface AccountSystem {
  /** Signs in and out again. Throws when the login does not work. */
  verify(target: SystemTarget, login: SystemLogin): Promise<void>
  /** Sets the secret of an account. Setting the same one again changes nothing and succeeds. */
  change(target: SystemTarget, by: SystemLogin, change: SecretChange): Promise<void>
  /** Accounts that can sign in. Throws when the list would be incomplete. */
  list?(target: SystemTarget, by: SystemLogin): Promise<readonly ListedAccount[]>
  /** Removes an account; one that is missing is removed already. */
  remove?(target: SystemTarget, by: SystemLogin, username: string): Promise<void>
}

/** Why a system did not do what it was asked to. */
export type SystemFailureCode =
  /** It refused the login. */
  | 'auth_failed'
  /** The login's password is expired and has to be changed first. */
  | 'secret_expired'
  /** The login may not do this, or may not become the account that may. */
  | 'denied'
  /** There is no such account, and it was not to be created. */
  | 'account_missing'
  /** The account or a parameter has a name that the system does not allow. */
  | 'bad_name'
  /** The secret breaks the system's own rules. */
  | 'secret_rejected'
  | 'disk_full'
  | 'read_only'
  /** It does not have what the method needs. */
  | 'unsupported'
  /** It answered what no such system answers, or too much. */
  | 'bad_answer'

/** A failure that the target's answer names; others are errors of the connection. */
export class SystemFailure extends Error {
  readonly code: SystemFailureCode

  /** @param detail what the target said; shown to users in bounded length. Without secrets. */
  constructor(code: SystemFailureCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'SystemFailure'
    this.code = code
  }
}
