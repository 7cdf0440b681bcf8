/** The clipboard's text; undefined when the browser does not give it. */
export async function readText(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText()
  } catch {
    return undefined
  }
}
