import type { FastestGateway } from '@castellan/connectors/ssh'
import type { RecordingArchive } from '../recording/archive.ts'
import type { ServerApi } from '../server-client/api.ts'
import type { CommandJournal } from '../server-client/command-journal.ts'
import type { Outbox } from '../server-client/outbox.ts'
import type { ComponentConfig } from '../server-client/wire.ts'
import type { ForwardingReach } from '../settings.ts'
import type { Approvals } from './approvals.ts'
import type { SessionRegistry } from './registry.ts'
import type { TransferJournal } from './transfer-journal.ts'

/** The services that every connection uses; created once in gateway.ts and passed to the functions of this folder. */
export interface Broker {
  api: ServerApi
  outbox: Outbox
  archive: RecordingArchive
  commands: CommandJournal
  transfers: TransferJournal
  sessions: SessionRegistry
  approvals: Approvals
  /** The component configuration as last fetched. */
  config(): ComponentConfig
  refreshConfig(): Promise<void>
  /** Reports a new session to the server at once. */
  heartbeatNow(): void
  /** The gateways of domains that answered first. */
  fastest: FastestGateway
  portForwarding: ForwardingReach
}
