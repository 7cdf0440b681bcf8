/** A reason to end that is the person's to solve: shown as two sentences, without a stack. */
export class Stop extends Error {
  /** @param {string} what what is wrong @param {string} [remedy] what to do about it */
  constructor(what, remedy) {
    super(what)
    this.remedy = remedy
  }
}

/**
 * Runs a program's main part; a Stop is printed plainly and ends with code 1.
 * @param {() => unknown} main
 */
export async function run(main) {
  try {
    await main()
  } catch (reason) {
    if (!(reason instanceof Stop)) throw reason
    console.error(`\n${reason.message}`)
    if (reason.remedy) console.error(reason.remedy)
    process.exit(1)
  }
}
