/** Last state of each list: filters, order, page. An edit returns to it. */
const places = new Map<string, string>()

export function rememberPlace(path: string, search: string): void {
  places.set(path, search)
}

/**
 * The address of a list in its last state. `sortedAnew`: the order will change, so the page is dropped unless the user
 * had chosen an order.
 */
export function placeOf(path: string, sortedAnew = false): string {
  const params = new URLSearchParams(places.get(path))
  if (sortedAnew && !params.has('order')) params.delete('page')
  const text = params.toString()
  return text ? `${path}?${text}` : path
}
