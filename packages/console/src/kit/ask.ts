/** A question that must be answered before something is lost; the shell shows it. */
export interface Question {
  title: string
  /** What is lost, in one sentence that repeats the name. */
  text: string
  verb: string
  danger?: boolean
  run: () => Promise<unknown>
}

let show: (question: Question) => void = () => {}

/** Asks; `run` is called while the button shows it is working, and the question closes when it succeeded. */
export const ask = (question: Question): void => show(question)
export const listenForQuestions = (listener: (question: Question) => void): void => {
  show = listener
}
