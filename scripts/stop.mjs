/** An error that the operator must resolve: shown as two sentences, without a stack. */
export class Stop extends Error {
  /**
   * @param {string} what the problem
   * @param {string} [remedy] the solution
   */
  constructor(what, remedy) {
    super(what)
    this.remedy = remedy
  }
}

/**
 * Runs a program's main function; a Stop is printed without a stack and exits with code 1.
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
