/** A question that must be answered before something is lost; the shell shows it. */
export interface Confirmation {
  title: string
  /** What is lost, in one sentence that repeats the name. */
  text: string
  verb: string
  danger?: boolean
  run: () => Promise<unknown>
}

let show: (question: Confirmation) => void = () => {}

/** Asks; `run` is called while the button shows it is working, and the question closes when it succeeded. */
export const confirm = (question: Confirmation): void => show(question)
export const listenForConfirmations = (listener: (question: Confirmation) => void): void => {
  show = listener
}
