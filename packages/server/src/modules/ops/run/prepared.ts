import type { SystemLogin } from '@castellan/connectors/accounts'
import type { AssetRow } from '../../assets/index.ts'
import type { Operation } from './operation.ts'

/** What runs on one host. */
export interface Prepared {
  row: AssetRow
  login: SystemLogin
  protocol: { name: string; port: number }
  /** What is done, as it was judged. */
  operation: Operation
  /** Whether its platform switches accounts. */
  switches: boolean
  /** Values of variables about this host. */
  given: Record<string, string>
}
