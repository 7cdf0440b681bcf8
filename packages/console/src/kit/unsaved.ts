/** Forms that hold changes nobody saved. Whoever is about to take a form away asks here first. */
import { useEffect, useId, useSyncExternalStore } from 'react'
import { confirm } from './confirm.ts'
import { t } from './text.ts'

const dirty = new Set<string>()
const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}

export const hasUnsaved = (): boolean => dirty.size > 0

/** The changes are saved, or given up: nothing asks any more. */
export function forgetUnsaved(): void {
  dirty.clear()
  changed()
}

/** Says that a form has changes while it is shown. */
export function useUnsaved(unsaved: boolean): void {
  const key = useId()
  useEffect(() => {
    if (!unsaved) return
    dirty.add(key)
    changed()
    return () => {
      dirty.delete(key)
      changed()
    }
  }, [unsaved, key])
}

/** Whether any form has changes; re-renders when that changes. */
export const useHasUnsaved = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hasUnsaved)

/** Goes at once, or after the person said that the changes may be lost. */
export function leaveThen(go: () => void): void {
  if (!hasUnsaved()) {
    go()
    return
  }
  confirm({
    title: t('leaveTitle'),
    text: t('leaveText'),
    verb: t('leaveVerb'),
    danger: true,
    run: async () => {
      forgetUnsaved()
      go()
    },
  })
}
