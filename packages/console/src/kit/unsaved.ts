/** Forms with unsaved changes. Code that is about to close a form asks here first. */
import { useId, useLayoutEffect, useSyncExternalStore } from 'react'
import { confirm } from './confirm.ts'
import { t } from './text.ts'

const dirty = new Set<string>()
const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}

export const hasUnsaved = (): boolean => dirty.size > 0

/** Changes are saved or discarded: no more confirmation. */
export function forgetUnsaved(): void {
  dirty.clear()
  changed()
}

/** Registers unsaved changes while a form is shown. */
export function useUnsaved(unsaved: boolean): void {
  const key = useId()
  // With the commit, not after it: whoever sees that a form is saved may leave it at once.
  useLayoutEffect(() => {
    if (!unsaved) return
    dirty.add(key)
    changed()
    return () => {
      dirty.delete(key)
      changed()
    }
  }, [unsaved, key])
}

/** Whether any form has changes; re-renders on change. */
export const useHasUnsaved = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hasUnsaved)

/** Runs at once, or after the user agreed to lose the changes. */
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
