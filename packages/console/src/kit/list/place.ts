/** Where each list was left: filters, order, page. An edit leads back to it. */
const places = new Map<string, string>()

export function rememberPlace(path: string, search: string): void {
  places.set(path, search)
}

/**
 * The address of a list as it was left. `sortedAnew`: the order is about to change, so the page goes,
 * unless the person had chosen an order.
 */
export function placeOf(path: string, sortedAnew = false): string {
  const params = new URLSearchParams(places.get(path))
  if (sortedAnew && !params.has('order')) params.delete('page')
  const text = params.toString()
  return text ? `${path}?${text}` : path
}
