/** Cells of access rules. */
import type { ColumnRules } from '../../kit/list/columns.ts'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'

/** A rule of any kind, with the fields of all kinds. */
export type RuleRow = WireRow<`/api/v1/acls/${'command-filter' | 'connect-method' | 'login-asset'}-acls/`>

/** The action of a rule in its color. */
export function ruleAction(row: Row) {
  const value = rawOf(row.action)
  const tone = value === 'reject' ? 'danger' : value === 'accept' ? 'ok' : 'warning'
  return <Status is={tone}>{wordOf(row.action)}</Status>
}

export const ruleCells: ColumnRules<RuleRow>['cells'] = {
  action: { width: 130, render: ruleAction },
  priority: { align: 'right', width: 90, help: t('priorityHelp') },
  is_active: { falseWord: t('disabled'), width: 110 },
}
