/** Users of the directory, chosen for the import. The server reads them first, which takes a while. */
import { defaultOrgId } from '@castellan/contract/ids'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Progress, Spin } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ApiError, attempt } from '../../kit/api/errors.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { number, wordOf, wordsOf } from '../../kit/row.ts'
import { session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const base = '/api/v1/settings/ldap/'
const url = `${base}users/`
/** How often it is asked whether the users were read. Milliseconds. */
const askEvery = 1000

interface Refusal {
  errors?: readonly Readonly<Record<string, string>>[]
}

/** The message of the server about users that were not imported. */
function problemsOf(error: unknown): string | undefined {
  const errors = error instanceof ApiError ? (error.body as Refusal).errors : undefined
  return errors?.flatMap((one) => Object.entries(one).map(([name, said]) => `${name}: ${said}`)).join('\n')
}

interface ImportState {
  done: number
  total: number
}

/** How far the import is. One that another window of this user started is shown too. */
function Importing({ busy }: { busy: boolean }) {
  const { data } = useQuery({
    queryKey: ['directory-import', busy],
    queryFn: () => call<ImportState>(`${url}import/progress/`, { quiet: true }),
    refetchInterval: ({ state }) => (busy || state.data?.total ? askEvery / 2 : false),
    gcTime: 0,
  })
  if (!data?.total) return null
  return (
    <div className="import-progress" role="status">
      <Progress percent={Math.round((data.done / data.total) * 100)} status="normal" aria-label={t('importProgress')} />
      <span>{t('settingLdapImported', { done: number(data.done), total: number(data.total) })}</span>
      <Button size="small" onClick={() => void attempt(() => call(`${url}import/stop/`, { method: 'POST', body: {} }))}>
        {t('stop')}
      </Button>
    </div>
  )
}

export function DirectoryUsers({ onClose }: { onClose: () => void }) {
  const [problems, setProblems] = useState('')
  const [round, setRound] = useState(0)
  const ready = useQuery({
    queryKey: ['directory-users', round],
    queryFn: () => call(url, { query: { limit: 1, offset: 0 }, quiet: true }),
    retry: (_count, error) => error instanceof ApiError && error.status === 409,
    retryDelay: askEvery,
    gcTime: 0,
  })
  const chosenOrgs = session().settings.AUTH_LDAP_SYNC_ORG_IDS
  const org_ids = Array.isArray(chosenOrgs) && chosenOrgs.length > 0 ? chosenOrgs : [defaultOrgId]
  const [busy, setBusy] = useState(false)
  const take = async (username_list: readonly string[], reload: () => void) => {
    setProblems('')
    setBusy(true)
    try {
      const { msg } = await call<{ msg: string }>(`${url}import/`, {
        method: 'POST',
        body: { username_list, org_ids },
        quiet: true,
      })
      toast.ok(msg)
    } catch (error) {
      const said = problemsOf(error)
      if (said === undefined) throw error
      setProblems(said)
    } finally {
      setBusy(false)
    }
    reload()
  }
  const refresh = () =>
    attempt(async () => {
      await call(`${base}cache/refresh/`, { quiet: true })
      setRound((count) => count + 1)
    })
  return (
    <Modal open width={960} title={t('settingLdapImport')} footer={null} onCancel={onClose}>
      {problems && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title={t('settingLdapNotAll')}
          description={<pre className="wrapped">{problems}</pre>}
        />
      )}
      <Importing busy={busy} />
      {ready.isPending && <Spin description={t('settingLdapReading')} />}
      {ready.error && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title={ready.error.message}
          action={
            <Button size="small" onClick={() => void refresh()}>
              {t('refresh')}
            </Button>
          }
        />
      )}
      {ready.data !== undefined && (
        <ListView
          key={round}
          spec={{
            ...inside,
            id: 'LdapUsers',
            url,
            resource: 'settings.setting',
            noun: 'user',
            data: { order: 'existing' },
            columns: {
              shown: ['username', 'name', 'email', 'groups', 'existing'],
              fixed: ['username'],
              cells: { groups: { render: (row) => wordsOf(row.groups).join(' | ') } },
            },
            actions: {
              ...inside.actions,
              toolbar: ({ reload }) => (
                <>
                  <Button disabled={busy} onClick={() => void attempt(() => take(['*'], reload))}>
                    {t('settingLdapImportAll')}
                  </Button>
                  <Button disabled={busy} onClick={() => void refresh()}>
                    {t('settingLdapReadAgain')}
                  </Button>
                </>
              ),
            },
            bulk: {
              actions: [
                {
                  key: 'import',
                  label: t('import'),
                  visible: !busy,
                  run: ({ rows, reload, clear }) =>
                    take(
                      rows.map((row) => wordOf(row.username)),
                      () => {
                        clear()
                        reload()
                      },
                    ),
                },
              ],
            },
          }}
        />
      )}
    </Modal>
  )
}
