/** Types of rows and forms by the address of their collection, from the declarations of the server. */
import type { WireBodies, WireRows } from '@castellan/contract/wire.gen'

/** The names in all members of a union: `keyof` has only those that are in every one. */
type NameIn<T> = T extends unknown ? keyof T : never

/**
 * A row of a collection, in its list and on its page: `WireRow<typeof url>`. Of several collections, with the fields of
 * each. `Extra` names what the screen computes itself. A numeric id is text, as in every `Row`: the console puts ids
 * into addresses and does not calculate with them.
 */
export type WireRow<U extends keyof WireRows, Extra extends string = never> = Readonly<Omit<WireRows[U], 'id'>> & {
  readonly [F in NameIn<WireRows[U]> | Extra]?: unknown
} & { readonly id: string }

/** The object of a form: the row as it is read, with the fields that are sent only. `Extra` are those of the form alone. */
export type WireForm<U extends keyof WireRows & keyof WireBodies, Extra extends string = never> = WireRow<U, Extra> & {
  readonly [F in NameIn<WireBodies[U]>]?: unknown
}
