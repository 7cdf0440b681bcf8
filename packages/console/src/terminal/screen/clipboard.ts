/** The clipboard's text; undefined if the browser denies access. */
export async function readText(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText()
  } catch {
    return undefined
  }
}
