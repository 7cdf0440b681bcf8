/** Confirmation before data is lost. The shell renders it. */
export interface Confirmation {
  title: string
  /** The consequence, in one sentence with the object's name. */
  text: string
  verb: string
  danger?: boolean
  run: () => Promise<unknown>
}

let show: (question: Confirmation) => void = () => {}

/** Opens a confirmation. `run` is called while the button shows progress; the dialog closes on success. */
export const confirm = (question: Confirmation): void => show(question)
export const listenForConfirmations = (listener: (question: Confirmation) => void): void => {
  show = listener
}
