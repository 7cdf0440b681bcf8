/** Confirmation before data is lost. The shell renders it. */
import type { ReactNode } from 'react'
import { Cancelled } from './api/errors.ts'

export interface Confirmation {
  title: string
  /** The consequence, in one sentence with the object's name. */
  text: string
  /** More about the consequence, below the sentence. */
  details?: ReactNode
  verb: string
  danger?: boolean
  run: () => Promise<unknown>
  cancel?: () => void
}

let show: (question: Confirmation) => void = () => {}

/** Opens a confirmation. `run` is called while the button shows progress; the dialog closes on success. */
export const confirm = (question: Confirmation): void => show(question)
export const listenForConfirmations = (listener: (question: Confirmation) => void): void => {
  show = listener
}

/** Resolves when the user confirms. @throws Cancelled otherwise */
export const confirmed = (question: Omit<Confirmation, 'run' | 'cancel'>): Promise<void> =>
  new Promise((resolve, reject) =>
    confirm({ ...question, run: async () => resolve(), cancel: () => reject(new Cancelled()) }),
  )
