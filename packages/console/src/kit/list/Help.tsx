/** What a list is for, above it. Closed by the user, it is not shown again in this browser. */
import { Alert } from 'antd'
import { useState } from 'react'
import { type TextKey, t } from '../text.ts'

const key = 'closedHelps'

function closedOnes(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export function Help({ of }: { of: TextKey }) {
  const [closed, setClosed] = useState(closedOnes)
  if (closed.includes(of)) return null
  return (
    <Alert
      className="list-help"
      type="info"
      title={t(of)}
      closable={{
        'aria-label': t('helpClose'),
        onClose: () => {
          const all = [...new Set([...closedOnes(), of])]
          localStorage.setItem(key, JSON.stringify(all))
          setClosed(all)
        },
      }}
    />
  )
}
